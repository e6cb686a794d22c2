package org.mavlogd.whole;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.mavlink.CommandAck;
import org.mavlogd.mavlink.CommandLong;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.LogBlockLayout;
import org.mavlogd.mavlink.LogChunkLayout;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.Peer;
import org.mavlogd.record.Recorder;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.record.telemetry.TelemetryLogs;
import org.mavlogd.store.FileDisk;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.StoreSettings;
import org.mavlogd.vehicle.ConversationSettings;
import org.mavlogd.vehicle.LinkConversations;
import org.mavlogd.vehicle.VehicleClaims;

/**
 * Sends frames of many vehicles from several far ends through the whole recorder, in one thread; logs are on a real
 * disk, not in the heap.
 */
final class ForgedFleet implements AutoCloseable {
    static final int FIRST_FORGED = 101;

    private static final int OWN_COMPONENT = 191;
    private static final int FAR_ENDS = 6;
    // The number of vehicles that a far end may add without waiting.
    private static final int VEHICLES_AT_ONCE = 8;
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long BEGIN_DISTANCE_NS = TimeUnit.MILLISECONDS.toNanos(60);
    private static final int FRAMES_PER_STEP = 32;
    private static final long EPOCH_MS = 1_790_000_000_000L;

    private final Path directory;
    private final Metrics metrics = new Metrics();
    private final FrameEncoder autopilot = new FrameEncoder(1);
    private final FrameEncoder log = new FrameEncoder(155);
    private final byte[] payload = new byte[255];
    private final byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
    private final LinkConversations conversations;
    private final Recorder recorder;
    private final Keeper keeper;
    private final Peer[] peers = new Peer[FAR_ENDS];
    private final Map<Integer, Integer> heard = new HashMap<>();
    private long nowNs = TimeUnit.SECONDS.toNanos(100);
    private long tickedNs = nowNs;
    private int frames;

    ForgedFleet(
            Path directory,
            MemoryBudget memory,
            StoreSettings.RotationPolicy rotation,
            RecordSettings.BlockFiles blocks) {
        this.directory = directory;
        FileDisk disk = new FileDisk(directory);
        StoreSettings store = new StoreSettings(64 << 10, StoreSettings.Durability.ofMs(500), rotation);
        keeper = new Keeper(disk, () -> nowNs, (name, bytes) -> {});
        Feed feed = new Feed("test", 1 << 22);
        conversations = new LinkConversations(
                "test",
                new ConversationSettings(
                        0, OWN_COMPONENT, ConversationSettings.Mode.ALWAYS, 0, TimeUnit.SECONDS.toNanos(60)),
                new VehicleClaims(memory),
                feed.publisher(),
                metrics);
        recorder = new Recorder(
                () -> nowNs,
                () -> EPOCH_MS + nowNs / STEP_NS,
                new LogStore(disk, () -> EPOCH_MS + nowNs / STEP_NS, store, keeper),
                metrics,
                new RecordSettings(
                        "test",
                        Map.of(),
                        RecordSettings.Merge.DEFAULT,
                        RecordSettings.Standalone.OFF,
                        blocks,
                        TelemetryLogs.Limits.DEFAULT,
                        Map.of(),
                        memory),
                new Recorder.Feeds(List.of(feed), List.<LocalFeed>of()));
        for (int i = 0; i < peers.length; i++) {
            peers[i] = new SilentPeer("far end " + i);
            conversations.onPeerUp(peers[i], nowNs);
        }
    }

    private record SilentPeer(String address) implements Peer {
        @Override
        public boolean isDatagram() {
            return true;
        }

        @Override
        public void send(byte[] buffer, int offset, int length) {
            // no far end is listening
        }
    }

