package org.mavlogd.store;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.LL_Result;

/** The recorder writes a file while the keeper forces it. */
public final class LogFileStressTest {
    private static final int LENGTH = 8;
    private static final StoreSettings SETTINGS =
            new StoreSettings(LENGTH, StoreSettings.Durability.ofMs(500), StoreSettings.RotationPolicy.NEVER);

    private static final long NOW_NS = 0;

    private LogFileStressTest() {}

    private static void write(LogFile file) {
        file.append(new UnsafeBuffer(new byte[LENGTH]), 0, LENGTH, 0);
        file.write();
    }

    /** Stores in plain fields what was written, like the operating system's cache. */
    private static final class Medium implements Disk.Output {
        private final boolean fails;
        private int written;
        private int forced = -1;

        Medium(boolean fails) {
            this.fails = fails;
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            fail("write");
            written += bytes.remaining();
        }

        @Override
        public void rewrite(long position, ByteBuffer bytes) {
            throw new AssertionError("nothing is corrected here");
        }

        @Override
        public void force() throws IOException {
            fail("force");
            forced = written;
        }

        private void fail(String what) throws IOException {
            if (fails) {
                throw new IOException(what + " failed");
            }
        }

        @Override
        public void close() {}
    }

    /** When the keeper forces the file, all bytes that it counts as written are there. */
    @JCStressTest
    @Outcome(
            id = {"0, -1", "0, 8", "8, 8"},
            expect = ACCEPTABLE,
            desc = "nothing to force yet, or all of it forced")
    @Outcome(expect = FORBIDDEN, desc = "known as written, and not forced")
    @State
    public static class Written {
        private final Medium medium = new Medium(false);
        private final LogFile file = new LogFile(
                LogFile.Start.empty("log", LogKind.ULG),
                medium,
                SETTINGS,
                new NextLook(SETTINGS.durability()),
                () -> {});

        @Actor
        public void recorder() {
            write(file);
        }

        @Actor
        public void keeper(II_Result result) {
            result.r1 = (int) file.writtenBytes();
            file.force(() -> NOW_NS);
            result.r2 = medium.forced;
        }
    }

    /** The keeper forces remaining data the next time. */
    @JCStressTest
    @Outcome(
            id = {"-1, 8", "8, 8"},
            expect = ACCEPTABLE,
            desc = "forced at last")
    @Outcome(expect = FORBIDDEN, desc = "written, and not forced by the force after it")
    @State
    public static class ForcedLater {
        private final Medium medium = new Medium(false);
        private final LogFile file = new LogFile(
                LogFile.Start.empty("log", LogKind.ULG),
                medium,
                SETTINGS,
                new NextLook(SETTINGS.durability()),
                () -> {});

        @Actor
        public void recorder() {
            write(file);
        }

        @Actor
        public void keeper(II_Result result) {
            file.force(() -> NOW_NS);
            result.r1 = medium.forced;
        }

        @Arbiter
        public void afterwards(II_Result result) {
            file.force(() -> NOW_NS);
            result.r2 = medium.forced;
        }
    }

    /**
     * A file that cannot be written reports it, and counts the bytes that it did not accept, at any timing of the
     * keeper.
     */
    @JCStressTest
    @Outcome(id = "write: write failed, 8", expect = ACCEPTABLE, desc = "the reason, and the bytes")
    @Outcome(expect = FORBIDDEN, desc = "no failure, or bytes that count as written")
    @State
    public static class Failed {
        private final LogFile file = new LogFile(
                LogFile.Start.empty("log", LogKind.ULG),
                new Medium(true),
                SETTINGS,
                new NextLook(SETTINGS.durability()),
                () -> {});

        @Actor
        public void recorder() {
            write(file);
        }

        @Actor
        public void keeper() {
            file.force(() -> NOW_NS);
        }

        @Arbiter
        public void end(LL_Result result) {
            result.r1 = file.failure();
            result.r2 = file.unwrittenBytes();
        }
    }
}
