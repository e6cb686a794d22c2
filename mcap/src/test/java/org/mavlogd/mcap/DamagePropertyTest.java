package org.mavlogd.mcap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every damage is reported, and nothing is read that was not written; the seed is in the test's name. */
class DamagePropertyTest {
    static LongStream seeds() {
        long first = Long.getLong("mcap.seed", 1);
        return LongStream.range(first, first + Integer.getInteger("mcap.seeds", 25));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void cutAnywhereItGivesAllThatIsComplete(long seed) throws IOException {
        GeneratedFile file = new GeneratedFile(seed, 60);
        byte[] bytes = file.bytes;
        int messages = 0;

        for (int length = McapLayout.magic().length; length < bytes.length; length++) {
            Contents contents = Contents.of(Arrays.copyOf(bytes, length));

            assertThat(contents.ending.isComplete()).as("cut at %d", length).isFalse();
            assertThat(contents.ending.position()).as("cut at %d", length).isBetween(8L, (long) length);
            assertThat(contents.messages).as("cut at %d", length).hasSizeGreaterThanOrEqualTo(messages);
            messages = contents.messages.size();
            assertThat(contents.messages).isEqualTo(file.messages.subList(0, messages));
            // All records before the reported end are complete, and none comes after it.
            Contents shorter = Contents.of(Arrays.copyOf(bytes, (int) contents.ending.position()));
            assertThat(shorter.records).isEqualTo(contents.records);
        }
        assertThat(messages).isEqualTo(file.messages.size());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyFlippedBitIsFound(long seed) throws IOException {
        GeneratedFile file = new GeneratedFile(seed, 60);
        Random random = new Random(seed);

        for (int i = 0; i < 400; i++) {
            byte[] bytes = file.bytes.clone();
            int at = random.nextInt(bytes.length);
            int bit = random.nextInt(Byte.SIZE);
            bytes[at] ^= (byte) (1 << bit);

            Contents contents = Contents.ofDamaged(bytes);

            assertThat(!contents.damage.isEmpty() || !contents.ending.isComplete())
                    .as("seed %d, bit %d of byte %d of %d", seed, bit, at, bytes.length)
                    .isTrue();
            // One flipped bit turns a message index into a message; only the checksum of all data, which comes later,
            // detects it.
            assertThat(contents.messages.stream().filter(line -> !file.messages.contains(line)))
                    .as("seed %d, bit %d of byte %d of %d", seed, bit, at, bytes.length)
                    .hasSizeLessThanOrEqualTo(1);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void noiseEndsInAnExceptionOfItsOwn(long seed) throws IOException {
        GeneratedFile file = new GeneratedFile(seed, 60);
        Random random = new Random(seed);

        for (int i = 0; i < 300; i++) {
            byte[] bytes = file.bytes.clone();
            int from = 8 + random.nextInt(bytes.length - 8);
            byte[] noise = new byte[Math.min(1 + random.nextInt(40), bytes.length - from)];
            random.nextBytes(noise);
            System.arraycopy(noise, 0, bytes, from, noise.length);
            List<String> damage = Contents.ofDamaged(bytes).damage;

            assertThat(damage).allSatisfy(line -> assertThat(line).doesNotContain("\n"));
        }
    }
}
