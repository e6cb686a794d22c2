package org.mavlogd.ulog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ULogWriterTest {
    private static final WriterSettings KEEPING =
            new WriterSettings(ULogLayout.MAX_MESSAGE_LENGTH, 0, TimestampPolicy.COUNT_AND_KEEP);

    private final MemorySink sink = new MemorySink();
    private final ULogWriter log = new ULogWriter(sink, 1000, WriterSettings.DEFAULT);

    @Test
    void writesEveryKindOfMessage() throws IOException {
        log.info("sys_name", "mavlogd");
        log.info("time_ref_utc", -3600);
        log.infoUint32("ver_sw_release", 0x010402FFL);
        log.info(Field.array(FieldType.UINT8, 3, "serial"), new byte[] {1, 2, 3});
        String longText = "\u20acuro ".repeat(30_000);
        log.multiInfo("boot", longText);
        log.defaultParameter(ULogWriter.SYSTEM_DEFAULT | ULogWriter.CONFIGURATION_DEFAULT, "GAIN", 1f);
        log.parameter("GAIN", 2f);
        log.parameter("MODE", 3);
        log.format(TopicFormat.parse(
                "cpu:uint64_t timestamp;float[2] load;core[2] cores;char[8] name;uint8_t[3] _padding0;"));
        log.format(TopicFormat.parse("core:int16_t temperature;bool busy;uint8_t[1] _padding0;"));
        TopicWriter cpu = log.subscribe("cpu", 0);
        TopicWriter second = log.subscribe("cpu", 1);
        cpu.begin(2000)
                .float32(cpu.column("load"), 1, 0.5f)
                .integer(cpu.column("cores[1].temperature"), -40)
                .bool(cpu.column("cores[0].busy"), true)
                .text(cpu.column("name"), "caf\u00e9")
                .write();
        second.writeRaw(new byte[cpu.layout().size()], 0, cpu.layout().size());
        for (LogLevel level : LogLevel.values()) {
            log.taggedString(level, 7, 3000, "text");
        }
        log.loggedString(LogLevel.INFO, 3000, "plain");
        log.dropout(200_000);
        log.parameter("MODE", 4);
        log.unsubscribe(second);
        log.close();

        Contents contents = Contents.of(sink.toByteArray(), 7);
        assertThat(contents.flawed + contents.damagedBytes + contents.cuts + contents.unknown)
                .isZero();
        assertThat(contents.samples).containsEntry("cpu:0", 1).containsEntry("cpu:1", 1);
        assertThat(Contents.at(contents.values, "cpu:0.load")).containsExactly(0.0, 0.5);
        assertThat(Contents.at(contents.values, "cpu:0.cores[1].temperature")).containsExactly(-40.0);
        assertThat(Contents.at(contents.values, "cpu:0.cores[0].busy")).containsExactly(1.0);
        assertThat(String.join("", Contents.at(contents.multiInfos, "boot").get(0)))
                .isEqualTo(longText);
        assertThat(contents.systemDefaults).containsKey("GAIN");
        assertThat(contents.setupDefaults).containsKey("GAIN");
        assertThat(contents.changes).containsExactly(new Parameter("MODE", FieldType.INT32, 4));
        assertThat(contents.texts).extracting(LoggedText::level).contains(LogLevel.values());
        assertThat(contents.dropouts).containsExactly(65_535, 65_535, 65_535, 3395);
        assertThat(Contents.at(contents.infos, "serial").bytes()).containsExactly(1, 2, 3);
        assertThat(Contents.at(contents.infos, "ver_sw_release").integer()).isEqualTo(0x010402FF);
        assertThat(sink.toByteArray()[ULogLayout.COMPAT_FLAGS_POSITION]).isEqualTo((byte) 1);
    }

    @Test
    void leavesOutThePaddingAtTheEnd() throws IOException {
        log.format(TopicFormat.parse("t:uint64_t timestamp;uint8_t x;uint8_t[7] _padding0;"));
        TopicWriter topic = log.subscribe("t", 0);
        long before = log.position();

        topic.begin(1).write();

        assertThat(log.position() - before).isEqualTo(3 + 2 + 9);
    }

    @Test
    void writesMarkersOnTheInterval() throws IOException {
        log.format(TopicFormat.parse("t:uint64_t timestamp;"));
        TopicWriter topic = log.subscribe("t", 0);

        for (long us = 0; us <= 2_000_000; us += 10_000) {
            topic.begin(us).write();
        }
        log.close();

        assertThat(Contents.of(sink.toByteArray(), 4096).syncs).isEqualTo(4);
    }

    @Test
    void refusesTimesThatRunBackwardsOrCountsThem() throws IOException {
        log.format(TopicFormat.parse("t:uint64_t timestamp;"));
        TopicWriter topic = log.subscribe("t", 0);
        topic.begin(5000).write();
        long position = log.position();

        assertThatThrownBy(() -> topic.begin(4999).write())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'D' message \"t\"");
        assertThat(log.position()).isEqualTo(position);

        ULogWriter keeping = new ULogWriter(new MemorySink(), 0, KEEPING);
        keeping.format(TopicFormat.parse("t:uint64_t timestamp;"));
        TopicWriter kept = keeping.subscribe("t", 0);
        kept.begin(5000).write();
        kept.begin(4999).write();
        assertThat(keeping.backwardTimestamps()).isEqualTo(1);
    }

    @Test
    void refusesWhatBreaksTheOrder() throws IOException {
        assertThatThrownBy(() -> log.dropout(1)).hasMessageContaining("'O' message");
        assertThatThrownBy(log::sync).hasMessageContaining("'S' message");
        assertThatThrownBy(() -> log.subscribe("t", 0)).hasMessageContaining("format is declared before");
        log.format(TopicFormat.parse("t:uint64_t timestamp;"));
        assertThatThrownBy(() -> log.subscribe("t", 1)).hasMessageContaining("first multi id is 0");
        TopicWriter topic = log.subscribe("t", 0);
        assertThatThrownBy(() -> log.subscribe("t", 0)).hasMessageContaining("subscribed once");
        assertThatThrownBy(() -> log.format(TopicFormat.parse("u:uint64_t timestamp;")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'F' message \"u\"");
        assertThatThrownBy(topic::write).hasMessageContaining("begins before");
        log.unsubscribe(topic);
        assertThatThrownBy(() -> topic.begin(1).write()).hasMessageContaining("unsubscribed");
        assertThatThrownBy(() -> log.unsubscribe(topic)).isInstanceOf(IllegalStateException.class);
        log.close();
        assertThatThrownBy(() -> log.info("late", 1)).hasMessageContaining("closed");
        assertThat(Contents.of(sink.toByteArray(), 1).flawed).isZero();
    }

    @Test
    void refusesFormatsThatReadersRefuse() throws IOException {
        for (String text : List.of(
                "bad name:uint64_t timestamp;",
                "float:uint64_t timestamp;",
                "t:",
                "t:uint64_t time-stamp;",
                "t:uint8_t x;uint8_t x;",
                "t:uint8_t[0] x;")) {
            TopicFormat format = TopicFormat.parse(text);
            assertThatThrownBy(() -> log.format(format)).as(text).isInstanceOf(IllegalArgumentException.class);
        }
        log.format(TopicFormat.parse("no_time:uint8_t x;"));
        log.format(TopicFormat.parse("old:uint32_t timestamp;"));
        log.format(TopicFormat.parse("undefined:uint64_t timestamp;nowhere x;"));
        log.format(TopicFormat.parse("ring:uint64_t timestamp;ring next;"));
        log.format(TopicFormat.parse("large:uint64_t timestamp;uint64_t[9000] x;"));
        for (String name : List.of("no_time", "old", "undefined", "ring", "large")) {
            assertThatThrownBy(() -> log.subscribe(name, 0)).as(name).hasMessageContaining("'A' message \"" + name);
        }
    }

    @Test
    void refusesInfosAndTextsThatReadersRefuse() throws IOException {
        log.info("a", 1);
        assertThatThrownBy(() -> log.info("a", "again")).hasMessageContaining("given once");
        assertThatThrownBy(() -> log.info("with space", 1)).hasMessageContaining("'I' message");
        assertThatThrownBy(() -> log.info("empty", "")).hasMessageContaining("not empty");
        assertThatThrownBy(() -> log.info(Field.of(FieldType.UINT32, "short"), new byte[2]))
                .hasMessageContaining("declared length");
        assertThatThrownBy(() -> log.loggedString(LogLevel.INFO, 0, "")).hasMessageContaining("'L' message");
        assertThatThrownBy(() -> log.taggedString(LogLevel.INFO, 65_536, 0, "x"))
                .hasMessageContaining("tag");
        assertThatThrownBy(() -> log.defaultParameter(0, "P", 1)).hasMessageContaining("default types");
        log.parameter("P", 1);
        assertThatThrownBy(() -> log.parameter("P", 2)).hasMessageContaining("given once");
    }

    @Test
    void refusesValuesThatAreNotTheFields() throws IOException {
        log.format(TopicFormat.parse("t:uint64_t timestamp;uint8_t x;float f;char[3] s;"));
        TopicWriter topic = log.subscribe("t", 0);
        topic.begin(1);
        assertThatThrownBy(() -> topic.integer(topic.column("x"), 256)).hasMessageContaining("256 is not in 0 to 255");
        assertThatThrownBy(() -> topic.float32(topic.column("x"), 1)).hasMessageContaining("uint8_t");
        assertThatThrownBy(() -> topic.integer(topic.column("f"), 1)).hasMessageContaining("float");
        assertThatThrownBy(() -> topic.text(topic.column("s"), "four")).hasMessageContaining("exceeds the 3 bytes");
        assertThatThrownBy(() -> topic.column("none")).hasMessageContaining("no field");
        assertThatThrownBy(() -> topic.writeRaw(new byte[5], 0, 5)).hasMessageContaining("5 bytes");
    }

    @Test
    void flagsDefaultsInAFileThatHasBeenWrittenOrRefuses(@TempDir Path directory) throws IOException {
        String large = "x".repeat(60_000);
        Path file = directory.resolve("log.ulg");
        try (FileSink fileSink = FileSink.create(file)) {
            ULogWriter writer = new ULogWriter(fileSink, 0, KEEPING);
            writer.multiInfo("large", large);
            writer.multiInfo("large", large);
            writer.defaultParameter(ULogWriter.SYSTEM_DEFAULT, "P", 1);
            writer.close();
        }
        assertThat(Files.readAllBytes(file)[ULogLayout.COMPAT_FLAGS_POSITION]).isEqualTo((byte) 1);

        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ULogWriter writer = new ULogWriter(new ChannelSink(Channels.newChannel(out)), 0, KEEPING);
        writer.multiInfo("large", large);
        writer.multiInfo("large", large);
        assertThatThrownBy(() -> writer.defaultParameter(ULogWriter.SYSTEM_DEFAULT, "P", 1))
                .hasMessageContaining("'Q' message");
    }

    @Test
    void refusesFurtherMessagesOnceTheSinkHasFailed() throws IOException {
        ULogWriter failing = new ULogWriter(
                new ULogSink() {
                    @Override
                    public void write(ByteBuffer bytes) throws IOException {
                        throw new IOException("no space");
                    }

                    @Override
                    public long position() {
                        return 0;
                    }
                },
                0,
                KEEPING);

        assertThatThrownBy(failing::flush).hasMessage("no space");
        assertThatThrownBy(() -> failing.info("a", 1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void allocatesNothingPerSample() throws IOException {
        ULogWriter writer = new ULogWriter(new NullSink(), 0, WriterSettings.DEFAULT);
        writer.format(TopicFormat.parse("t:uint64_t timestamp;float[12] x;char[8] s;"));
        TopicWriter topic = writer.subscribe("t", 0);
        Column x = topic.column("x");
        Column s = topic.column("s");
        byte[] raw = "\0\0\0\0\0\0\0\177".repeat(8).getBytes(StandardCharsets.ISO_8859_1);
        writeSamples(writer, topic, x, s, raw, 0, 20_000);

        com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        writeSamples(writer, topic, x, s, raw, 20_000, 100_000);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(allocated).as("bytes for 80,000 samples and 80,000 strings").isLessThan(80_000);
    }

    private static void writeSamples(
            ULogWriter writer, TopicWriter topic, Column x, Column s, byte[] raw, int from, int to) throws IOException {
        for (int i = from; i < to; i++) {
            topic.begin(i).float32(x, 3, i).text(s, "text").write();
            Bytes.putInt64(raw, 0, i);
            topic.writeRaw(raw, 0, raw.length);
            writer.loggedString(LogLevel.INFO, i, "text");
        }
    }

    private static final class NullSink implements ULogSink {
        private long position;

        @Override
        public void write(ByteBuffer bytes) {
            position += bytes.remaining();
            bytes.position(bytes.limit());
        }

        @Override
        public long position() {
            return position;
        }
    }

    @Test
    void largestSampleAndAMarkerGoThroughTheSmallestBuffer() throws IOException {
        MemorySink small = new MemorySink();
        ULogWriter writer =
                new ULogWriter(small, 0, new WriterSettings(ULogLayout.MAX_MESSAGE_LENGTH, 10, TimestampPolicy.REFUSE));
        writer.format(TopicFormat.parse("big:uint64_t timestamp;uint8_t[65525] rest;"));
        TopicWriter big = writer.subscribe("big", 0);
        for (int i = 0; i < 3; i++) {
            big.begin(10L * i).write();
        }
        writer.close();

        Contents contents = Contents.of(small.toByteArray(), 4096);
        assertThat(contents.times).containsEntry("big:0", List.of(0L, 10L, 20L));
        assertThat(contents.syncs).isEqualTo(2);
        assertThat(contents.damagedBytes).isZero();
    }

    @Test
    void refusesSamplesOfAClosedLogWhateverTheirTime() throws IOException {
        log.format(TopicFormat.parse("cpu:uint64_t timestamp;"));
        TopicWriter cpu = log.subscribe("cpu", 0);
        cpu.begin(5).write();
        log.close();
        byte[] closed = sink.toByteArray();

        for (long timestampUs : new long[] {0, 5, 6, 1_000_000, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> cpu.begin(timestampUs).write())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
        assertThat(sink.toByteArray()).isEqualTo(closed);
    }

    @Test
    void infoThatWasRefusedCanBeGivenAgain() throws IOException {
        String name = "n".repeat(240);
        Field tooLong = Field.array(FieldType.UINT16, 10_000, name);

        assertThatThrownBy(() -> log.info(tooLong, new byte[20_000])).isInstanceOf(IllegalArgumentException.class);
        log.info(name, 7);
        log.close();

        assertThat(Contents.of(sink.toByteArray(), 4096).infos).containsKey(name);
    }
}
