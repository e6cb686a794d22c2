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
            byte[] log = corner(name);
            byte[] cut = Arrays.copyOf(log, Math.max(59, log.length - tail));
            Contents before = Contents.of(cut, 4096);
            boolean done = false;
            for (int bytes = 0; !done; bytes++) {
                FailingFile file = new FailingFile(cut, bytes);
                try {
                    crash().appendTo(file);
                    done = true;
                } catch (IOException lost) {
                    assertThat(lost).hasMessage("power lost");
                }
                Contents after = Contents.of(file.bytes(), 4096);
                assertThat(after.refused).isEmpty();
                assertThat(after.samples).as("%s, %d bytes", name, bytes).isEqualTo(before.samples);
                assertThat(after.texts.subList(0, before.texts.size())).isEqualTo(before.texts);
                assertThat(after.damagedBytes).as("%s, %d bytes", name, bytes).isZero();
                // And the next attempt succeeds, whatever the crash has left.
                FailingFile again = new FailingFile(file.bytes(), Integer.MAX_VALUE);
                new ULogAppender().loggedString(LogLevel.INFO, 5, "again").appendTo(again);
                assertThat(Contents.of(again.bytes(), 4096).texts)
                        .as("%s, %d bytes", name, bytes)
                        .last()
                        .extracting(LoggedText::text)
                        .isEqualTo("again");
            }
        }
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
