package org.mavlogd.simulate.px4;

/**
 * Settings of a simulated PX4. Created by {@link #builder}; the defaults are those of a healthy vehicle that plays its
 * log once at the log's own pace.
 *
 * @param systemId 1 to 255
 * @param componentId 1 for an autopilot
 * @param signing whether frames are signed
 * @param startsArmed armed after each boot
 * @param loggerRuns whether the logger module runs; without it LOGGING_START and LOGGING_STOP are not answered
 * @param flushesAtStop false for PX4 before 1.13: no post-flight data, and the unfinished chunk is lost
 * @param silentUntilHeartbeat sends nothing until it has received a HEARTBEAT
 * @param restartsStreamItself restarts a stream that a reboot ended, without a request
 * @param rateBytesPerSecond of the data section; 0 for the log's own pace by its timestamps
 * @param loops plays the data section repeatedly, with shifted timestamps
 * @param stall treatment of data whose time passes while the logger waits for an acknowledgement
 * @param linkBytesPerSecond data rate of the vehicle's link (MAV_x_RATE); below 5000 streaming is denied; 0 for no
 *     limit
 * @param queueLimit whether the link's data rate and the vehicle's queue of 16 chunks lose data; needs a data rate
 * @param ackedIntervalNs minimum time between two acked chunks
 * @param ackMaxTries how often an acked chunk is sent, every 50 ms, before the stream ends without an acknowledgement
 * @param postFlightBytes logged after LOGGING_STOP and at disarming; {@link #POST_FLIGHT_OF_LOG} for those of the log
 * @param telemetryHz other frames per second in addition to the heartbeat
 * @param swapEvery interval, in frames, after which two are sent in the wrong order; 0 for never
 * @param rebootNs duration of a reboot
 * @param answersTimesync whether it answers TIMESYNC with the time of its logs, from the first log's data on, unless
 *     that is played at another pace
 * @param sendsSystemTime whether it sends SYSTEM_TIME once a second, with that time
 * @param clockDriftPpm drift of its clock, and so of its logs, in parts per million
 * @param seed of all random data
 */
