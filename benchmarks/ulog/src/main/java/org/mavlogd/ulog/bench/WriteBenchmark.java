package org.mavlogd.ulog.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.mavlogd.ulog.ChannelSink;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.TopicWriter;
import org.mavlogd.ulog.ULogWriter;
import org.mavlogd.ulog.WriterSettings;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Writes samples of 64 bytes to a file that grows as a log does, and is emptied before each 9 MB. */
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class WriteBenchmark {
    private static final int MESSAGES = 1 << 17;
    private static final int SAMPLE_BYTES = 64;
    private static final int HEAD_BYTES = 5;

    private final byte[] sample = new byte[SAMPLE_BYTES];
    private final ByteBuffer sampleBuffer = ByteBuffer.wrap(sample).order(ByteOrder.LITTLE_ENDIAN);
    private final ByteBuffer buffer =
            ByteBuffer.allocateDirect(WriterSettings.DEFAULT.bufferBytes()).order(ByteOrder.LITTLE_ENDIAN);
    private Path file;
    private FileChannel channel;
    private ULogWriter log;
    private TopicWriter topic;
    private Column[] values;
    private long timestampUs;

    @Setup
    public void open() throws IOException {
        file = Files.createTempFile("ulog-benchmark", ".ulg");
        channel = FileChannel.open(file, StandardOpenOption.WRITE);
        log = new ULogWriter(new ChannelSink(channel), 0, WriterSettings.DEFAULT);
        log.format(TopicFormat.parse("values:uint64_t timestamp;float a;float b;float c;float d;float[10] e;"));
        topic = log.subscribe("values", 0);
        values = new Column[] {topic.column("a"), topic.column("b"), topic.column("c"), topic.column("d")};
    }

    @Setup(Level.Invocation)
    public void empty() throws IOException {
        channel.truncate(0);
    }

    @TearDown
    public void close() throws IOException {
        channel.close();
        Files.delete(file);
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void floor() throws IOException {
        for (int i = 0; i < MESSAGES; i++) {
            sampleBuffer.putLong(0, timestampUs += 100);
            if (buffer.remaining() < HEAD_BYTES + SAMPLE_BYTES) {
                writeFloor();
            }
            buffer.putShort((short) (SAMPLE_BYTES + 2)).put((byte) 'D').putShort((short) 0);
            buffer.put(sample, 0, SAMPLE_BYTES);
        }
        writeFloor();
    }

    private void writeFloor() throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        buffer.clear();
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void raw() throws IOException {
        for (int i = 0; i < MESSAGES; i++) {
            sampleBuffer.putLong(0, timestampUs += 100);
            topic.writeRaw(sample, 0, SAMPLE_BYTES);
        }
        log.flush();
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void typed() throws IOException {
        for (int i = 0; i < MESSAGES; i++) {
            topic.begin(timestampUs += 100);
            for (Column value : values) {
                topic.float32(value, i);
            }
            topic.write();
        }
        log.flush();
    }
}
