package org.mavlogd.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.edit.RandomLog.Contents;
import org.mavlogd.logtools.Logs;
import org.mavlogd.logtools.OutputFile;
import org.mavlogd.logtools.Progress;
import org.mavlogd.logtools.TopicChoice;
import org.mavlogd.survey.LogSurvey;
import org.mavlogd.ulog.ULogException;

class LogFilterTest {
    @TempDir
    private Path directory = Path.of(".");

    private LogCopy.Result filter(Path log, Path out, String... topics) throws IOException {
        return LogFilter.filter(log, out, OutputFile.Existing.REPLACE, new TopicChoice(List.of(topics)), Progress.NONE);
    }

    private static void assertIntact(Path log) throws IOException {
        LogSurvey survey = LogSurvey.of(log, Progress.NONE);
        assertThat(survey.damage().text()).isEqualTo("none");
    }

    @Test
    void allTopicsAreTheWholeLog() throws IOException {
        for (long seed = 1; seed <= 20; seed++) {
            RandomLog log = new RandomLog(new Random(seed), "topic_", "");
            Path file = log.fill(400).write(directory.resolve("in.ulg"));
            Path out = directory.resolve("out.ulg");

            filter(file, out, "*");

            assertThat(out).as("seed " + seed).hasSameBinaryContentAs(file);
        }
    }

    @Test
    void onlyTheChosenTopicsAndWhatTheyNeedAreKept() throws IOException {
        for (long seed = 1; seed <= 40; seed++) {
            RandomLog log = new RandomLog(new Random(seed), "topic_", "");
            Path file = log.fill(400).write(directory.resolve("in.ulg"));
            Path out = directory.resolve("out.ulg");
            Contents all = Contents.of(file);
            String chosen = all.topics.get(new Random(seed).nextInt(all.topics.size()));

            LogCopy.Result result = filter(file, out, chosen);

            Contents kept = Contents.of(out);
            String at = "seed " + seed;
            assertThat(kept.samples)
                    .as(at)
                    .isEqualTo(all.samples.stream()
                            .filter(sample -> sample.startsWith(chosen + " "))
                            .toList())
                    .hasSize((int) result.samples());
            assertThat(kept.topics).as(at).containsExactly(chosen);
            assertThat(all.formats).as(at).containsAll(kept.formats);
            assertThat(kept.texts).as(at).isEqualTo(all.texts);
            assertThat(kept.infos).as(at).isEqualTo(all.infos);
            assertThat(kept.changes).as(at).isEqualTo(all.changes);
            assertThat(kept.dropouts).as(at).isEqualTo(all.dropouts);
            assertIntact(out);
        }
    }

    @Test
    void formatsThatNoKeptTopicNeedsAreLeftOut() throws IOException {
        Path log = Logs.real("pyulog_sample_log_small", directory);
        Path out = directory.resolve("out.ulg");

        filter(log, out, "battery_status", "vehicle_gps_position");

        assertThat(Contents.of(out).formats).hasSize(2).allMatch(text -> text.matches("(?s)(battery|vehicle_gps).*"));
        assertIntact(out);
    }

    @Test
    void damagedLogsKeepEverySampleThatCanBeRead() throws IOException {
        for (Map.Entry<String, byte[]> corner : Logs.corners().entrySet()) {
            Path log = Files.write(directory.resolve("in.ulg"), corner.getValue());
            Path out = directory.resolve("out.ulg");
            Contents readable;
            try {
                readable = Contents.of(log);
                filter(log, out, "*");
            } catch (ULogException refused) {
                continue; // not a log, or without topics
            }
            assertThat(Contents.of(out).samples).as(corner.getKey()).isEqualTo(readable.samples);
            assertThat(Contents.of(out).texts).as(corner.getKey()).isEqualTo(readable.texts);
            assertIntact(out);
        }
    }

    @Test
    void aTopicThatTheLogLacksIsAnErrorAndNothingIsWritten() throws IOException {
        Path log = Logs.real("pyulog_sample_log_small", directory);
        Path out = directory.resolve("out.ulg");

        assertThatThrownBy(() -> filter(log, out, "batery_status"))
                .isInstanceOf(ULogException.class)
                .hasMessageContaining("no topic \"batery_status\"")
                .hasMessageContaining("battery_status");
        assertThat(out).doesNotExist();
    }
}
