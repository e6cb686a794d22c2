package org.mavlogd.simulate.ardupilot;

/**
 * Settings of a simulated ArduPilot. Created by {@link #builder}; the defaults are those of a healthy rover that plays
 * its log once at the log's own pace.
 *
 * @param systemId 1 to 255
 * @param isMavlink1 whether it sends and accepts only MAVLink 1
 * @param logsToMavlink LOG_BACKEND_TYPE has bit 1; without it START is not answered, and arming needs no recorder
 * @param logsDisarmed LOG_DISARMED: whether it logs while it is disarmed
 * @param bufferKb LOG_MAV_BUFSIZE, 1 to 53: with more an 8-bit counter overflows and the backend does not start
 * @param rateBytesPerSecond of the log; 0 for the log's own pace by its timestamps
 * @param answerTimeoutNs time without an answer after which it ends its log
 * @param loops plays the log repeatedly, with shifted timestamps
 * @param startsArmed armed after each boot, regardless of checks
 * @param bootText lines of plain text before MAVLink starts, as on a serial port
 * @param rebootNs duration of a reboot
 * @param telemetryHz other frames per second
 */
public record ArduPilotSettings(
        int systemId,
        boolean isMavlink1,
        boolean logsToMavlink,
        boolean logsDisarmed,
        int bufferKb,
        long rateBytesPerSecond,
        long answerTimeoutNs,
        boolean loops,
        boolean startsArmed,
        boolean bootText,
        long rebootNs,
        int telemetryHz) {
    private static final int MAX_BUFFER_KB = 53;
    private static final int MAX_TELEMETRY_HZ = 1000;

    public ArduPilotSettings {
        check("system id", systemId, 1, 255);
        check("buffer in kB", bufferKb, 1, MAX_BUFFER_KB);
        check("rate", rateBytesPerSecond, 0, Integer.MAX_VALUE);
        check("time without an answer in ns", answerTimeoutNs, 0, Long.MAX_VALUE);
        check("reboot in ns", rebootNs, 0, Long.MAX_VALUE);
        check("telemetry in Hz", telemetryHz, 0, MAX_TELEMETRY_HZ);
    }

    private static void check(String what, long value, long lowest, long highest) {
        if (value < lowest || value > highest) {
            throw new IllegalArgumentException(what + " is " + value + ", and must be " + lowest + " to " + highest);
        }
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Changes defaults. */
    public static final class Builder {
        private int systemId = 1;
        private boolean mavlink1;
        private boolean logsToMavlink = true;
        private boolean logsDisarmed = true;
        private int bufferKb = 8;
        private long rateBytesPerSecond;
        private long answerTimeoutNs = ArduPilotLogger.TIMEOUT_NS;
        private boolean loops;
        private boolean startsArmed;
        private boolean bootText;
        private long rebootNs = 2_000_000_000;
        private int telemetryHz = 10;

        private Builder() {}

        public Builder systemId(int value) {
            systemId = value;
            return this;
        }

        public Builder isMavlink1(boolean value) {
            mavlink1 = value;
            return this;
        }

        public Builder logsToMavlink(boolean value) {
            logsToMavlink = value;
            return this;
        }

        public Builder logsDisarmed(boolean value) {
            logsDisarmed = value;
            return this;
        }

        public Builder bufferKb(int value) {
            bufferKb = value;
            return this;
        }

        public Builder rateBytesPerSecond(long value) {
            rateBytesPerSecond = value;
            return this;
        }

        public Builder answerTimeoutNs(long value) {
            answerTimeoutNs = value;
            return this;
        }

        public Builder loops(boolean value) {
            loops = value;
            return this;
        }

        public Builder startsArmed(boolean value) {
            startsArmed = value;
            return this;
        }

        public Builder bootText(boolean value) {
            bootText = value;
            return this;
        }

        public Builder rebootNs(long value) {
            rebootNs = value;
            return this;
        }

        public Builder telemetryHz(int value) {
            telemetryHz = value;
            return this;
        }

        public ArduPilotSettings build() {
            return new ArduPilotSettings(
                    systemId,
                    mavlink1,
                    logsToMavlink,
                    logsDisarmed,
                    bufferKb,
                    rateBytesPerSecond,
                    answerTimeoutNs,
                    loops,
                    startsArmed,
                    bootText,
                    rebootNs,
                    telemetryHz);
        }
    }
}
