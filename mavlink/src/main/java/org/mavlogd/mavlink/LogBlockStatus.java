package org.mavlogd.mavlink;

/**
 * REMOTE_LOG_BLOCK_STATUS: a receiver's acknowledgement or request of one block of an ArduPilot log. Two special
 * numbers start and stop the log.
 *
 * @param number of the block, unsigned 32 bit, or {@link #START} or {@link #STOP}
 * @param status {@link #ACK} or {@link #NACK}
 * @see <a href="https://mavlink.io/en/messages/ardupilotmega.html#REMOTE_LOG_BLOCK_STATUS">REMOTE_LOG_BLOCK_STATUS</a>
 */
public record LogBlockStatus(int targetSystem, int targetComponent, long number, int status) {
    /** MAV_REMOTE_LOG_DATA_BLOCK_NACK: the block is missing. */
    public static final int NACK = 0;

    /** MAV_REMOTE_LOG_DATA_BLOCK_ACK: the block has arrived. */
    public static final int ACK = 1;

    /** MAV_REMOTE_LOG_DATA_BLOCK_STOP, with {@link #ACK}. */
    public static final long STOP = 2_147_483_645L;

    /** MAV_REMOTE_LOG_DATA_BLOCK_START, with {@link #ACK}. */
    public static final long START = 2_147_483_646L;

    public static LogBlockStatus decode(FrameView frame) {
        return new LogBlockStatus(
                RemoteLogBlockStatusLayout.targetSystem(frame),
                RemoteLogBlockStatusLayout.targetComponent(frame),
                RemoteLogBlockStatusLayout.seqno(frame),
                RemoteLogBlockStatusLayout.status(frame));
    }

    /** Writes the payload and returns its length in bytes. */
    public int encodePayload(byte[] target) {
        return encode(target, targetSystem, targetComponent, number, status);
    }

    /** Writes the payload without creating an object and returns its length in bytes. Hot path. */
    public static int encode(byte[] target, int targetSystem, int targetComponent, long number, int status) {
        RemoteLogBlockStatusLayout.putSeqno(target, number);
        RemoteLogBlockStatusLayout.putTargetSystem(target, targetSystem);
        RemoteLogBlockStatusLayout.putTargetComponent(target, targetComponent);
        RemoteLogBlockStatusLayout.putStatus(target, status);
        return RemoteLogBlockStatusLayout.FULL_LENGTH;
    }
}
