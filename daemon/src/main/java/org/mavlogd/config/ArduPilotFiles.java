package org.mavlogd.config;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Key {@code ardupilot_files} of section {@code [log]}: what becomes of an ArduPilot's log.
 *
 * @param bin whether it is kept as it comes
 * @param ulg whether it becomes ULog, with this computer's data in it
 */
public record ArduPilotFiles(boolean bin, boolean ulg) {
    /** Both. */
    public static final ArduPilotFiles BOTH = new ArduPilotFiles(true, true);

    /** As it is written in the file. */
    private enum Kind {
        BIN,
        ULG
    }

    private static final String ALLOWED = "an array of \"bin\", \"ulg\" or both";
    private static final ValueType<List<Kind>> KINDS =
            ValueTypes.listOf(ValueTypes.oneOf(List.of(Kind.values())), 2, ALLOWED);

    static final Key<ArduPilotFiles> KEY = Key.withDefault(
            "ardupilot_files",
            BOTH,
            "[\"bin\", \"ulg\"]",
            ValueTypes.of(ALLOWED, ArduPilotFiles::of),
            "what an ArduPilot's log becomes: its own format as it comes, ULog with this computer's data, or both");

    private static ArduPilotFiles of(Object value) throws BadValueException {
        List<Kind> kinds = KINDS.read(value);
        Set<Kind> different = new HashSet<>(kinds);
        if (kinds.isEmpty()) {
            throw new BadValueException("is empty: the log would go nowhere");
        }
        if (different.size() < kinds.size()) {
            throw new BadValueException("names one of them twice");
        }
        return new ArduPilotFiles(different.contains(Kind.BIN), different.contains(Kind.ULG));
    }
}
