package org.mavlogd.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartFileTest {
    private static final int LENGTH = 10_000;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final byte[] log = new byte[LENGTH];
    private Path target;
    private Path part;
    private Path note;

    @BeforeEach
    void makeLog() {
        new Random(1).nextBytes(log);
        target = directory.resolve("a.bin");
        part = directory.resolve("a.bin.part");
        note = directory.resolve("a.bin.part.note");
    }

    private PartFile open() throws IOException {
        return PartFile.open(FetchDisk.REAL, target, "log 1", LENGTH, false);
    }

    private static void write(PartFile file, byte[] from, int start, int end) throws IOException {
        file.write(start, from, start, end - start);
    }

    @Test
    void appearsUnderItsNameOnlyWhenItIsWhole() throws IOException {
        try (PartFile file = open()) {
            write(file, log, 5000, LENGTH);
            assertThatThrownBy(() -> file.finish(OptionalInt.empty(), PartFile.Existing.STAYS))
                    .hasMessageContaining("5000 are missing");
            assertThat(target).doesNotExist();
            write(file, log, 0, 5000);
            file.finish(OptionalInt.empty(), PartFile.Existing.STAYS);
        }

        assertThat(target).hasBinaryContent(log);
        assertThat(directory.toFile().list()).containsExactly("a.bin");
    }

    @Test
    void aLaterRunGoesOnWithWhatWasSaved() throws IOException {
        try (PartFile file = open()) {
            write(file, log, 0, 4000);
            write(file, log, 6000, 7000);
        }
        try (PartFile file = open()) {
            MissingRanges missing = file.missing();

            // The last 1024 bytes before the first gap are fetched again, to compare them.
            assertThat(missing.count()).isEqualTo(2);
            assertThat(missing.start(0)).isEqualTo(4000 - 1024);
            assertThat(missing.end(0)).isEqualTo(6000);
            assertThat(missing.start(1)).isEqualTo(7000);
            write(file, log, 4000 - 1024, 6000);
            write(file, log, 7000, LENGTH);
            assertThat(file.isStale()).isFalse();
            file.finish(OptionalInt.empty(), PartFile.Existing.STAYS);
        }

        assertThat(target).hasBinaryContent(log);
    }

    @Test
    void noticesThatWhatIsThereIsOfAnotherLog() throws IOException {
        try (PartFile file = open()) {
            write(file, log, 0, 4000);
        }
        byte[] other = log.clone();
        other[3999]++;
        try (PartFile file = open()) {
            write(file, other, 3000, 4000);
            assertThat(file.isStale()).isTrue();
        }
        try (PartFile file = PartFile.open(FetchDisk.REAL, target, "log 1", LENGTH, true)) {
            assertThat(file.missing().bytes()).isEqualTo(LENGTH);
        }
    }

    /** The process ends before it begins the log again. */
    @Test
    void bytesOfAnotherLogAreNeverMixedWithThoseThatCame() throws IOException {
        try (PartFile file = open()) {
            write(file, log, 0, 4000);
        }
        byte[] other = log.clone();
        other[3999]++;
        PartFile killed = open();
        write(killed, other, 4000 - 1024, 6000);
        killed.save();
        assertThat(note).doesNotExist();
        Files.copy(part, directory.resolve("part"));
        killed.close();
        assertThat(directory.toFile().list()).containsExactly("part");

        Files.move(directory.resolve("part"), part);
        try (PartFile file = open()) {
            assertThat(file.missing().bytes()).isEqualTo(LENGTH);
        }
    }

    @Test
    void aPartOfAnotherLogIsNeverFinished() throws IOException {
        try (PartFile file = open()) {
            write(file, log, 0, 4000);
        }
        byte[] other = log.clone();
        other[3999]++;
        try (PartFile file = open()) {
            write(file, other, 4000 - 1024, LENGTH);
            assertThatThrownBy(() -> file.finish(OptionalInt.empty(), PartFile.Existing.STAYS))
                    .hasMessageContaining("another log");
        }
        assertThat(directory.toFile().list()).isEmpty();
    }

    /** The kernel reports bytes that it could not force once, and drops them: the next force succeeds without them. */
    @Test
    void bytesThatCouldNotBeForcedAreFetchedAgain() throws IOException {
        FaultyDisk disk = new FaultyDisk();
        try (PartFile file = PartFile.open(disk, target, "log 1", LENGTH, false)) {
            write(file, log, 0, 4000);
            file.save();
            write(file, log, 4000, LENGTH);
            disk.fail(FaultyDisk.Op.FORCE, "a.bin.part", "Input/output error");
            assertThatThrownBy(() -> file.finish(OptionalInt.empty(), PartFile.Existing.STAYS))
                    .hasMessageContaining("Input/output error");
            disk.heal();
            assertThatThrownBy(file::save).hasMessageContaining("forced");
        }

        assertThat(target).doesNotExist();
        try (PartFile file = open()) {
            assertThat(file.missing().start(0)).isEqualTo(4000 - 1024);
            assertThat(file.missing().end(0)).isEqualTo(LENGTH);
        }
    }

    @Test
    void whatANoteOfAnotherLogSaysIsNotUsed() throws IOException {
        try (PartFile file = open()) {
            write(file, log, 0, 4000);
        }
        try (PartFile file = PartFile.open(FetchDisk.REAL, target, "log 2", LENGTH, false)) {
            assertThat(file.missing().bytes()).isEqualTo(LENGTH);
        }
    }

    @Test
    void damagedNotesSayThatNothingIsThere() throws IOException {
        try (PartFile file = open()) {
            write(file, log, 0, 4000);
        }
        String good = Files.readString(note, StandardCharsets.ISO_8859_1);
        String[] bad = {
            "",
            "\n",
            good.replace("end\n", ""),
            good.replace("4000 10000", "4000 10001"),
            good.replace("4000 10000", "10000 4000"),
            good.replace("4000 10000", "x"),
            good.replace("length 10000", "length 9999"),
            good + good,
            "\u0000".repeat(1000)
        };
        for (String text : bad) {
            Files.writeString(note, text, StandardCharsets.ISO_8859_1);
            try (PartFile file = open()) {
                assertThat(file.missing().bytes()).as(text).isEqualTo(LENGTH);
                write(file, log, 0, 4000);
            }
        }
    }

    @Test
    void bytesThatTheFileHasNotAreMissingWhateverTheNoteSays() throws IOException {
        try (PartFile file = open()) {
            write(file, log, 0, 4000);
        }
        Files.write(part, Arrays.copyOf(log, 2500));
        try (PartFile file = open()) {
            assertThat(file.missing().start(0)).isEqualTo(2500 - 1024);
        }
    }

    @Test
    void aWrongChecksumLeavesNothingBehind() throws IOException {
        try (PartFile file = open()) {
            write(file, log, 0, LENGTH);
            assertThatThrownBy(() -> file.finish(OptionalInt.of(1), PartFile.Existing.STAYS))
                    .hasMessageContaining("checksum");
        }
        assertThat(directory.toFile().list()).isEmpty();
    }

    @Test
    void theRightChecksumIsThatOfTheVehicles() throws IOException {
        PartFile.Checksum sum = new PartFile.Checksum();
        sum.update("123456789".getBytes(StandardCharsets.US_ASCII), 0, 9);
        // CRC-32 without the first and last inversion.
        assertThat(sum.value()).isEqualTo(0x2DFD_2D88);
        try (PartFile file = open()) {
            write(file, log, 0, LENGTH);
            PartFile.Checksum all = new PartFile.Checksum();
            all.update(log, 0, LENGTH);
            file.finish(OptionalInt.of(all.value()), PartFile.Existing.STAYS);
        }
        assertThat(target).hasBinaryContent(log);
    }

    @Test
    void replacesNothing() throws IOException {
        try (PartFile file = open()) {
            write(file, log, 0, LENGTH);
            Files.writeString(target, "mine");
            assertThatThrownBy(() -> file.finish(OptionalInt.empty(), PartFile.Existing.STAYS))
                    .isInstanceOf(FileAlreadyExistsException.class);
        }
        assertThat(target).hasContent("mine");
    }

    @Test
    void followsNoLinkToAnotherPlace() throws IOException {
        Path elsewhere = directory.resolve("elsewhere");
        Files.writeString(elsewhere, "mine");
        Files.createSymbolicLink(part, elsewhere);

        assertThatThrownBy(this::open).hasMessageContaining("not a regular file");
        assertThat(elsewhere).hasContent("mine");
    }

    @Test
    void twoAtOnceAreRefused() throws IOException {
        try (PartFile file = open()) {
            assertThat(file.missing().bytes()).isEqualTo(LENGTH);
            assertThatThrownBy(this::open).hasMessageContaining("another program");
        }
    }

    @Test
    void anEmptyLogIsWholeAtOnce() throws IOException {
        try (PartFile file = PartFile.open(FetchDisk.REAL, target, "log 1", 0, false)) {
            file.finish(OptionalInt.empty(), PartFile.Existing.STAYS);
        }
        assertThat(target).isEmptyFile();
    }

    @Test
    void aWholePartIsOnlyFinished() throws IOException {
        try (PartFile file = open()) {
            write(file, log, 0, LENGTH);
        }
        Files.setLastModifiedTime(part, FileTime.fromMillis(1));
        try (PartFile file = open()) {
            assertThat(file.missing().bytes()).isEqualTo(1024);
            write(file, log, LENGTH - 1024, LENGTH);
            file.finish(OptionalInt.empty(), PartFile.Existing.STAYS);
        }
        assertThat(target).hasBinaryContent(log);
    }
}
