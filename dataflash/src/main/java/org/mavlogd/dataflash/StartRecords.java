package org.mavlogd.dataflash;

import java.util.Set;

/**
 * Types that an ArduPilot writes at the start of every log, also of one in which it then logs nothing: definitions, parameters,
 * versions, texts, mission, fence, rally points, mode, files of its own.
 *
 * @see <a href="https://github.com/ArduPilot/ardupilot/blob/master/libraries/AP_Logger/LoggerMessageWriter.cpp">its order</a>
 */
final class StartRecords {
    private static final Set<String> TYPES =
            Set.of("PARM", "VER", "MSG", "CMD", "FNCE", "RALY", "ORGN", "MODE", "FILE");

    private StartRecords() {}

    static boolean are(RecordType type) {
        return Definitions.isDefinition(type) || TYPES.contains(type.name());
    }
}
