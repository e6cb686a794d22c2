package org.mavlogd.whole;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.mavlink.CommandAck;
import org.mavlogd.mavlink.CommandLong;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.Peer;
import org.mavlogd.record.Recorder;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.NullDisk;
import org.mavlogd.store.StoreSettings;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.ULogException;
import org.mavlogd.vehicle.ConversationSettings;
import org.mavlogd.vehicle.LinkConversations;
import org.mavlogd.vehicle.VehicleClaims;

/**
 * Nothing is allocated from the bytes of a frame to the batch for the disk (decoder, conversation, ring, reordering,
 * messages, gaps, file), nor from a local sample to that batch. Only status snapshots are allocated, a few times a
 * second.
 */
class HotPathAllocationTest {
    private static final int CHUNK_LENGTH = 249;
    private static final int SEQUENCES = 1 << 16;
    private static final int ROUND_FRAMES = 20_000;
    private static final int WARM_UP_ROUNDS = 5;

    /** Attempts: the JVM itself allocates occasionally until it has compiled everything. */
    private static final int ATTEMPTS = 10;

    private static final int FRAMES_PER_CYCLE = 50;
    private static final int LOCAL_PER_CYCLE = 20;
    // One chunk in 97 is missing, one in 89 swaps places with the next, one in 101 needs an acknowledgement, one in 83
    // comes twice.
    private static final int LOST = 97;
    private static final int SWAPPED = 89;
    private static final int ACKED = 101;
    private static final int REPEATED = 83;
    private static final int SAMPLE_LENGTH = 83;

    private final FrameEncoder encoder = new FrameEncoder(1);
    private final byte[] payload = new byte[255];
    private final byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
    private final byte[] sample = new byte[SAMPLE_LENGTH];
    private final Metrics metrics = new Metrics();
    private final NullDisk disk = new NullDisk();
    private final Feed feed = new Feed("test", 1 << 20);
    private final CountingPeer peer = new CountingPeer();
    private final LinkConversations conversations;
    private final Recorder recorder;
    private final Keeper keeper;
    private final LocalFeed local = new LocalFeed("local", 1 << 18);
    private final LocalPublisher publisher = local.publisher();
    private final LocalSample localSample;
    private long nowNs = TimeUnit.SECONDS.toNanos(100);
    private long position;
    private int sequence;

    HotPathAllocationTest() throws ULogException {
        localSample = publisher.declare(
                TopicFormat.parse("cpu:uint64_t timestamp;float load;int32_t n;"), Map.of("load", "%"));
        StoreSettings store = new StoreSettings(
                64 << 10,
                StoreSettings.Durability.ofMs(500),
                new StoreSettings.RotationPolicy(1L << 40, TimeUnit.DAYS.toNanos(1)));
        keeper = new Keeper(disk, () -> nowNs, (name, bytes) -> {});
        conversations = new LinkConversations(
                "test",
                new ConversationSettings(0, 191, ConversationSettings.Mode.ALWAYS, 0, TimeUnit.SECONDS.toNanos(5)),
                new VehicleClaims(),
                feed.publisher(),
                metrics);
        LogStore logs = new LogStore(disk, () -> 1_790_000_000_000L, store, keeper);
        recorder = new Recorder(
                () -> nowNs,
                () -> 1_790_000_000_000L,
                logs,
                metrics,
                new RecordSettings(
                        "test",
                        Map.of(),
                        new RecordSettings.Merge(1L << 40, "companion_", RecordSettings.Merge.NewTopics.NEXT_FILE),
                        RecordSettings.Standalone.OFF),
                new Recorder.Feeds(List.of(feed), List.of(local)));
    }

