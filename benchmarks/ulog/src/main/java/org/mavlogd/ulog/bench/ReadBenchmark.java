package org.mavlogd.ulog.bench;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.mavlogd.ulog.MessageCursor;
import org.mavlogd.ulog.MessageHandler;
import org.mavlogd.ulog.MessageWalker;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.ScanHandler;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogReader;
import org.mavlogd.ulog.ULogScanner;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Reads a log in memory in chunks of 64 KiB, or a mapped file. */
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class ReadBenchmark {
    private static final int CHUNK = 64 * 1024;

    /** Throughput, in millions per second. */
    @AuxCounters
    @State(Scope.Thread)
    public static class Volume {
        public double megabytes;
        public double millionMessages;
    }

    private byte[] log;
    private MappedByteBuffer mapped;
    private int messages;

    @Setup
    public void load() throws IOException {
        log = Samples.log();
        Path file = Files.createTempFile("ulog-benchmark", ".ulg");
        Files.write(file, log);
        try (FileChannel channel = FileChannel.open(file)) {
            mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, log.length);
        }
        mapped.load();
        mapped.order(ByteOrder.LITTLE_ENDIAN);
        Files.delete(file);
    }

    @Benchmark
    public int walkFloor(Volume volume) {
        int count = 0;
        for (int at = 16; at + 3 <= mapped.limit(); at += 3 + (mapped.getShort(at) & 0xFFFF)) {
            count += mapped.get(at + 2) == 'D' ? 1 : 0;
        }
        return done(volume, count);
    }

    @Benchmark
    public int walk(Volume volume) throws IOException {
        int count = 0;
        MessageCursor cursor = new MessageCursor(mapped);
        while (cursor.next()) {
            count += cursor.type() == 'D' ? 1 : 0;
        }
        return done(volume, count);
    }

    /** Walks in chunks, each of which is copied, as from a stream. */
    @Benchmark
    public int walkChunks(Volume volume) throws IOException {
        messages = 0;
        MessageHandler handler = (type, buffer, offset, length) -> messages += type == 'D' ? 1 : 0;
        MessageWalker walker = new MessageWalker(handler);
        for (int at = 0; at < log.length; at += CHUNK) {
            walker.feed(log, at, Math.min(CHUNK, log.length - at));
        }
        return done(volume, messages);
    }

    /** Judges every message. */
    @Benchmark
    public int scan(Volume volume) throws IOException {
        messages = 0;
        ScanHandler handler = (type, buffer, offset, length) -> messages += type == 'D' ? 1 : 0;
        ULogScanner scanner = new ULogScanner(handler);
        for (int at = 0; at < log.length; at += CHUNK) {
            scanner.feed(log, at, Math.min(CHUNK, log.length - at));
        }
        scanner.finish();
        return done(volume, messages);
    }

    /** Decodes every field of every sample as a number. */
    @Benchmark
    public double decode(Volume volume) throws IOException {
        Decoder decoder = new Decoder();
        ULogReader reader = new ULogReader(decoder);
        for (int at = 0; at < log.length; at += CHUNK) {
            reader.feed(log, at, Math.min(CHUNK, log.length - at));
        }
        reader.finish();
        done(volume, decoder.samples);
        return decoder.last;
    }

    private int done(Volume volume, int count) {
        volume.megabytes += log.length / 1e6;
        volume.millionMessages += count / 1e6;
        return count;
    }

    private static final class Decoder implements ULogHandler {
        private double[] numbers = {};
        private int samples;
        private double last;

        @Override
        public void onTopic(Topic topic) {
            int needed = topic.layout().map(layout -> layout.elementCount()).orElse(0);
            numbers = needed > numbers.length ? new double[needed] : numbers;
        }

        @Override
        public void onSample(SampleView sample) {
            int count = sample.numbers(numbers);
            samples++;
            last += numbers[count - 1];
        }
    }
}
