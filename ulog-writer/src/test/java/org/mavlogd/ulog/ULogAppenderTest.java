package org.mavlogd.ulog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ULogAppenderTest {
    @ParameterizedTest
    @ValueSource(strings = {"golden", "golden_app", "golden_app_cut", "a12_header_b"})
    void crashAtAnyByteLeavesTheFormerContents(String name) throws IOException {
        for (int tail : new int[] {0, 1, 5}) {
            byte[] log = cornerWithout(name, tail);
            Contents before = Contents.of(log, 4096);
            int steps = steps(crash(), log);
            for (int step = 0; step < steps; step++) {
                FailingFile file = FailingFile.withoutPowerAfter(log, step);

                assertThatThrownBy(() -> crash().appendTo(file)).hasMessage("power lost");

                assertFormerContents(name + ", step " + step, before, file);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"golden", "golden_app", "b01_app_cut", "b04_app_flag_only", "a12_header_b"})
    void failureAtAnyByteLeavesTheLogAsItWas(String name) throws IOException {
        for (int tail : new int[] {0, 5}) {
            byte[] log = cornerWithout(name, tail);
            int steps = steps(crash(), log);
            for (int step = 0; step < steps; step++) {
                FailingFile file = FailingFile.failingOnceAt(log, step);

                assertThatThrownBy(() -> crash().appendTo(file)).hasMessage("device failed");

                assertThat(file.bytes()).as("%s, step %d", name, step).isEqualTo(log);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"golden_app", "a12_header_b"})
    void fullDiskLeavesTheLogAsItWas(String name) {
        byte[] log = corner(name);
        for (int room : new int[] {0, 1, 2, 3, 20, 50}) {
            FailingFile file = FailingFile.onFullDisk(log, room);

            assertThatThrownBy(() -> crash().appendTo(file)).hasMessage("No space left on device");

            assertThat(file.bytes()).as("%s, room for %d bytes", name, room).isEqualTo(log);
        }
    }

    /** Power is lost at any step of undoing, after any step has failed. */
    @ParameterizedTest
    @ValueSource(strings = {"a12_header_b", "a01_plain", "b01_app_cut"})
    void crashWhileUndoingLeavesTheFormerContents(String name) throws IOException {
        for (int tail : new int[] {0, 5}) {
            byte[] log = cornerWithout(name, tail);
            Contents before = Contents.of(log, 4096);
            int steps = steps(remark(), log);
            for (int failing = 0; failing < steps; failing++) {
                FailingFile undone = FailingFile.failingOnceAt(log, failing);
                assertThatThrownBy(() -> remark().appendTo(undone)).hasMessage("device failed");
                assertThat(undone.steps()).isGreaterThan(failing + 10);
                for (int last = failing + 1; last < undone.steps(); last++) {
                    FailingFile file = FailingFile.failingOnceAt(log, failing, last);

                    assertThatThrownBy(() -> remark().appendTo(file))
                            .hasMessage("device failed")
                            .hasSuppressedException(new IOException("power lost"));

                    assertFormerContents(name + ", step " + failing + ", power until " + last, before, file);
                }
            }
        }
    }

    private static void assertFormerContents(String what, Contents before, FailingFile crashed) throws IOException {
        for (byte[] log : crashed.afterPowerLoss()) {
            Contents after = Contents.of(log, 4096);
            assertThat(after.refused).isEmpty();
            assertThat(after.samples).as(what).isEqualTo(before.samples);
            assertThat(after.texts.subList(0, before.texts.size())).isEqualTo(before.texts);
            assertThat(after.damagedBytes).as(what).isEqualTo(before.damagedBytes);
            // The next attempt succeeds after every crash.
            FailingFile again = FailingFile.never(log);
            new ULogAppender().loggedString(LogLevel.INFO, 5, "again").appendTo(again);
            assertThat(Contents.of(again.bytes(), 4096).texts)
                    .as(what)
                    .last()
                    .extracting(LoggedText::text)
                    .isEqualTo("again");
        }
    }

    private static int steps(ULogAppender section, byte[] log) throws IOException {
        FailingFile file = FailingFile.never(log);
        section.appendTo(file);
        return file.steps();
    }

    private static byte[] cornerWithout(String name, int tail) {
        byte[] log = corner(name);
        return Arrays.copyOf(log, Math.max(59, log.length - tail));
    }

    private static ULogAppender remark() {
        return new ULogAppender().loggedString(LogLevel.ERROR, 1, "ok");
    }

    @Test
    void appendsThreeSectionsAndRefusesTheFourth(@TempDir Path directory) throws IOException {
        byte[] log = corner("golden");
        Path file = Files.write(directory.resolve("log.ulg"), Arrays.copyOf(log, log.length - 3));

        for (int i = 0; i < 3; i++) {
            assertThat(ULogAppender.sections(file)).isEqualTo(new SectionCount(i, 3 - i));
            crash().appendTo(file);
        }
        assertThat(ULogAppender.sections(file)).isEqualTo(new SectionCount(3, 0));

        byte[] appended = Files.readAllBytes(file);
        Contents contents = Contents.of(appended, 1);
        assertThat(contents.sections).isEqualTo(3);
        assertThat(contents.cuts).isEqualTo(1);
        assertThat(Contents.at(contents.multiInfos, ULogAppender.CRASH_TEXT_NAME))
                .hasSize(3);
        assertThat(contents.texts).filteredOn(LoggedText::isTagged).hasSizeGreaterThanOrEqualTo(3);
        assertThatThrownBy(() -> crash().appendTo(file))
                .isInstanceOf(ULogException.class)
                .hasMessageContaining("all three");
        assertThat(Files.readAllBytes(file)).isEqualTo(appended);
    }

    @Test
    void splitsLongCrashText(@TempDir Path directory) throws IOException {
        Path file = Files.write(directory.resolve("log.ulg"), corner("golden"));
        String text = "0123456789\u00e4\u20ac".repeat(20_000);

        new ULogAppender().crashText(text).appendTo(file);

        List<List<String>> crashes =
                Contents.at(Contents.of(Files.readAllBytes(file), 4096).multiInfos, ULogAppender.CRASH_TEXT_NAME);
        assertThat(crashes).hasSize(1);
        assertThat(String.join("", crashes.get(0))).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a03_v1_nob", "a09_incompat_byte7", "a07_b_short"})
    void refusesLogsThatCannotTakeASection(String name, @TempDir Path directory) throws IOException {
        byte[] log = corner(name);
        Path file = Files.write(directory.resolve("log.ulg"), log);

        assertThatThrownBy(() -> crash().appendTo(file)).isInstanceOf(ULogException.class);

        assertThat(ULogAppender.sections(file)).isEqualTo(new SectionCount(0, 0));
        assertThat(Files.readAllBytes(file)).isEqualTo(log);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15, 16, 58})
    void whatIsNoWholeHeadHasNoSections(int length, @TempDir Path directory) throws IOException {
        Path file = Files.write(directory.resolve("log.ulg"), Arrays.copyOf(corner("golden"), length));

        assertThat(ULogAppender.sections(file)).isEqualTo(new SectionCount(0, 0));
    }

    @Test
    void refusesMessagesOfTheDefinitions() {
        byte[] format = {'t', ':'};

        assertThatThrownBy(() -> new ULogAppender().message(MessageType.FORMAT, format, 0, 2))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ULogAppender().appendTo(Path.of("none.ulg")))
                .isInstanceOf(IOException.class);
    }

    private static ULogAppender crash() {
        return new ULogAppender()
                .crashText("hard fault at 0x1234")
                .loggedString(LogLevel.EMERGENCY, 1, "crashed")
                .taggedString(LogLevel.ERROR, 3, 2, "watchdog");
    }

    private static byte[] corner(String name) {
        return Contents.at(TestLogs.corners(), name);
    }
}
