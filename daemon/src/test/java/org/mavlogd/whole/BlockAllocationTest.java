package org.mavlogd.whole;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.BlockView;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.StrictFeedHandler;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.LogBlockLayout;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.Peer;
import org.mavlogd.vehicle.ConversationSettings;
import org.mavlogd.vehicle.LinkConversations;
import org.mavlogd.vehicle.VehicleClaims;

/** From the bytes of a block's frame to the ring, with its ACK and a NACK for a missing block, nothing is allocated. */
class BlockAllocationTest {
    private static final int ROUND_BLOCKS = 20_000;
    private static final int WARM_UP_ROUNDS = 5;
    private static final int ATTEMPTS = 10;
    private static final int LOST = 97;

    private final Feed feed = new Feed("test", 1 << 20);
    private final List<String> begun = new ArrayList<>();
    private final Feed.Consumer consumer = feed.consumer(new BlockCounter());
    private final LinkConversations conversations = new LinkConversations(
            "test",
            new ConversationSettings(0, 191, ConversationSettings.Mode.ALWAYS, 0, TimeUnit.SECONDS.toNanos(5)),
            new VehicleClaims(),
            feed.publisher(),
            new Metrics());
    private final FrameEncoder autopilot = new FrameEncoder(1);
    private final FrameEncoder log = new FrameEncoder(155);
    private final byte[] payload = new byte[255];
    private final byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
    private final UnsafeBuffer view = new UnsafeBuffer(payload);
    private long nowNs = TimeUnit.SECONDS.toNanos(100);
    private long sent;
    private long blocks;
    private int number;

    private final Peer peer = new Peer() {
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
    };

    @Test
    void blocksAllocateNothing() {
        conversations.onPeerUp(peer, nowNs);
        int length = new Heartbeat(10, Heartbeat.AUTOPILOT_ARDUPILOT, 0, 0, 4).encodePayload(payload);
        send(autopilot, MessageIds.HEARTBEAT, length);
        conversations.onTick(nowNs);
        for (int round = 0; round < WARM_UP_ROUNDS; round++) {
            stream();
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        threads.getThreadAllocatedBytes(self);
        long blocksBefore = blocks;
        long sentBefore = sent;

        long allocated = Long.MAX_VALUE;
        for (int attempt = 0; attempt < ATTEMPTS && allocated != 0; attempt++) {
            long before = threads.getThreadAllocatedBytes(self);
            stream();
            allocated = threads.getThreadAllocatedBytes(self) - before;
        }

        assertThat(allocated).as("bytes for %d blocks", ROUND_BLOCKS).isZero();
        assertThat(blocks - blocksBefore).isGreaterThan(ROUND_BLOCKS * 9L / 10);
        assertThat(sent - sentBefore).isGreaterThan(blocks - blocksBefore);
    }

    private void stream() {
        for (int i = 0; i < ROUND_BLOCKS; i++, number++) {
            nowNs += TimeUnit.MICROSECONDS.toNanos(500);
            if (number % LOST != 1) {
                view.putInt(LogBlockLayout.NUMBER_OFFSET, number);
                payload[LogBlockLayout.TARGET_SYSTEM] = 1;
                payload[LogBlockLayout.TARGET_COMPONENT] = (byte) 191;
                view.setMemory(LogBlockLayout.DATA_OFFSET, LogBlockLayout.DATA_LENGTH, (byte) (1 + number % 7));
                send(log, MessageIds.REMOTE_LOG_DATA_BLOCK, LogBlockLayout.BLOCK_LENGTH);
            }
            if (number % 64 == 0) {
                consumer.drain(1000);
            }
        }
    }

    private void send(FrameEncoder encoder, int messageId, int length) {
        int frameLength = encoder.encode(1, messageId, payload, length, frame, 0);
        conversations.onBytes(peer, frame, 0, frameLength, nowNs);
    }

    private final class BlockCounter implements StrictFeedHandler {
        @Override
        public void onBlock(int session, BlockView block) {
            blocks++;
        }

        @Override
        public void onBlocksBegin(int session, int systemId, int componentId, long beginNs) {
            begun.add("log " + session);
        }
    }
}
