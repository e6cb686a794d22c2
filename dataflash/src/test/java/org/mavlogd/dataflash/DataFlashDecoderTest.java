package org.mavlogd.dataflash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.dataflash.DataFlashBuilder.aLog;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which bytes are taken for records. */
class DataFlashDecoderTest {
    private static final int PIECE = 37;

    private static DataFlashBuilder withRecords(int count) {
        DataFlashBuilder log = aLog().fmt(1, "AAA", "QI", "TimeUS,N");
        for (int i = 0; i < count; i++) {
            log.record("AAA", 1000L * i, i);
        }
        return log;
    }

    @Test
    void findsEveryRecordOfAWholeLog() throws IOException {
        for (int piece : new int[] {1, 2, 3, 7, 100, 1 << 20}) {
            Decoded decoded = Decoded.of(withRecords(5000).toByteArray(), piece);

            assertThat(decoded.named("AAA")).as("pieces of %d", piece).isEqualTo(5000);
            assertThat(decoded.damagedBytes + decoded.cutBytes).isZero();
        }
    }

    @Test
    void aLogCutAnywhereLosesOnlyItsLastRecord() throws IOException {
        DataFlashBuilder log = withRecords(4);
        byte[] bytes = log.toByteArray();
        for (int length = 0; length <= bytes.length; length++) {
            int end = length;
            Decoded decoded = Decoded.of(Arrays.copyOf(bytes, length), PIECE);

            long whole =
                    log.starts().stream().filter(at -> at > 0 && at <= end).count() + (end == bytes.length ? 1 : 0);
            assertThat(decoded.records).as("%d bytes", length).hasSize((int) whole);
            int begun = log.starts().stream()
                    .mapToInt(at -> at)
                    .filter(at -> at <= end)
                    .max()
                    .orElse(0);
            assertThat(decoded.cutBytes).as("%d bytes", length).isEqualTo(end == bytes.length ? 0 : end - begun);
            assertThat(decoded.damage).isEmpty();
        }
    }

    @Test
    void headersInsideARecordMeanNothing() throws IOException {
        byte[] looksLikeRecord = {(byte) 0xA3, (byte) 0x95, 1, 4, 5, 6};
        byte[] log = aLog().fmt(1, "AAA", "QZ", "TimeUS,Text")
                .record("AAA", 1L, looksLikeRecord)
                .record("AAA", 2L, looksLikeRecord)
                .toByteArray();

        assertThat(Decoded.of(log, PIECE).named("AAA")).isEqualTo(2);
    }