public record Px4Settings(
        int systemId,
        int componentId,
        Signing signing,
        boolean startsArmed,
        boolean loggerRuns,
        boolean flushesAtStop,
        boolean silentUntilHeartbeat,
        boolean restartsStreamItself,
        long rateBytesPerSecond,
        boolean loops,
        Stall stall,
        int linkBytesPerSecond,
        boolean queueLimit,
        long ackedIntervalNs,
        int ackMaxTries,
        int postFlightBytes,
        int telemetryHz,
        int swapEvery,
        long rebootNs,
        boolean answersTimesync,
        boolean sendsSystemTime,
        double clockDriftPpm,
        long seed) {
    /** Logs the 'M' messages at the end of the log file after LOGGING_STOP. */
    public static final int POST_FLIGHT_OF_LOG = -1;

    private static final int MAX_POST_FLIGHT_BYTES = 16 << 20;
    private static final int MAX_TELEMETRY_HZ = 10_000;
    private static final double MAX_DRIFT_PPM = 100_000;

    /** Whether frames have a MAVLink 2 signature. */
    public enum Signing {
        NONE,
        SIGNED,
        /** Signed, and each frame truncated to 267 bytes, as one PX4 version does with full chunks. */
        SIGNED_AND_CUT
    }

    /** Treatment of data whose time passes while the logger waits for an acknowledgement. */
    public enum Stall {
        /** It is never logged, as in PX4: when it continues, the logger takes the newest value of each topic. */
        SKIPS_DATA,
        /** All later data is logged later: no message of the log is omitted. */
        DELAYS_LOG
    }

    public Px4Settings {
        check(systemId >= 1 && systemId <= 255, "system id", systemId);
        check(componentId >= 1 && componentId <= 255, "component id", componentId);
        check(rateBytesPerSecond >= 0, "rate", rateBytesPerSecond);
        check(linkBytesPerSecond >= 0, "link rate", linkBytesPerSecond);
        check(!queueLimit || linkBytesPerSecond > 0, "link rate of a limited queue", linkBytesPerSecond);
        check(ackedIntervalNs >= 0, "interval of acked chunks", ackedIntervalNs);
        check(ackMaxTries >= 1, "tries of an acked chunk", ackMaxTries);
        check(
                postFlightBytes >= POST_FLIGHT_OF_LOG && postFlightBytes <= MAX_POST_FLIGHT_BYTES,
                "post-flight bytes",
                postFlightBytes);
        check(telemetryHz >= 0 && telemetryHz <= MAX_TELEMETRY_HZ, "telemetry rate", telemetryHz);
        check(swapEvery >= 0 && swapEvery != 1, "frames between swaps", swapEvery);
        check(rebootNs >= 0, "length of a reboot", rebootNs);
        check(Math.abs(clockDriftPpm) <= MAX_DRIFT_PPM, "drift of the clock", Math.round(clockDriftPpm));
    }

    private static void check(boolean condition, String what, long value) {
        if (!condition) {
            throw new IllegalArgumentException(what + " cannot be " + value);
        }
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Sets what differs from a healthy vehicle. Used once, by one thread. */
    public static final class Builder {
        private int systemId = 1;
        private int componentId = 1;
        private Signing signing = Signing.NONE;
        private boolean startsArmed;
        private boolean loggerRuns = true;
        private boolean flushesAtStop = true;
        private boolean silentUntilHeartbeat;
        private boolean restartsStreamItself;
        private long rateBytesPerSecond;
        private boolean loops;
        private Stall stall = Stall.SKIPS_DATA;
        private int linkBytesPerSecond;
        private boolean queueLimit;
        private long ackedIntervalNs = 4_000_000;
        private int ackMaxTries = ChunkSender.ACK_MAX_TRIES;
        private int postFlightBytes = POST_FLIGHT_OF_LOG;
        private int telemetryHz = 50;
        private int swapEvery;
        private long rebootNs = 3_000_000_000L;
        private boolean answersTimesync = true;
        private boolean sendsSystemTime;
        private double clockDriftPpm;
        private long seed = 1;

        private Builder() {}

        public Builder systemId(int value) {
            systemId = value;
            return this;
        }

        public Builder componentId(int value) {
            componentId = value;
            return this;
        }

        public Builder signing(Signing value) {
            signing = value;
            return this;
        }

        public Builder startsArmed(boolean value) {
            startsArmed = value;
            return this;
        }

        public Builder loggerRuns(boolean value) {
            loggerRuns = value;
            return this;
        }

        public Builder flushesAtStop(boolean value) {
            flushesAtStop = value;
            return this;
        }

        public Builder silentUntilHeartbeat(boolean value) {
            silentUntilHeartbeat = value;
            return this;
        }

        public Builder restartsStreamItself(boolean value) {
            restartsStreamItself = value;
            return this;
        }

        public Builder rateBytesPerSecond(long value) {
            rateBytesPerSecond = value;
            return this;
        }

        public Builder loops(boolean value) {
            loops = value;
            return this;
        }

        public Builder stall(Stall value) {
            stall = value;
            return this;
        }

        public Builder linkBytesPerSecond(int value) {
            linkBytesPerSecond = value;
            return this;
        }

        public Builder queueLimit(boolean value) {
            queueLimit = value;
            return this;
        }

        public Builder ackedIntervalNs(long value) {
            ackedIntervalNs = value;
            return this;
        }

        public Builder ackMaxTries(int value) {
            ackMaxTries = value;
            return this;
        }

        public Builder postFlightBytes(int value) {
            postFlightBytes = value;
            return this;
        }

        public Builder telemetryHz(int value) {
            telemetryHz = value;
            return this;
        }

        public Builder swapEvery(int value) {
            swapEvery = value;
            return this;
        }

        public Builder rebootNs(long value) {
            rebootNs = value;
            return this;
        }

        public Builder answersTimesync(boolean value) {
            answersTimesync = value;
            return this;
        }

        public Builder sendsSystemTime(boolean value) {
            sendsSystemTime = value;
            return this;
        }

        public Builder clockDriftPpm(double value) {
            clockDriftPpm = value;
            return this;
        }

        public Builder seed(long value) {
            seed = value;
            return this;
        }

        public Px4Settings build() {
            return new Px4Settings(
                    systemId,
                    componentId,
                    signing,
                    startsArmed,
                    loggerRuns,
                    flushesAtStop,
                    silentUntilHeartbeat,
                    restartsStreamItself,
                    rateBytesPerSecond,
                    loops,
                    stall,
                    linkBytesPerSecond,
                    queueLimit,
                    ackedIntervalNs,
                    ackMaxTries,
                    postFlightBytes,
                    telemetryHz,
                    swapEvery,
                    rebootNs,
                    answersTimesync,
                    sendsSystemTime,
                    clockDriftPpm,
                    seed);
        }
    }
}
