package org.mavlogd.ulog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How to use the library: write, read, repair a log, and append to one. */
class ExamplesTest {
    @TempDir
    private Path directory = Path.of(".");

    @Test
    void writesALog() throws IOException {
        Path file = writeLog();

        Contents contents = Contents.of(Files.readAllBytes(file), 4096);
        assertThat(Contents.at(contents.samples, "cpu:0")).isEqualTo(1000);
        assertThat(Contents.at(contents.infos, "sys_name").text()).isEqualTo("example");
    }

    @Test
    void readsALog() throws IOException {
        Path file = writeLog();

        double[] sum = new double[1];
        ULogReader.read(file, new ULogHandler() {
            private Column load = new Column("", FieldType.FLOAT, 0, 1, false);

            @Override
            public void onTopic(Topic topic) {
                load = topic.layout().orElseThrow().column("load").orElseThrow();
            }

            @Override
            public void onSample(SampleView sample) {
                sum[0] += sample.number(load);
            }
        });

        assertThat(sum[0]).isEqualTo(0.5 * 1000);
    }

    @Test
    void repairsALog() throws IOException {
        byte[] bytes = Files.readAllBytes(writeLog());
        Arrays.fill(bytes, 8000, 9000, (byte) 0);
        Path damaged = Files.write(directory.resolve("damaged.ulg"), bytes);
        Path whole = directory.resolve("whole.ulg");

        RepairResult result;
        try (FileSink sink = FileSink.create(whole)) {
            result = ULogRepair.repair(damaged, sink, ULogRepair.Orphans.DROP);
        }

        assertThat(result.isWhole()).isFalse();
        assertThat(result.damagedSpans()).isEqualTo(1);
        Contents contents = Contents.of(Files.readAllBytes(whole), 4096);
        assertThat(Contents.at(contents.samples, "cpu:0")).isBetween(940, 960);
        assertThat(contents.damagedBytes).isZero();
        // The gap is marked by a dropout as long as the missing time: some fifty samples of 10 ms.
        assertThat(contents.dropouts)
                .singleElement()
                .satisfies(ms -> assertThat(ms).isBetween(400, 600));
    }

    @Test
    void appendsACrashToALogThatWasCut() throws IOException {
        byte[] bytes = Files.readAllBytes(writeLog());
        Path cut = Files.write(directory.resolve("cut.ulg"), Arrays.copyOf(bytes, bytes.length - 4));

        new ULogAppender()
                .crashText("hard fault at 0x0800_1234")
                .taggedString(LogLevel.EMERGENCY, 1, 10_000_000, "restarted by watchdog")
                .appendTo(cut);

        Contents contents = Contents.of(Files.readAllBytes(cut), 4096);
        assertThat(Contents.at(contents.samples, "cpu:0")).isEqualTo(999);
        assertThat(contents.multiInfos).containsKey(ULogAppender.CRASH_TEXT_NAME);
        assertThat(contents.texts).extracting(LoggedText::text).contains("restarted by watchdog");
    }

    private Path writeLog() throws IOException {
        Path file = directory.resolve("log.ulg");
        try (FileSink sink = FileSink.create(file)) {
            ULogWriter log = new ULogWriter(sink, 0, WriterSettings.DEFAULT);
            log.info("sys_name", "example");
            log.format(TopicFormat.parse("cpu:uint64_t timestamp;float load;"));
            TopicWriter cpu = log.subscribe("cpu", 0);
            Column load = cpu.column("load");
            for (int i = 0; i < 1000; i++) {
                cpu.begin(10_000L * i).float32(load, 0.5f).write();
            }
            log.close();
        }
        return file;
    }
}