    @Test
    void bytesBetweenRecordsAreSteppedOver() throws IOException {
        byte[] log = withRecords(3)
                .bytes(new byte[700])
                .record("AAA", 5L, 5)
                .record("AAA", 6L, 6)
                .toByteArray();

        Decoded decoded = Decoded.of(log, PIECE);

        // The record before is dropped: it is unknown whether the damage starts after it or inside it.
        assertThat(decoded.named("AAA")).isEqualTo(4);
        assertThat(decoded.damagedBytes).isEqualTo(715);
        assertThat(decoded.damage).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void oneWrongByteOfAHeaderCostsOnlyItsRecord(int wrong) throws IOException {
        DataFlashBuilder log = withRecords(9);
        byte[] bytes = log.toByteArray();
        bytes[log.starts().get(8) + wrong] ^= 0x55;

        Decoded decoded = Decoded.of(bytes, PIECE);

        assertThat(decoded.named("AAA")).isEqualTo(8);
        assertThat(decoded.damage).containsExactly(log.starts().get(8) + "+15");
    }

    @Test
    void aRecordThatLacksBytesIsGivenUp() throws IOException {
        DataFlashBuilder log = withRecords(9);
        byte[] bytes = log.toByteArray();
        int cut = log.starts().get(8) + 9;
        byte[] shorter = Arrays.copyOf(bytes, bytes.length - 4);
        System.arraycopy(bytes, cut + 4, shorter, cut, bytes.length - cut - 4);

        Decoded decoded = Decoded.of(shorter, PIECE);

        assertThat(decoded.named("AAA")).isEqualTo(8);
        assertThat(decoded.damage).containsExactly(log.starts().get(8) + "+11");
    }

    @Test
    void recordsWaitForTheirFormat() throws IOException {
        DataFlashBuilder late =
                new DataFlashBuilder().fmt(1, "AAA", "QI", "TimeUS,N").record("AAA", 1L, 1);
        byte[] all = late.record("AAA", 2L, 2).toByteArray();
        byte[] records = Arrays.copyOfRange(all, 89, all.length);
        byte[] format = Arrays.copyOf(all, 89);
        byte[] log = aLog().bytes(records).bytes(format).bytes(records).toByteArray();

        Decoded decoded = Decoded.of(log, PIECE);

        assertThat(decoded.named("AAA")).isEqualTo(4);
        assertThat(decoded.records.subList(4, 7).stream().map(record -> record.substring(0, 3)))
                .containsExactly("FMT", "AAA", "AAA");
        assertThat(decoded.undeclared).isEmpty();
    }

    @Test
    void recordsThatNobodyDeclaresAreTold() throws IOException {
        byte[] log = withRecords(2)
                .bytes(new byte[] {(byte) 0xA3, (byte) 0x95, 77, 1, 2, 3, 4})
                .record("AAA", 3L, 3)
                .toByteArray();

        Decoded decoded = Decoded.of(log, PIECE);

        assertThat(decoded.named("AAA")).isEqualTo(3);
        assertThat(decoded.undeclared).hasSize(1).first().asString().startsWith("77@");
    }

    @Test
    void whatWaitsIsBounded() throws IOException {
        DataFlashBuilder log = aLog();
        byte[] record = new byte[200];
        record[0] = (byte) 0xA3;
        record[1] = (byte) 0x95;
        record[2] = 77;
        for (int i = 0; i < 20_000; i++) {
            log.bytes(record);
        }
        byte[] bytes = log.fmt(77, 200, "LATE", "Q", "TimeUS")
                .record("FMTU", 0L, 77, "s", "F")
                .toByteArray();

        Decoded decoded = Decoded.of(bytes, 10_000);

        assertThat(decoded.named("LATE")).isBetween(2_000L, 5_243L);
        assertThat(decoded.named("LATE") + decoded.undeclared.size()).isEqualTo(20_000);
    }

    @Test
    void recordsWaitForUnitsIfAskedTo() throws IOException {
        DataFlashBuilder log = aLog().fmt(1, "AAA", "QB", "TimeUS,I").fmt(2, "BBB", "Q", "TimeUS");
        log.record("AAA", 1L, 1)
                .record("BBB", 2L)
                .record("AAA", 3L, 0)
                .fmtu("AAA", "s#", "F-")
                .record("AAA", 4L, 1);
        for (int i = 0; i < 30_000; i++) {
            log.record("AAA", 5L + i, 1);
        }
        byte[] bytes = log.record("BBB", 99L).record("BBB", 100L).toByteArray();

        List<String> waiting = Decoded.of(bytes, PIECE, DataFlashDecoder.Units.WAIT).records;

        assertThat(waiting.subList(6, 10).stream().map(record -> record.split(" ", -1)[0]))
                .containsExactly("FMTU", "AAA", "AAA", "AAA");
        // BBB has waited long enough: the decoder expects no more units for it.
        assertThat(waiting.subList(waiting.size() - 3, waiting.size()))
                .allSatisfy(record -> assertThat(record).startsWith("BBB"));
        assertThat(sorted(waiting)).isEqualTo(sorted(Decoded.of(bytes, PIECE).records));
    }

    private static List<String> sorted(List<String> records) {
        return records.stream().sorted().toList();
    }

    @Test
    void aTypeMayBeDeclaredAnew() throws IOException {
        byte[] log = withRecords(2)
                .fmt(1, "BBB", "QB", "TimeUS,B")
                .record("BBB", 1L, 2)
                .record("BBB", 1L, 3)
                .toByteArray();
        Definitions definitions = new Definitions();

        Decoded once = Decoded.of(log, PIECE, definitions, DataFlashDecoder.Units.DO_NOT_WAIT);
        Decoded again = Decoded.of(log, PIECE, definitions.rewound(), DataFlashDecoder.Units.DO_NOT_WAIT);

        assertThat(once.named("AAA")).isEqualTo(2);
        assertThat(once.named("BBB")).isEqualTo(2);
        assertThat(again.records).isEqualTo(once.records);
    }

    @Test
    void formatsThatDeclareNothingAreNotBelieved() throws IOException {
        byte[] log = withRecords(1)
                .fmt(1, 4, "LIE", "QQ", "TimeUS,B") // shorter than its fields
                .fmt(2, 2, "LESS", "", "") // shorter than a header
                .fmt(3, 3, "", "", "")
                .fmt(128, 11, "FMT", "Q", "TimeUS")
                .fmt(4, 11, "\u0001", "Q", "TimeUS")
                .record("AAA", 2L, 2)
                .record("AAA", 3L, 3)
                .toByteArray();

        Decoded decoded = Decoded.of(log, PIECE);

        assertThat(decoded.named("AAA")).isEqualTo(3);
        assertThat(decoded.damagedBytes).isZero();
    }

    @Test
    void anythingAtAllIsAccountedFor() throws IOException {
        assertThat(Decoded.of(new byte[0], 1).records).isEmpty();
        assertThat(Decoded.of(new byte[] {(byte) 0xA3}, 1).cutBytes).isEqualTo(1);
        assertThat(Decoded.of(new byte[] {(byte) 0xA3, (byte) 0x95}, 1).cutBytes)
                .isEqualTo(2);
        assertThat(Decoded.of(new byte[100_000], 999).damagedBytes).isEqualTo(100_000);
        byte[] headers = new byte[100_000];
        for (int i = 0; i < headers.length; i++) {
            headers[i] = (byte) (i % 2 == 0 ? 0xA3 : 0x95);
        }
        Decoded.of(headers, 999);
    }
}
