package org.mavlogd.dataflash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real logs with many kinds of damage: intact records are found, and none is invented. */
class DamagePropertyTest {
    private static final int SEEDS = 15;
    private static final int PLACES = 6;
    private static final String LOG = "s3_reconnect.client4.mav.bin";

    private enum Damage {
        ZEROS,
        NOISE,
        REMOVED,
        REMOVED_BLOCKS,
        FLIPS
    }

    /** A damaged log, and the affected positions in the intact one. */
    private static final class Damaged {
        private final byte[] bytes;
        private final BitSet affected;

        Damaged(byte[] bytes, BitSet affected) {
            this.bytes = bytes;
            this.affected = affected;
        }
    }

    @ParameterizedTest
    @EnumSource(Damage.class)
    void intactRecordsAreFoundAndNoneIsMadeUp(Damage kind) throws IOException {
        byte[] whole = Captures.log(LOG);
        // The formats at the beginning stay intact; another test covers their loss.
        Definitions definitions = new Definitions();
        List<String> records = Decoded.of(whole, 4096, definitions, DataFlashDecoder.Units.DO_NOT_WAIT).records;
        for (long seed = 1; seed <= SEEDS; seed++) {
            Random random = new Random(seed);
            Damaged damaged = damage(whole, kind, random);

            int piece = 1 + random.nextInt(2000);
            Decoded decoded =
                    Decoded.of(damaged.bytes, piece, definitions.rewound(), DataFlashDecoder.Units.DO_NOT_WAIT);

            int intact = intact(records, damaged.affected);
            Map<String, Integer> left = multiset(records);
            int known = 0;
            for (String record : decoded.records) {
                known += left.merge(record, -1, Integer::sum) >= 0 ? 1 : 0;
            }
            assertThat(known)
                    .as("%s, seed %d: found of %d", kind, seed, intact)
                    .isGreaterThanOrEqualTo(intact - PLACES);
            int madeUp = decoded.records.size() - known;
            int allowed = kind == Damage.FLIPS ? 20 : 1;
            assertThat(madeUp).as("%s, seed %d: changed", kind, seed).isLessThanOrEqualTo(allowed);
        }
    }

    private static Map<String, Integer> multiset(List<String> records) {
        Map<String, Integer> counts = new HashMap<>();
        records.forEach(record -> counts.merge(record, 1, Integer::sum));
        return counts;
    }

    private static int intact(List<String> records, BitSet affected) {
        int intact = 0;
        int at = 0;
        for (String record : records) {
            int end = at + (record.length() - record.indexOf(' ') - 1) / 2;
            int next = affected.nextSetBit(at);
            intact += next < 0 || next >= end ? 1 : 0;
            at = end;
        }
        return intact;
    }

    private static Damaged damage(byte[] whole, Damage kind, Random random) {
        byte[] bytes = whole.clone();
        BitSet affected = new BitSet(whole.length);
        int places = kind == Damage.FLIPS ? 20 : PLACES;
        BitSet removed = new BitSet(whole.length);
        for (int i = 0; i < places; i++) {
            int length = kind == Damage.FLIPS ? 1 : kind == Damage.REMOVED_BLOCKS ? 200 : 1 + random.nextInt(3000);
            int from = random.nextInt(whole.length - length);
            from -= kind == Damage.REMOVED_BLOCKS ? from % 200 : 0;
            for (int at = from; at < from + length; at++) {
                affected.set(at);
                switch (kind) {
                    case ZEROS -> bytes[at] = 0;
                    case NOISE -> bytes[at] = (byte) random.nextInt(256);
                    case FLIPS -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                    default -> removed.set(at);
                }
            }
        }
        int kept = 0;
        for (int at = 0; at < bytes.length; at++) {
            if (!removed.get(at)) {
                bytes[kept++] = bytes[at];
            }
        }
        return new Damaged(Arrays.copyOf(bytes, kept), affected);
    }
}
