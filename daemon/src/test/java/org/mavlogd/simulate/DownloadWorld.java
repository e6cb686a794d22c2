package org.mavlogd.simulate;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.fetch.FetchClient;
import org.mavlogd.fetch.FetchSession;
import org.mavlogd.fetch.FetchTarget;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.FtpLayout;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.mavlink.SystemTimeLayout;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.simulate.LossySettings.Medium;

/** A session and a vehicle's log servers with a bad link between them, in virtual time. */
final class DownloadWorld {
    static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long STEP_NS = 2_000_000;
    private static final long TICK_NS = 20_000_000;
    private static final int SYSTEM = 3;

    private final int autopilot;
    private final long rate;
    private final LossyChannel toVehicle;
    private final LossyChannel toClient;
    private final FrameEncoder autopilotEncoder = new FrameEncoder(1);
    private final FrameEncoder ourEncoder = new FrameEncoder(191);
    private final byte[] payload = new byte[255];
    private final byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
    private final byte[] answer = new byte[FrameEncoder.MAX_FRAME_LENGTH];
    private LogDownloads vehicle;
    private @Nullable FetchSession session;
    private @Nullable FetchSession other;
    private long nowNs = 1_000_000_000_000L;
    private long bootNs = nowNs - 60 * SECOND_NS;
    private long heartbeatNs = nowNs;
    private long tickNs = nowNs;
    private long sent;
    private boolean armed;
    private boolean hasFiles = true;
    private List<LogCard.StoredLog> grown = List.of();

    DownloadWorld(int autopilot, List<LogCard.StoredLog> logs, LossySettings link, long rate) {
        this.autopilot = autopilot;
        this.rate = rate;
        FrameDecoder atVehicle = new FrameDecoder(
                (received, now) -> {
                    grow(received);
                    if (hasFiles || received.messageId() != MessageIds.FILE_TRANSFER_PROTOCOL) {
                        vehicle.onFrame(received, now);
                    }
                },
                FrameCounters.unregistered());
        FrameDecoder atClient = new FrameDecoder(this::pass, FrameCounters.unregistered());
        toVehicle = new LossyChannel(
                link, (bytes, offset, length) -> atVehicle.decodeDatagram(bytes, offset, length, nowNs));
        toClient = new LossyChannel(
                link, (bytes, offset, length) -> atClient.decodeDatagram(bytes, offset, length, nowNs));
        vehicle = server(logs);
    }

    private void pass(FrameView received, long now) {
        session().onFrame(received, now);
        if (other != null) {
            other.onFrame(received, now);
        }
    }

    static LossySettings perfect(long seed) {
        return LossySettings.perfect(Medium.DATAGRAMS, seed).withDelayNs(1_000_000);
    }

    private LogDownloads server(List<LogCard.StoredLog> logs) {
        return new LogDownloads(new LogCard(autopilot, logs), SYSTEM, rate, this::answer, () -> armed, nowNs);
    }

    /** Reboots the vehicle, which then has these logs. */
    void reboot(List<LogCard.StoredLog> logs, long silenceNs) {
        vehicle = server(logs);
        vehicle.reboot(nowNs + silenceNs);
        bootNs = nowNs + silenceNs;
    }

    /** The vehicle continues to log: its logs become these when it is asked for a checksum. */
    void growingTo(List<LogCard.StoredLog> logs) {
        grown = logs;
    }

    private void grow(FrameView request) {
        boolean isSum = request.messageId() == MessageIds.FILE_TRANSFER_PROTOCOL
                && request.uint8(FtpLayout.OPCODE) == FtpLayout.CALC_FILE_CRC32;
        if (isSum && !grown.isEmpty()) {
            vehicle = server(grown);
            grown = List.of();
        }
    }

    /** Switches the vehicle's file server off. */
    void withoutFiles() {
        hasFiles = false;
    }

    void armed(boolean isArmed) {
        armed = isArmed;
    }

    void cut(boolean isCut) {
        toVehicle.cut(isCut);
        toClient.cut(isCut);
    }

    void begin(FetchSession.Wish wish, FetchClient client) {
        session = newSession(wish, client);
    }

    /** Begins another session at the same address, in another program; both get all that the vehicle sends. */
    void beginBeside(FetchSession.Wish wish, FetchClient client) {
        other = newSession(wish, client);
    }

    private FetchSession newSession(FetchSession.Wish wish, FetchClient client) {
        FetchTarget target = new FetchTarget(SYSTEM, 1, autopilot, 191);
        return new FetchSession(target, wish, this::send, client, MemoryShare.unlimited(), nowNs);
    }

    private void send(int messageId, byte[] content, int length) {
        sent++;
        toVehicle.send(frame, 0, ourEncoder.encode(SYSTEM, messageId, content, length, frame, 0), nowNs);
    }

    private FetchSession session() {
        return Objects.requireNonNull(session);
    }

    /** Number of messages that the session sent so far. */
    long sent() {
        return sent;
    }

    long nowNs() {
        return nowNs;
    }

    boolean isEnded() {
        return session().isEnded();
    }

    /** Runs until the session has ended or the time has passed. */
    void run(long durationNs) {
        long untilNs = nowNs + durationNs;
        while (nowNs < untilNs && !session().isEnded()) {
            step();
        }
    }

    void step() {
        nowNs += STEP_NS;
        toVehicle.onTick(nowNs);
        vehicle.onTick(nowNs);
        if (nowNs - bootNs >= 0 && nowNs - heartbeatNs >= SECOND_NS) {
            heartbeatNs = nowNs;
            heartbeat();
        }
        toClient.onTick(nowNs);
        if (nowNs - tickNs >= TICK_NS) {
            tickNs = nowNs;
            session().onTick(nowNs);
            if (other != null) {
                other.onTick(nowNs);
            }
        }
    }

    private void heartbeat() {
        Heartbeat heartbeat = new Heartbeat(10, autopilot, armed ? 128 : 0, 0, 3);
        say(MessageIds.HEARTBEAT, heartbeat.encodePayload(payload));
        Arrays.fill(payload, (byte) 0);
        SystemTimeLayout.putTimeBootMs(payload, (nowNs - bootNs) / 1_000_000);
        say(MessageIds.SYSTEM_TIME, 12);
    }

    private int answer(int messageId, byte[] content, int length) {
        int frameLength = autopilotEncoder.encode(SYSTEM, messageId, content, length, answer, 0);
        toClient.send(answer, 0, frameLength, nowNs);
        return frameLength;
    }

    private void say(int messageId, int length) {
        toClient.send(frame, 0, autopilotEncoder.encode(SYSTEM, messageId, payload, length, frame, 0), nowNs);
    }
}
