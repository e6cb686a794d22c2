package org.mavlogd.mavlink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.tlog.TlogLayout;

/** Telemetry logs, intact, truncated and damaged, in chunks of all sizes. */
class TlogDecoderTest {
    private static final long START_US = 1_790_000_000_000_000L;

    private final List<String> found = new ArrayList<>();
    private final List<Long> times = new ArrayList<>();
    private long damagedBytes;
    private long cutBytes;

    private TlogDecoder decoder() {
        found.clear();
        times.clear();
        damagedBytes = 0;
        cutBytes = 0;
        return new TlogDecoder(
                new TlogDecoder.Handler() {
                    @Override
                    public void onFrame(long utcUs, FrameView frame) {
                        byte[] bytes = new byte[frame.length()];
                        frame.copyFrame(bytes, 0);
                        found.add(Arrays.toString(bytes));
                        times.add(utcUs);
                    }

                    @Override
                    public void onDamage(long position, long length) {
                        damagedBytes += length;
                    }

                    @Override
                    public void onCut(long position, long length) {
                        cutBytes += length;
                    }
                },
                Dialect.standard());
    }

    /** Records with all kinds of frames: both versions, signed ones, unknown messages. */
    private static List<byte[]> records(Random random, int count) {
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] payload = new byte[9];
            random.nextBytes(payload);
            payload[8] = 1;
            byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
            FrameEncoder encoder = new FrameEncoder(1);
            int length = random.nextInt(4) == 0
                    ? encoder.encodeV1(1, MessageIds.HEARTBEAT, payload, 9, frame, 0)
                    : encoder.encode(1, MessageIds.HEARTBEAT, payload, 9, frame, 0);
            if (random.nextInt(10) == 0 && frame[0] == FrameLayout.START_V2) {
                frame[FrameLayout.MESSAGE_ID_OFFSET_V2 + 2] = (byte) 0xEE; // no dialect has this id
            }
            ByteBuffer record = ByteBuffer.allocate(TlogLayout.TIME_LENGTH + length);
            record.putLong(START_US + i * 1000L).put(frame, 0, length);
            records.add(record.array());
        }
        return records;
    }

    private static byte[] join(List<byte[]> records) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        records.forEach(out::writeBytes);
        return out.toByteArray();
    }

    private static String frame(byte[] record) {
        return Arrays.toString(Arrays.copyOfRange(record, TlogLayout.TIME_LENGTH, record.length));
    }

    private void decode(byte[] log, Random pieces) throws IOException {
        TlogDecoder decoder = decoder();
        for (int at = 0; at < log.length; ) {
            int count = Math.min(log.length - at, 1 + pieces.nextInt(pieces.nextBoolean() ? 20 : 200_000));
            decoder.feed(log, at, count);
            at += count;
        }
        decoder.finish();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void givesEachFrameOfASoundLogOnceAndInOrder(long seed) throws IOException {
        Random random = new Random(seed);
        List<byte[]> records = records(random, 20_000);

        decode(join(records), random);

        assertThat(found)
                .containsExactlyElementsOf(
                        records.stream().map(TlogDecoderTest::frame).toList());
        assertThat(times.get(1999)).isEqualTo(START_US + 1_999_000);
        assertThat(damagedBytes + cutBytes).isZero();
    }

    @Test
    void tellsHowMuchOfTheLastRecordIsMissing() throws IOException {
        List<byte[]> records = records(new Random(7), 100);
        byte[] log = join(records);
        int last = records.get(99).length;
        for (int length = log.length - last + 1; length < log.length; length++) {
            decode(Arrays.copyOf(log, length), new Random(length));

            assertThat(found).hasSize(99);
            assertThat(damagedBytes + cutBytes).isEqualTo(length - (log.length - last));
        }
    }

    /** Changed, missing or additional bytes lose only the records that they are in, and at most one neighbour. */
    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18})
    void damageCostsNoMoreThanItsNeighbours(long seed) throws IOException {
        Random random = new Random(seed);
        List<byte[]> records = records(random, 3000);
        int places = 20;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < records.size(); i++) {
            byte[] record = records.get(i).clone();
            if (i % (records.size() / places) == 50) {
                switch (random.nextInt(3)) {
                    case 0 -> record[random.nextInt(record.length)] ^= (byte) (1 + random.nextInt(255));
                    case 1 -> record = Arrays.copyOf(record, random.nextInt(record.length));
                    default -> {
                        byte[] noise = new byte[random.nextInt(500)];
                        random.nextBytes(noise);
                        out.writeBytes(noise);
                    }
                }
            }
            out.writeBytes(record);
        }
        byte[] log = out.toByteArray();

        decode(log, random);

        List<String> sent = records.stream().map(TlogDecoderTest::frame).toList();
        assertThat(found).hasSizeGreaterThanOrEqualTo(records.size() - 3 * places);
        assertThat(sent).containsAll(found.stream().filter(sent::contains).toList());
        assertThat(found.stream().filter(frame -> !sent.contains(frame)).count())
                .isLessThanOrEqualTo(places);
        assertThat(cutBytes).isZero();
    }

    @Test
    void noiseIsNoTelemetry() throws IOException {
        byte[] noise = new byte[1 << 20];
        new Random(3).nextBytes(noise);

        decode(noise, new Random(4));

        assertThat(found).isEmpty();
        assertThat(damagedBytes + cutBytes).isEqualTo(noise.length);
        assertThat(TlogLayout.hasRecords(noise, 64 << 10)).isFalse();
        assertThat(TlogLayout.hasRecords(join(records(new Random(5), 20)), 100)).isTrue();
        assertThat(TlogLayout.hasRecords(Arrays.copyOfRange(join(records(new Random(5), 99)), 5, 900), 895))
                .isTrue();
        assertThat(TlogLayout.hasRecords(new byte[0], 0)).isFalse();
        assertThat(TlogLayout.hasRecords(new byte[4096], 4096)).isFalse();
    }
}
