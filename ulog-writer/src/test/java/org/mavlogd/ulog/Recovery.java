package org.mavlogd.ulog;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;

/** The recovery of a damaged log, compared with the intact one. */
final class Recovery {
    final int intact;
    final int recovered;
    final int typed;
    final int invented;
    final int altered;

    /**
     * Samples that were altered because a removed part joined two messages without a gap; the structure does not show
     * it.
     */
    final int joined;

    /** Messages of an unknown topic that the original does not contain. */
    final int stray;

    private Recovery(int intact, Counter counter) {
        this.intact = intact;
        this.recovered = counter.recovered;
        this.typed = counter.typed;
        this.invented = counter.invented;
        this.altered = counter.altered;
        this.joined = counter.joined;
        this.stray = counter.stray;
    }

    double share() {
        return (double) recovered / intact;
    }

    @Override
    public String toString() {
        return recovered + " of " + intact + " (" + typed + " with a known topic), invented " + invented + ", altered "
                + altered + ", joined " + joined + ", stray " + stray;
    }

    static Recovery measure(byte[] log, Damage damage) throws IOException {
        BitSet all = new BitSet();
        BitSet starts = new BitSet();
        new MessageWalker(new Starts(all, starts)).feed(log, 0, log.length);
        int intact = 0;
        for (int i = 0; i + 3 < damage.bytes.length; i++) {
            if (damage.origins[i] >= 0 && starts.get(damage.origins[i])) {
                int length = 3 + Bytes.uint16(log, damage.origins[i]);
                if (i + length <= damage.bytes.length && damage.isUntouched(i, length)) {
                    intact++;
                }
            }
        }
        Counter counter = new Counter(damage, all, starts, log);
        ULogScanner scanner = new ULogScanner(counter);
        counter.scanner = scanner;
        scanner.feed(damage.bytes, 0, damage.bytes.length);
        scanner.finish();
        return new Recovery(intact, counter);
    }

    private static final class Starts implements MessageHandler {
        private final BitSet all;
        private final BitSet starts;
        private int position = ULogLayout.HEADER_LENGTH;

        Starts(BitSet all, BitSet starts) {
            this.all = all;
            this.starts = starts;
        }

        @Override
        public void onMessage(int type, byte[] buffer, int offset, int length) {
            all.set(position);
            if (type == MessageType.DATA) {
                starts.set(position);
            }
            position += length;
        }
    }

    private static final class Counter implements ScanHandler {
        private final Damage damage;
        private final BitSet all;
        private final BitSet starts;
        private final byte[] log;
        private @Nullable ULogScanner scanner;
        int recovered;
        int typed;
        int invented;
        int altered;
        int joined;
        int stray;

        Counter(Damage damage, BitSet all, BitSet starts, byte[] log) {
            this.damage = damage;
            this.all = all;
            this.starts = starts;
            this.log = log;
        }

        @Override
        public void onMessage(int type, byte[] buffer, int offset, int length) {
            if (type == MessageType.DATA) {
                count(buffer, offset, length, true);
            } else if (!isOriginal(length)) {
                invented++;
            }
        }

        private boolean isOriginal(int length) {
            int origin = damage.origins[(int) position()];
            return origin >= 0
                    && all.get(origin)
                    && length == ULogLayout.MESSAGE_HEADER_LENGTH + Bytes.uint16(log, origin);
        }

        /** Whether a message follows immediately, so that there is no gap. */
        private boolean endsAtAMessage(int end) {
            return end == damage.origins.length || (damage.origins[end] >= 0 && all.get(damage.origins[end]));
        }

        private long position() {
            return Objects.requireNonNull(scanner).messagePosition();
        }

        @Override
        public void onFlawed(Flaw flaw, long position, int type, byte[] buffer, int offset, int length) {
            if (type == MessageType.DATA) {
                count(buffer, offset, length, false);
            }
        }

        private static boolean isSame(byte[] log, int origin, byte[] buffer, int offset, int length) {
            return Arrays.equals(log, origin, origin + length, buffer, offset, offset + length);
        }

        private void count(byte[] buffer, int offset, int length, boolean sound) {
            int at = (int) position();
            if (damage.isUntouched(at, length) && starts.get(damage.origins[at])) {
                recovered++;
                typed += sound ? 1 : 0;
            } else if (!sound) {
                stray++;
            } else {
                if (!isOriginal(length)) {
                    invented++;
                } else if (!isSame(log, damage.origins[at], buffer, offset, length)) {
                    if (endsAtAMessage(at + length)) {
                        joined++;
                    } else {
                        altered++;
                    }
                }
            }
        }
    }
}
