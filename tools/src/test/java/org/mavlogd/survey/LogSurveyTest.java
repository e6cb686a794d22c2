package org.mavlogd.survey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.logtools.Progress;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.FileSink;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.ULogException;
import org.mavlogd.ulog.ULogWriter;
import org.mavlogd.ulog.WriterSettings;

class LogSurveyTest {
    private static final long NEW_YEAR_US = 1_767_225_600_000_000L;

    @TempDir
    private Path directory = Path.of(".");

    /** Writes the contents of a test's log. */
    @FunctionalInterface
    private interface Contents {
        void write(ULogWriter log) throws IOException;
    }

    private LogSurvey survey(Contents contents) throws IOException {
        Path file = directory.resolve("log.ulg");
        try (FileSink sink = FileSink.create(file)) {
            ULogWriter log = new ULogWriter(sink, 10_000_000, WriterSettings.DEFAULT);
            contents.write(log);
            log.close();
        }
        return LogSurvey.of(file, Progress.NONE);
    }

    private static void gps(ULogWriter log, long... fixAndUtc) throws IOException {
        log.format(
                TopicFormat.parse("vehicle_gps_position:uint64_t timestamp;uint64_t time_utc_usec;uint8_t fix_type;"));
        var gps = log.subscribe("vehicle_gps_position", 0);
        for (int i = 0; i < fixAndUtc.length; i += 2) {
            gps.begin(11_000_000 + 500_000L * i)
                    .integer(gps.column("fix_type"), fixAndUtc[i])
                    .integer(gps.column("time_utc_usec"), fixAndUtc[i + 1])
                    .write();
        }
    }

    @Test
    void utcComesFromTheFirstSampleWithAFix() throws IOException {
        LogSurvey survey = survey(
                log -> gps(log, 0, 0, 1, NEW_YEAR_US - 999_000_000_000L, 3, NEW_YEAR_US, 3, NEW_YEAR_US + 7_000_000));

        // The third sample, at 13 s.
        assertThat(survey.utcAt(13_000_000)).contains(Instant.parse("2026-01-01T00:00:00Z"));
    }

    @Test
    void utcOfTheBootInfoGoesBeforeThatOfTheReceiver() throws IOException {
        LogSurvey survey = survey(log -> {
            log.info(
                    Field.of(FieldType.UINT64, "boot_time_utc_us"),
                    ByteBuffer.allocate(Long.BYTES)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putLong(NEW_YEAR_US)
                            .array());
            gps(log, 3, NEW_YEAR_US + 500_000_000);
        });

        assertThat(survey.utcAt(1_000_000)).contains(Instant.parse("2026-01-01T00:00:01Z"));
    }

    private static void recorderStart(ULogWriter log, long utcUs) throws IOException {
        log.info(
                Field.of(FieldType.UINT64, "recorder_start_utc_us"),
                ByteBuffer.allocate(Long.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(utcUs)
                        .array());
    }

    @Test
    void utcOfTheRecorderIsThatOfTheLogsStart() throws IOException {
        LogSurvey survey = survey(log -> recorderStart(log, NEW_YEAR_US + 10_000_000));

        assertThat(survey.utcAt(10_500_000)).contains(Instant.parse("2026-01-01T00:00:10.500Z"));
    }

    @Test
    void utcOfAReceiverWithAFixGoesBeforeThatOfTheRecorder() throws IOException {
        LogSurvey survey = survey(log -> {
            recorderStart(log, NEW_YEAR_US - 77_000_000);
            gps(log, 2, NEW_YEAR_US + 600_000_000, 3, NEW_YEAR_US);
        });

        assertThat(survey.utcAt(12_000_000)).contains(Instant.parse("2026-01-01T00:00:00Z"));
    }

    @Test
    void clockThatWasNotSetGivesNoUtc() throws IOException {
        assertThat(survey(log -> gps(log, 3, 315_964_800_000_000L)).utcAt(0)).isEmpty();
    }

    @Test
    void textIsShownWithoutWhatSteersTheTerminal() throws IOException {
        LogSurvey survey = survey(log -> {
            log.info("sys_name", "\u001b]0;title\u0007PX4");
            log.loggedString(LogLevel.ERROR, 12_500_000, "\u001b[31mred " + "word ".repeat(40));
        });
        StringWriter text = new StringWriter();
        SurveyText.print("x.ulg", survey, SurveyText.Shown.DEFAULT, new PrintWriter(text));

        assertThat(text.toString()).contains("]0;title PX4").contains("+0:02.500      ERROR     [31mred word");
        assertThat(text.toString()).doesNotContain("\u001b").doesNotContain("\u0007");
        assertThat(text.toString().lines()).allMatch(line -> line.length() <= 100);
    }

    @Test
    void moreInfosThanAnyVehicleHasAreRefused() throws IOException {
        assertThatThrownBy(() -> survey(log -> {
                    for (int i = 0; i < 5000; i++) {
                        log.info("key" + i, "value");
                    }
                }))
                .isInstanceOf(ULogException.class)
                .hasMessageContaining("more than 4096 infos");
    }
}
