package org.mavlogd.mavlink;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Decoder, view and encoder allocate nothing for a frame. */
final class FrameAllocationTest {
    private static final int ROUNDS = 3000;

    /** The JVM itself allocates a little until it has compiled everything. */
    private static final int ATTEMPTS = 10;

    private final byte[] copy = new byte[FrameLayout.MAX_LENGTH];
    private final UnsafeBuffer ring = new UnsafeBuffer(new byte[512]);
    private final FrameCounters counters = FrameCounters.unregistered();
    private final FrameDecoder decoder = new FrameDecoder(this::use, counters);
    private final FrameEncoder encoder = new FrameEncoder(191);
    private long sum;

    @Test
    void framesOfAllKindsAllocateNothing() {
        byte[] bytes = everything();
        run(bytes, ROUNDS);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        threads.getThreadAllocatedBytes(self);
        long framesBefore = counters.frames().get();

        long allocated = Long.MAX_VALUE;
        for (int attempt = 0; attempt < ATTEMPTS && allocated != 0; attempt++) {
            long before = threads.getThreadAllocatedBytes(self);
            run(bytes, ROUNDS);
            allocated = threads.getThreadAllocatedBytes(self) - before;
        }

        assertThat(allocated).as("bytes in %d rounds", ROUNDS).isZero();
        assertThat(counters.frames().get() - framesBefore).isGreaterThan(20L * ROUNDS);
        assertThat(counters.cutSignatures().get()).isPositive();
        assertThat(counters.unknownMessages().get()).isPositive();
        assertThat(counters.refusedFlags().get()).isPositive();
        assertThat(sum).isNotZero();
    }

    private void run(byte[] bytes, int rounds) {
        for (int round = 0; round < rounds; round++) {
            decoder.decode(bytes, 0, bytes.length, round);
            decoder.reset();
            for (int at = 0; at < bytes.length; at += 100) {
                decoder.decode(bytes, at, Math.min(100, bytes.length - at), round);
            }
            decoder.reset();
            for (int at = 0; at < bytes.length; at += 267) {
                decoder.decodeDatagram(bytes, at, Math.min(267, bytes.length - at), round);
            }
            decoder.reset();
        }
    }

    private void use(FrameView frame, long nowNs) {
        sum += frame.uint8(4) + frame.uint16(0) + frame.uint32(1) + frame.int64(250) + nowNs + frame.systemId();
        sum += (long) frame.float32(8);
        frame.copyPayload(6, ring, 0, 249);
        frame.copyPayload(6, copy, 0, 249);
        frame.copyFrame(copy, 0);
        encoder.encode(1, MessageIds.LOGGING_ACK, copy, 4, copy, 4);
        sum += HeartbeatLayout.customMode(frame) + (long) CommandLongLayout.param7(frame) + TimesyncLayout.tc1(frame);
        TimesyncLayout.putTs1(copy, TimesyncLayout.ts1(frame));
        LoggingAckLayout.putSequence(copy, LoggingAckLayout.sequence(frame));
        LogBlockStatus.encode(copy, 1, 1, sum & 0xFFFF, LogBlockStatus.ACK);
    }

    private static byte[] everything() {
        byte[] noise = new byte[100];
        new Random(1).nextBytes(noise);
        byte[] damaged = FrameBytes.logChunk(3).bytes();
        damaged[50]++;
        return FrameBytes.join(
                FrameBytes.heartbeat(1),
                FrameBytes.logChunk(2).bytes(),
                damaged,
                FrameBytes.logChunk(4).signed().bytes(),
                FrameBytes.v2(FrameBytes.UNKNOWN_ID).payload(new byte[30]).bytes(),
                FrameBytes.heartbeat(5),
                noise,
                FrameBytes.v1(MessageIds.HEARTBEAT).payload(new byte[9]).bytes(),
                FrameBytes.v2(MessageIds.HEARTBEAT)
                        .flags(4)
                        .payload(new byte[9])
                        .bytes(),
                FrameBytes.cut(FrameBytes.logChunk(6).signed().bytes(), 267),
                FrameBytes.logChunk(7).bytes(),
                FrameBytes.heartbeat(8));
    }
}
