package org.mavlogd.edit;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.Arrays;
import org.mavlogd.logtools.LogDamage;
import org.mavlogd.logtools.LogSource;
import org.mavlogd.logtools.OutputFile;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.ChannelSink;
import org.mavlogd.ulog.FlagBits;
import org.mavlogd.ulog.MessageEncoder;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.TopicLayout;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogLayout;
import org.mavlogd.ulog.ULogSink;

/**
 * The base of operations that copy messages of logs, byte for byte, into a new log; a subclass selects and changes
 * messages.
 *
 * <p>It only receives intact messages: {@link LogSource#readSound} has marked the gaps and made appended sections part
 * of the data.
 */
public abstract class LogCopy implements ULogHandler {
    /** The path {@code -}: the new log goes to standard output. */
    public static final Path STANDARD_OUTPUT = LogSource.STANDARD_INPUT;

    private static final int BUFFER_BYTES = 64 * 1024;

    private final ByteBuffer encoded =
            ByteBuffer.allocate(ULogLayout.MAX_MESSAGE_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    private final ULogSink sink;
    private byte[] buffer = {};
    private int offset;
    private int length;
    private long samples;

    LogCopy(ULogSink sink) {
        this.sink = sink;
    }

    /**
     * The result of a copy.
     *
     * @param logs the damaged ones of several logs, not counting truncated ends; empty if there is only one
     * @param damage of the source logs
     * @param samples number of samples in the new log
     * @param bytes size of the new log
     * @param leftOut number of messages that the new log cannot have
     * @param remarks on its contents; may be empty
     */
    public record Result(String logs, LogDamage damage, long samples, long bytes, long leftOut, String remarks) {
        /** The result in one line. */
        public String text() {
            return Words.count(samples, "sample") + ", " + Words.bytes(bytes)
                    + (remarks.isEmpty() ? "" : "; " + remarks);
        }
    }

    /** Reads logs and writes the new one. */
    @FunctionalInterface
    interface Work {
        Result write(ULogSink sink) throws IOException;
    }

    /**
     * Writes the file, which appears when it is complete; {@link #STANDARD_OUTPUT} receives the log while it is
     * written.
     */
    static Result write(Path target, OutputFile.Existing existing, Work work) throws IOException {
        if (target.equals(STANDARD_OUTPUT)) {
            return writeToStandardOutput(work);
        }
        try (OutputFile out = OutputFile.at(target, existing)) {
            Result result;
            try (OutputFile.Sink sink = new OutputFile.Sink(out)) {
                result = work.write(sink);
                sink.flush();
            }
            out.commit();
            return result;
        }
    }

    private static Result writeToStandardOutput(Work work) throws IOException {
        BufferedOutputStream buffered = new BufferedOutputStream(System.out, BUFFER_BYTES);
        Result result = work.write(new ChannelSink(Channels.newChannel(buffered)));
        buffered.flush();
        return result;
    }

    @Override
    public void onMessage(int type, byte[] bytes, int from, int count) throws IOException {
        buffer = bytes;
        offset = from;
        length = count;
    }

    @Override
    public void onFlagBits(FlagBits flags) throws IOException {
        copy();
    }

    /** Copies the current message unchanged. */
    final void copy() throws IOException {
        copy(buffer, offset, length);
    }

    final void copySample() throws IOException {
        copySample(buffer, offset, length);
    }

    final void copySample(byte[] bytes, int from, int count) throws IOException {
        samples++;
        copy(bytes, from, count);
    }

    final void copy(byte[] bytes, int from, int count) throws IOException {
        sink.write(ByteBuffer.wrap(bytes, from, count));
    }

    /** A copy of the current message. */
    final byte[] message() {
        return Arrays.copyOfRange(buffer, offset, offset + length);
    }

    final void write(byte[] message) throws IOException {
        copy(message, 0, message.length);
    }

    static boolean isTimed(SampleView sample) {
        return sample.timestampUs() != 0
                || sample.topic().layout().flatMap(TopicLayout::timestamp).isPresent();
    }

    final void header(int version, long startUs) throws IOException {
        MessageEncoder.header(encoded, startUs);
        encoded.put(ULogLayout.VERSION_OFFSET, (byte) version);
        writeEncoded();
    }

    final void info(String name, long value) throws IOException {
        MessageEncoder.infoUint64(encoded, name, value);
        writeEncoded();
    }

    /** A buffer for a new message; {@link #writeEncoded} writes it. */
    final ByteBuffer encoded() {
        return encoded;
    }

    final void writeEncoded() throws IOException {
        sink.write(encoded.flip());
        encoded.clear();
    }

    final long samples() {
        return samples;
    }

    final Result result(String logs, LogDamage damage, long leftOut, String remarks) {
        return new Result(logs, damage, samples, sink.position(), leftOut, remarks);
    }
}
