package org.mavlogd.simulate.px4;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.mavlogd.mavlink.CommandLong;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.LogChunkLayout;
import org.mavlogd.mavlink.LoggingAck;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.simulate.LossyChannel;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.simulate.LossySettings.Medium;

class Px4AllocationTest {
    private static final long MS = 1_000_000;

    private final byte[] payload = new byte[255];
    private final byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
    private long bytes;

    @Test
    void steadyStreamAllocatesNothingPerFrame() {
        // The header alone is one acked chunk.
        TestLog source = TestLog.startedAt(1);
        for (int i = 0; i < 1000; i++) {
            source.sample(0, 1000L * i, 60);
        }
        LossyChannel channel = new LossyChannel(
                LossySettings.perfect(Medium.DATAGRAMS, 1).withLoss(1, 2).withReordering(1),
                (sent, offset, length) -> bytes += length);
        long[] nowNs = {0};
        Px4Vehicle vehicle = new Px4Vehicle(
                Px4Settings.builder()
                        .rateBytesPerSecond(20_000_000)
                        .loops(true)
                        .telemetryHz(0)
                        .build(),
                source.image(),
                (sent, offset, length) -> channel.send(sent, offset, length, nowNs[0]),
                StreamObserver.NONE,
                0);
        start(vehicle);
        FrameDecoder decoder = new FrameDecoder(vehicle::onFrame, FrameCounters.unregistered());
        ack(decoder, 0);
        run(vehicle, nowNs, 1000);
        long framesBefore = vehicle.counters().frames();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(thread);

        run(vehicle, nowNs, 1000);

        long allocated = threads.getThreadAllocatedBytes(thread) - before;
        long frames = vehicle.counters().frames() - framesBefore;
        assertThat(frames).isBetween(75_000L, 85_000L);
        // One heartbeat goes through the general codec.
        assertThat(allocated).isLessThan(20_000);
        assertThat(bytes).isPositive();
    }

    private void start(Px4Vehicle vehicle) {
        int length = new CommandLong(CommandLong.LOGGING_START, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0).encodePayload(payload);
        int frameLength = new FrameEncoder(191).encode(1, MessageIds.COMMAND_LONG, payload, length, frame, 0);
        new FrameDecoder(vehicle::onFrame, FrameCounters.unregistered()).decodeDatagram(frame, 0, frameLength, 0);
    }

    private void ack(FrameDecoder decoder, int sequence) {
        int length = new LoggingAck(1, 1, sequence).encodePayload(payload);
        int frameLength = new FrameEncoder(191).encode(1, LogChunkLayout.LOGGING_ACK, payload, length, frame, 0);
        decoder.decodeDatagram(frame, 0, frameLength, 0);
    }

    private static void run(Px4Vehicle vehicle, long[] nowNs, int milliseconds) {
        for (int i = 0; i < milliseconds; i++) {
            nowNs[0] += MS;
            vehicle.onTick(nowNs[0]);
        }
    }
}