    /**
     * Makes a vehicle heard, which answers START if asked; vehicles below {@link #FIRST_FORGED} have their own far end.
     */
    void appear(int systemId, int autopilotType) {
        heard.put(systemId, autopilotType);
        heartbeat(systemId);
        advance(TICK_NS);
        if (autopilotType == Heartbeat.AUTOPILOT_PX4) {
            Arrays.fill(payload, (byte) 0);
            ByteBuffer ack = ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
            ack.putShort((short) CommandLong.LOGGING_START).put((byte) CommandAck.ACCEPTED);
            payload[8] = (byte) systemId;
            payload[9] = (byte) OWN_COMPONENT;
            send(autopilot, systemId, MessageIds.COMMAND_ACK, 10);
        }
    }

    private void heartbeat(int systemId) {
        int length = new Heartbeat(2, heard.getOrDefault(systemId, 0), 128, 0, 4).encodePayload(payload);
        send(autopilot, systemId, MessageIds.HEARTBEAT, length);
    }

    /** Sends one block of a DataFlash log, the first one when a stranger may begin. */
    void block(int systemId, int number, byte[] data, int offset) {
        awaitTurn(number);
        ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN).putInt(LogBlockLayout.NUMBER_OFFSET, number);
        payload[LogBlockLayout.TARGET_SYSTEM] = (byte) systemId;
        payload[LogBlockLayout.TARGET_COMPONENT] = (byte) OWN_COMPONENT;
        System.arraycopy(data, offset, payload, LogBlockLayout.DATA_OFFSET, LogBlockLayout.DATA_LENGTH);
        send(log, systemId, MessageIds.REMOTE_LOG_DATA_BLOCK, LogBlockLayout.BLOCK_LENGTH);
    }

    /** Logs of strangers begin one after the other. */
    private void awaitTurn(int number) {
        if (number == 0) {
            advance(BEGIN_DISTANCE_NS);
        }
    }

    /** Sends one chunk of a ULog, the first one when a stranger may begin. */
    void chunk(int systemId, int sequence, byte[] data, int offset, int length, int firstMessage) {
        awaitTurn(sequence);
        ByteBuffer out = ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
        out.putShort((short) sequence).put((byte) systemId).put((byte) OWN_COMPONENT);
        out.put((byte) length).put((byte) firstMessage).put(data, offset, length);
        send(autopilot, systemId, MessageIds.LOGGING_DATA, LogChunkLayout.DATA_OFFSET + length);
    }

    private void send(FrameEncoder encoder, int systemId, int messageId, int length) {
        int count = encoder.encode(systemId, messageId, payload, length, frame, 0);
        int farEnd = systemId < FIRST_FORGED ? 0 : 1 + (systemId - FIRST_FORGED) / VEHICLES_AT_ONCE;
        conversations.onBytes(peers[farEnd], frame, 0, count, nowNs);
        if (++frames % FRAMES_PER_STEP == 0) {
            advance(STEP_NS);
        }
    }

    /** Lets time pass; every thread's work gets its turn. */
    void advance(long ns) {
        long untilNs = nowNs + ns;
        while (nowNs - untilNs < 0) {
            nowNs = Math.min(untilNs, nowNs + TICK_NS);
            if (nowNs - tickedNs >= TICK_NS) {
                tickedNs = nowNs;
                conversations.onTick(nowNs);
            }
            recorder.doWork();
            keeper.doWork();
        }
    }

    List<RecordingStatus> recordings() {
        advance(TimeUnit.MILLISECONDS.toNanos(500));
        return recorder.statuses();
    }

    double lostInRing() {
        return metrics.total("record.lost.chunks");
    }

    @Override
    public void close() {
        recorder.onClose();
        keeper.onClose();
    }

    /** The finished files of a vehicle, in the order in which they started. */
    List<byte[]> files(int systemId, String suffix) {
        String system = String.format("_sys%03d_", systemId);
        try (Stream<Path> all = Files.list(directory)) {
            List<byte[]> files = new ArrayList<>();
            for (Path file : all.filter(path ->
                            path.toString().contains(system) && path.toString().endsWith(suffix))
                    .sorted()
                    .toList()) {
                files.add(Files.readAllBytes(file));
            }
            return files;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
