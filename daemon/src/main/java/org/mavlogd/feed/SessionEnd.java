package org.mavlogd.feed;

/** The reason why a vehicle's log session ended. */
public enum SessionEnd {
    /** The vehicle confirmed STOP, and all its data was received. */
    STOPPED(1, "stopped"),
    /** The recorder sent STOP, but the vehicle never confirmed it. */
    STOP_UNCONFIRMED(2, "stop not confirmed"),
    /** The vehicle is heard but sends no log data any more. */
    STREAM_SILENT(3, "no more log data"),
    /** The vehicle is not heard. */
    VEHICLE_SILENT(4, "vehicle silent"),
    /** The vehicle's time since boot stepped back. */
    REBOOT(5, "vehicle rebooted"),
    /** A new log header came in the middle of the stream. */
    NEW_SESSION(6, "vehicle started another log"),
    /** The sequence started again without a header. */
    SEQUENCE_RESTART(7, "sequence restarted"),
    /** The recorder ends, and the log belongs to another receiver. */
    RECORDER_STOPS(8, "recorder stops"),
    /** The recorder ends while the vehicle's stream continues: the next run may continue the log. */
    LEFT(9, "left to the next run");

    private static final SessionEnd[] VALUES = values();
    private final byte code;
    private final String text;

    SessionEnd(int code, String text) {
        this.code = (byte) code;
        this.text = text;
    }

    /** A text for status and log lines. */
    public String text() {
        return text;
    }

    /** The value in a ring record. */
    byte code() {
        return code;
    }

    static SessionEnd of(byte code) {
        for (SessionEnd end : VALUES) {
            if (end.code == code) {
                return end;
            }
        }
        throw new IllegalStateException("session end " + code + " in the ring, allowed 1.." + VALUES.length);
    }
}
