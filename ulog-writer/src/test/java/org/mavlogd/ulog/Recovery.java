package org.mavlogd.ulog;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;

/** What comes back of a damaged log, measured against the whole one. */
final class Recovery {
    final int intact;
    final int recovered;
    final int typed;
    final int invented;
    final int altered;

    private Recovery(int intact, int recovered, int typed, int invented, int altered) {
        this.intact = intact;
        this.recovered = recovered;
        this.typed = typed;
        this.invented = invented;
        this.altered = altered;
    }

    double share() {
        return (double) recovered / intact;
    }

    static Recovery measure(byte[] log, Damage damage) throws IOException {
        BitSet starts = new BitSet();
        new MessageWalker(new Starts(starts)).feed(log, 0, log.length);
        int intact = 0;
        for (int i = 0; i + 3 < damage.bytes.length; i++) {
            if (damage.origins[i] >= 0 && starts.get(damage.origins[i])) {
                int length = 3 + Bytes.uint16(log, damage.origins[i]);
                if (i + length <= damage.bytes.length && damage.isUntouched(i, length)) {
                    intact++;
                }
            }
        }
        Counter counter = new Counter(damage, starts, log);
        ULogScanner scanner = new ULogScanner(counter);
        counter.scanner = scanner;
        scanner.feed(damage.bytes, 0, damage.bytes.length);
        scanner.finish();
        return new Recovery(intact, counter.recovered, counter.typed, counter.invented, counter.altered);
    }

    private static final class Starts implements MessageHandler {
        private final BitSet starts;
        private int position = ULogLayout.HEADER_LENGTH;

        Starts(BitSet starts) {
            this.starts = starts;
        }

        @Override
        public void onMessage(int type, byte[] buffer, int offset, int length) {
            if (type == MessageType.DATA) {
                starts.set(position);
            }
            position += length;
        }
    }

    private static final class Counter implements ScanHandler {
        private final Damage damage;
        private final BitSet starts;
        private final byte[] log;
        private @Nullable ULogScanner scanner;
        int recovered;
        int typed;
        int invented;
        int altered;

        Counter(Damage damage, BitSet starts, byte[] log) {
            this.damage = damage;
            this.starts = starts;
            this.log = log;
        }

        @Override
        public void onMessage(int type, byte[] buffer, int offset, int length) {
            if (type == MessageType.DATA) {
                count(buffer, offset, length, true);
            }
        }

        @Override
        public void onFlawed(Flaw flaw, int type, byte[] buffer, int offset, int length) {
            if (type == MessageType.DATA) {
                count(buffer, offset, length, false);
            }
        }

        private static boolean isSame(byte[] log, int origin, byte[] buffer, int offset, int length) {
            return Arrays.equals(log, origin, origin + length, buffer, offset, offset + length);
        }

        private void count(byte[] buffer, int offset, int length, boolean sound) {
            if (scanner == null) {
                throw new IllegalStateException();
            }
            int at = (int) scanner.messagePosition();
            if (damage.isUntouched(at, length) && starts.get(damage.origins[at])) {
                recovered++;
                typed += sound ? 1 : 0;
            } else if (sound) {
                boolean sameHead = damage.origins[at] >= 0
                        && starts.get(damage.origins[at])
                        && length == 3 + Bytes.uint16(log, damage.origins[at]);
                if (!sameHead) {
                    invented++;
                } else if (!isSame(log, damage.origins[at], buffer, offset, length)) {
                    altered++;
                }
            }
        }
    }
}
