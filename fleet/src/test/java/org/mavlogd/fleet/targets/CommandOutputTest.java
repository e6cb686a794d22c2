package org.mavlogd.fleet.targets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The output of commands is read in parts, and only its end is kept. */
class CommandOutputTest {
    /** A program that writes faster than it is read. */
    private static final class Endless extends InputStream {
        @Override
        public int read() {
            return 'y';
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            Arrays.fill(target, offset, offset + length, (byte) 'y');
            return length;
        }

        @Override
        public int available() {
            return 1 << 16;
        }
    }

    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void endlessOutputIsReadInParts() throws IOException {
        CommandTarget.Tail tail = new CommandTarget.Tail(new Endless());

        tail.drain();
        tail.drain();

        assertThat(tail.text()).hasSizeBetween(300, 310).startsWith("yyyy");
    }
}
