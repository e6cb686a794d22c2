package org.mavlogd.signing;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.metrics.Metrics;

/** Signing a frame and verifying it, whether it is valid, old or wrong, allocates nothing. */
class SignatureAllocationTest {
    private static final int ROUNDS = 20_000;
    private static final int ATTEMPTS = 10;

    private final byte[] payload = new byte[255];
    private final byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
    private long good;
    private long bad;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void framesAllocateNothing() {
        Signing ours = signing("ours");
        Signing theirs = signing("theirs");
        FrameEncoder encoder =
                new FrameEncoder(1, ours.forLink(0, "a", new Metrics()).seal());
        Signing.FrameGate gate = theirs.forLink(0, "b", new Metrics()).gate();
        FrameDecoder decoder = new FrameDecoder(
                (view, now) -> {
                    if (gate.judge(view, now) == Proof.SIGNED) {
                        good++;
                    } else {
                        bad++;
                    }
                },
                FrameCounters.unregistered());
        payload[254] = 1;
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        threads.getThreadAllocatedBytes(self);

        long allocated = Long.MAX_VALUE;
        for (int attempt = 0; attempt < ATTEMPTS && allocated != 0; attempt++) {
            long before = threads.getThreadAllocatedBytes(self);
            run(encoder, decoder);
            allocated = threads.getThreadAllocatedBytes(self) - before;
        }

        assertThat(allocated).as("bytes for %d frames", 3 * ROUNDS).isZero();
        assertThat(good).isGreaterThanOrEqualTo(ROUNDS);
        assertThat(bad).isEqualTo(2 * good);
    }

    private Signing signing(String name) {
        Signing signing = new Signing(
                SignedFrames.key(9), Signing.Policy.SIGNED_ONLY, directory.resolve(name), () -> 1_800_000_000_000L);
        signing.agent().doWork();
        return signing;
    }

    private void run(FrameEncoder encoder, FrameDecoder decoder) {
        for (int i = 0; i < ROUNDS; i++) {
            int length = encoder.encode(1, MessageIds.LOGGING_DATA, payload, 255, frame, 0);
            decoder.decodeDatagram(frame, 0, length, i);
            decoder.decodeDatagram(frame, 0, length, i);
            frame[length - 1]++;
            decoder.decodeDatagram(frame, 0, length, i);
        }
    }
}
