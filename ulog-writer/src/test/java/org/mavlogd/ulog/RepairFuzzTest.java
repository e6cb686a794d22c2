package org.mavlogd.ulog;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** For any log, repair invents no messages, and its result has no damage. */
class RepairFuzzTest {
    static Stream<byte[]> seeds() {
        return TestLogs.seeds();
    }

    /** Checks that every message is unchanged and at its place in the log, and that positions only rise. */
    private static final class Original implements ScanHandler {
        private final byte[] log;
        private final ULogScanner scanner = new ULogScanner(this);
        private boolean hasUnknownTypes;
        private long next;

        Original(byte[] log) {
            this.log = log;
        }

        @Override
        public void onMessage(int type, byte[] buffer, int offset, int length) {
            long position = scanner.messagePosition();
            if (position < next || position + length > log.length) {
                throw new AssertionError("message at " + position + ", the one before ends at " + next);
            }
            for (int i = 0; i < length; i++) {
                if (log[(int) position + i] != buffer[offset + i]) {
                    throw new AssertionError("made up at " + position);
                }
            }
            next = position + length;
        }

        @Override
        public void onFlawed(Flaw flaw, long position, int type, byte[] buffer, int offset, int length) {
            hasUnknownTypes |= flaw == Flaw.UNKNOWN_TYPE;
            if (position != scanner.messagePosition()) {
                throw new AssertionError("flawed message at " + scanner.messagePosition() + " is told at " + position);
            }
            onMessage(type, buffer, offset, length);
        }

        @Override
        public void onDamage(long position, long length) {
            if (position < next || length <= 0 || position + length > log.length) {
                throw new AssertionError("damage at " + position + ", length " + length);
            }
            next = position + length;
        }
    }

    @MethodSource("seeds")
    @FuzzTest
    void repairsWithoutInventing(byte[] log) throws IOException {
        MemorySink once = new MemorySink();
        MemorySink twice = new MemorySink();
        Original original = new Original(log);
        try {
            original.scanner.feed(log, 0, log.length);
            original.scanner.finish();
            repair(log, once);
        } catch (ULogException refused) {
            assertThat(refused.getMessage()).isNotEmpty();
            return;
        }

        RepairResult second = repair(once.toByteArray(), twice);

        // A message of an unknown type may contain bytes that look like messages. It is judged by its neighbours, which
        // are others now.
        if (original.hasUnknownTypes) {
            return;
        }
        assertThat(second.isWhole()).as("%s", second).isTrue();
        assertThat(twice.toByteArray()).isEqualTo(once.toByteArray());
    }

    private static RepairResult repair(byte[] log, MemorySink sink) throws IOException {
        ULogRepair repair = new ULogRepair(sink, ULogRepair.Orphans.DROP);
        repair.feed(log, 0, log.length);
        return repair.finish();
    }
}
