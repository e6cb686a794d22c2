package org.mavlogd.simulate;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.mavlogd.mavlink.Heartbeat;

/**
 * The SD card of a simulated vehicle, with its logs named and placed as its autopilot does. Immutable.
 *
 * @param autopilot MAV_AUTOPILOT, PX4's or ArduPilot's
 */
public record LogCard(int autopilot, List<StoredLog> logs) {
    private static final String ARDUPILOT_ROOT = "/APM/LOGS";
    private static final String PX4_ROOT = "/fs/microsd/log";
    // 2026-11-20 12:34:56
    private static final long LOGGED_S = 1_795_178_096L;

    public LogCard {
        logs = List.copyOf(logs);
    }

    /** A card with one log, named as this autopilot does. */
    public static LogCard ofOne(int autopilot, byte[] log) {
        StoredLog stored = autopilot == Heartbeat.AUTOPILOT_ARDUPILOT
                ? new StoredLog("00000001.BIN", log, 0)
                : new StoredLog("2026-11-20/12_34_56.ulg", log, LOGGED_S);
        return new LogCard(autopilot, List.of(stored));
    }

    boolean isArduPilot() {
        return autopilot == Heartbeat.AUTOPILOT_ARDUPILOT;
    }

    /** The directory of the logs. */
    String root() {
        return isArduPilot() ? ARDUPILOT_ROOT : PX4_ROOT;
    }

    /** All files in that directory. */
    List<StoredLog> files() {
        return isArduPilot() ? withLastNumber() : logs;
    }

    private List<StoredLog> withLastNumber() {
        List<StoredLog> all = new ArrayList<>(logs);
        String number = logs.size() + "\r\n";
        all.add(new StoredLog("LASTLOG.TXT", number.getBytes(StandardCharsets.US_ASCII), 0));
        return all;
    }

    /** A log on a simulated vehicle's SD card. Immutable, but its bytes are not copied. */
    public static final class StoredLog {
        static final StoredLog NONE = new StoredLog("", new byte[0], 0);

        private final String name;
        private final byte[] bytes;
        private final long utcS;

        /**
         * Creates a log.
         *
         * @param name in the directory of logs, such as {@code 00000001.BIN}
         * @param utcS seconds since 1970; 0 if the vehicle does not know the time
         */
        StoredLog(String name, byte[] bytes, long utcS) {
            this.name = name;
            this.bytes = bytes;
            this.utcS = utcS;
        }

        String name() {
            return name;
        }

        /** The bytes, which must not be changed. */
        byte[] bytes() {
            return bytes;
        }

        long utcS() {
            return utcS;
        }

        long length() {
            return bytes.length;
        }

        void copy(long position, byte[] target, int offset, int length) {
            if (length > 0) {
                System.arraycopy(bytes, (int) position, target, offset, length);
            }
        }
    }
}