    @Test
    void framesAllocateNothing() {
        begin();
        for (int round = 0; round < WARM_UP_ROUNDS; round++) {
            stream();
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        threads.getThreadAllocatedBytes(self);
        long writtenBefore = disk.bytes();
        long sentBefore = peer.sent;

        long allocated = Long.MAX_VALUE;
        for (int attempt = 0; attempt < ATTEMPTS && allocated != 0; attempt++) {
            long before = threads.getThreadAllocatedBytes(self);
            stream();
            allocated = threads.getThreadAllocatedBytes(self) - before;
        }

        assertThat(allocated).as("bytes for %d frames", ROUND_FRAMES).isZero();
        assertThat(disk.bytes() - writtenBefore).isGreaterThan(ROUND_FRAMES * (long) CHUNK_LENGTH * 9 / 10);
        assertThat(peer.sent - sentBefore).isGreaterThanOrEqualTo(ROUND_FRAMES / ACKED);
        assertThat(metrics.scrape()).contains("mavlogd_record_dropouts_total{link=\"test\"}");
        assertThat(metrics.total("merge.stored.samples"))
                .isGreaterThanOrEqualTo((long) WARM_UP_ROUNDS * ROUND_FRAMES / FRAMES_PER_CYCLE * LOCAL_PER_CYCLE);
        assertThat(metrics.total("merge.lost.samples")).isZero();
    }

    /** A vehicle is heard and asked, and starts its log: header, flag bits, one topic. */
    private void begin() {
        conversations.onPeerUp(peer, nowNs);
        send(MessageIds.HEARTBEAT, new Heartbeat(2, Heartbeat.AUTOPILOT_PX4, 0, 0, 4).encodePayload(payload));
        conversations.onTick(nowNs);
        ByteBuffer ack = ByteBuffer.wrap(payload).order(java.nio.ByteOrder.LITTLE_ENDIAN);
        ack.putShort((short) CommandLong.LOGGING_START)
                .put((byte) CommandAck.ACCEPTED)
                .put(new byte[7]);
        payload[8] = 1;
        payload[9] = (byte) 191;
        send(MessageIds.COMMAND_ACK, 10);
        byte[] head = head();
        System.arraycopy(head, 0, payload, 6, head.length);
        sendChunk(sequence, head.length, 0, true);
        sequence++;
        recorder.doWork();
        assertThat(conversations.isAtRest()).isFalse();
    }

    private static byte[] head() {
        byte[] format = "x:uint64_t timestamp;uint8_t[70] v;".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        ByteBuffer head = ByteBuffer.allocate(200).order(java.nio.ByteOrder.LITTLE_ENDIAN);
        head.put(new byte[] {0x55, 0x4C, 0x6F, 0x67, 0x01, 0x12, 0x35, 1}).putLong(1);
        head.putShort((short) 40).put((byte) 'B').put(new byte[40]);
        head.putShort((short) format.length).put((byte) 'F').put(format);
        head.putShort((short) 4)
                .put((byte) 'A')
                .put((byte) 0)
                .putShort((short) 0)
                .put((byte) 'x');
        byte[] bytes = new byte[head.position()];
        head.flip().get(bytes);
        return bytes;
    }

    private void stream() {
        for (int i = 0; i < ROUND_FRAMES; i++) {
            int number = i % SWAPPED == 0 ? i + 1 : i % SWAPPED == 1 ? i - 1 : i;
            if (i % LOST != 0) {
                chunk(number, i % ACKED == 0);
            }
            if (i % REPEATED == 0) {
                chunk(number, true);
            }
            if (i % FRAMES_PER_CYCLE == 0) {
                for (int n = 0; n < LOCAL_PER_CYCLE; n++) {
                    localSample.begin(n % 4, nowNs).float32(0.5f).integer(i).publish();
                }
                recorder.doWork();
                keeper.doWork();
            }
            // All within one snapshot interval: snapshots are not made for each frame.
            nowNs += 10;
        }
        sequence = (sequence + ROUND_FRAMES) % SEQUENCES;
        position += (long) ROUND_FRAMES * CHUNK_LENGTH;
    }

    /** Sends the chunk's piece of an endless sequence of samples. */
    private void chunk(int number, boolean acked) {
        long begin = position + (long) number * CHUNK_LENGTH;
        int first = (int) ((SAMPLE_LENGTH - begin % SAMPLE_LENGTH) % SAMPLE_LENGTH);
        for (int i = 0; i < CHUNK_LENGTH; i++) {
            payload[6 + i] = sampleByte(begin + i);
        }
        sendChunk((sequence + number) % SEQUENCES, CHUNK_LENGTH, first, acked);
    }

    private byte sampleByte(long at) {
        int index = (int) (at % SAMPLE_LENGTH);
        sample[0] = SAMPLE_LENGTH - 3;
        sample[2] = 'D';
        long timestampUs = at / SAMPLE_LENGTH * 1000;
        boolean inTime = index >= 5 && index < 13;
        return inTime ? (byte) (timestampUs >>> (8 * (index - 5))) : sample[index];
    }

    private void sendChunk(int number, int length, int first, boolean acked) {
        payload[0] = (byte) number;
        payload[1] = (byte) (number >>> 8);
        payload[2] = 1;
        payload[3] = (byte) 191;
        payload[4] = (byte) length;
        payload[5] = (byte) first;
        send(acked ? MessageIds.LOGGING_DATA_ACKED : MessageIds.LOGGING_DATA, 6 + length);
    }

    private void send(int messageId, int payloadLength) {
        int length = encoder.encode(1, messageId, payload, payloadLength, frame, 0);
        conversations.onBytes(peer, frame, 0, length, nowNs);
    }

    private static final class CountingPeer implements Peer {
        private long sent;

        @Override
        public String address() {
            return "test";
        }

        @Override
        public boolean isDatagram() {
            return true;
        }

        @Override
        public void send(byte[] buffer, int offset, int length) {
            sent++;
        }
    }
}
