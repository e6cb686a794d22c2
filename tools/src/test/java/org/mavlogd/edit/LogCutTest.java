package org.mavlogd.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.edit.RandomLog.Contents;
import org.mavlogd.logtools.Logs;
import org.mavlogd.logtools.OutputFile;
import org.mavlogd.logtools.Progress;
import org.mavlogd.logtools.TimeRange;
import org.mavlogd.logtools.TimeRange.Bound;
import org.mavlogd.survey.LogSurvey;
import org.mavlogd.ulog.ULogException;

class LogCutTest {
    @TempDir
    private Path directory = Path.of(".");

    private static TimeRange range(String from, String to) {
        return new TimeRange(
                Optional.of(from).filter(t -> !t.isEmpty()).map(Bound::parse),
                Optional.of(to).filter(t -> !t.isEmpty()).map(Bound::parse));
    }

    private LogCopy.Result cut(Path log, Path out, String from, String to) throws IOException {
        return LogCut.cut(log, out, OutputFile.Existing.REPLACE, range(from, to), Progress.NONE);
    }

    private static String seconds(long us) {
        return us / 1_000_000 + "." + String.format("%06d", us % 1_000_000);
    }

    private static void assertIntact(Path log) throws IOException {
        assertThat(LogSurvey.of(log, Progress.NONE).damage().text()).isEqualTo("none");
    }

    @Test
    void adjacentPartsHaveEverythingExactlyOnce() throws IOException {
        for (long seed = 1; seed <= 40; seed++) {
            Random random = new Random(seed);
            RandomLog log = new RandomLog(random, "topic_", "");
            Path file = log.fill(50 + random.nextInt(800)).write(directory.resolve("in.ulg"));
            Contents all = Contents.of(file);
            List<Long> times = all.times.stream().sorted().toList();
            long middleUs = times.get(times.size() / 4 + random.nextInt(times.size() / 2));
            Path first = directory.resolve("first.ulg");
            Path second = directory.resolve("second.ulg");

            cut(file, first, "", seconds(middleUs - 1));
            cut(file, second, seconds(middleUs), "");

            Contents one = Contents.of(first);
            Contents two = Contents.of(second);
            String at = "seed " + seed;
            assertThat(joined(one.samples, two.samples)).as(at).containsExactlyInAnyOrderElementsOf(all.samples);
            assertThat(joined(one.texts, two.texts)).as(at).containsExactlyInAnyOrderElementsOf(all.texts);
            assertThat(joined(one.dropouts, two.dropouts)).as(at).containsExactlyInAnyOrderElementsOf(all.dropouts);
            assertThat(one.times).as(at).allMatch(time -> time < middleUs);
            assertThat(two.times).as(at).allMatch(time -> time >= middleUs);
            assertThat(two.infos).as(at).isEqualTo(all.infos);
            assertIntact(first);
            assertIntact(second);
        }
    }

    private static <T> List<T> joined(List<T> one, List<T> other) {
        List<T> all = new ArrayList<>(one);
        all.addAll(other);
        return all;
    }

    @Test
    void parametersHaveTheValuesOfTheStartOfThePart() throws IOException {
        RandomLog log = new RandomLog(new Random(1), "topic_", "");
        log.sample(2_000_000);
        log.log.parameter("P_INT", 7);
        log.sample(3_000_000);
        log.log.parameter("P_INT", 8);
        log.sample(4_000_000);
        log.log.parameter("P_INT", 9);
        Path file = log.write(directory.resolve("in.ulg"));
        Path out = directory.resolve("out.ulg");

        cut(file, out, "2.5", "3.5");

        Contents contents = Contents.of(out);
        assertThat(contents.parameters).containsExactlyInAnyOrder("P_INT=7.0", "P_FLOAT=0.5");
        assertThat(contents.changes).containsExactly("P_INT=8.0");
        assertThat(contents.times).containsExactly(3_000_000L);
    }

    @Test
    void thePartBeginsAtItsTimeInUtcToo() throws IOException {
        RandomLog log = new RandomLog(new Random(2), "topic_", "");
        Path file = log.fill(500).write(directory.resolve("in.ulg"));
        Path out = directory.resolve("out.ulg");
        Contents all = Contents.of(file);

        cut(file, out, "+0.1", "");
        Contents bySeconds = Contents.of(out);
        cut(file, out, all.utc.at(RandomLog.START_US + 100_000).orElseThrow().toString(), "");

        assertThat(Contents.of(out).samples).isEqualTo(bySeconds.samples);
        assertThat(bySeconds.startUs).isEqualTo(RandomLog.START_US + 100_000);
        assertThat(bySeconds.utc.at(5_000_000)).isEqualTo(all.utc.at(5_000_000));
    }

    @Test
    void realLogsAreWholeAfterwards() throws IOException {
        for (String name : Logs.REAL) {
            Path log = Logs.real(name, directory);
            Path out = directory.resolve("out.ulg");
            Contents all = Contents.of(log);
            List<Long> times = all.times.stream().sorted().toList();
            long firstUs = times.get(times.size() / 4);
            long lastUs = times.get(times.size() / 2);

            LogCopy.Result result = cut(log, out, seconds(firstUs), seconds(lastUs));

            assertThat(Contents.of(out).samples)
                    .as(name)
                    .hasSize((int) all.times.stream()
                            .filter(time -> time >= firstUs && time <= lastUs)
                            .count())
                    .hasSize((int) result.samples());
            assertThat(Files.size(out)).as(name).isEqualTo(result.bytes());
            assertIntact(out);
        }
    }

    @Test
    void nothingOfThatTimeIsAnErrorWithTheTimesThatThereAre() throws IOException {
        Path file = new RandomLog(new Random(3), "topic_", "").fill(100).write(directory.resolve("in.ulg"));
        Path out = directory.resolve("out.ulg");

        assertThatThrownBy(() -> cut(file, out, "5000", ""))
                .isInstanceOf(ULogException.class)
                .hasMessageContaining("it has nothing of this time; its samples are from 1.0");
        assertThat(out).doesNotExist();
    }
}
