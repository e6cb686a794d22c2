package org.mavlogd.tables;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mavlogd.exports.McapExport;
import org.mavlogd.logtools.LogDamage;
import org.mavlogd.logtools.OutputFile;
import org.mavlogd.logtools.Progress;
import org.mavlogd.logtools.TimeRange;
import org.mavlogd.logtools.TopicChoice;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.LoggedText;
import org.mavlogd.ulog.Parameter;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.ULogException;
import org.mavlogd.ulog.ULogHandler;

/**
 * Converts a log to MCAP. Reads it twice: UTC may be only at its end, and is needed for the first message.
 *
 * @param messages number of samples
 * @param topics number of topics with samples
 * @param isUtc whether the log's UTC is known; otherwise times count from the start of the vehicle's clock
 * @param bytes size of the new file
 */
public record McapConversion(long messages, int topics, boolean isUtc, long bytes, LogDamage damage) {
    /**
     * Converts a log.
     *
     * @param library name and version of the writing program
     * @param out committed only when everything is written
     * @throws ULogException if it is not a log, or is refused
     */
    public static McapConversion convert(Path log, String library, OutputFile out, Progress progress)
            throws IOException {
        McapConversion conversion;
        try (OutputFile.Sink sink = new OutputFile.Sink(out)) {
            Choice all = new Choice(TopicChoice.all(), TimeRange.ALL);
            conversion = write(log, library, all, sink.channel(), progress);
            sink.flush();
        }
        out.commit();
        return conversion;
    }

    /** The contents of the file: samples of these topics and times, messages of these times, and everything else. */
    public record Choice(TopicChoice topics, TimeRange range) {}

    /**
     * Writes a log, or a part of it, to a channel. Writes nothing before the log has been read once and found valid.
     *
     * @param library name and version of the writing program
     * @throws ULogException if it is not a log, is refused, or lacks a requested topic or samples
     */
    public static McapConversion write(
            Path log, String library, Choice choice, WritableByteChannel out, Progress progress) throws IOException {
        Counted counted = new Counted(out);
        Selection selection = new Selection(choice, library, counted);
        selection.readTwice(log, progress);
        McapExport export = selection.finish();
        return new McapConversion(
                export.messages(),
                export.topics(),
                selection.utc().bootUtcUs() != 0,
                counted.bytes,
                selection.damage());
    }

    /** Passes on the selected contents. */
    private static final class Selection extends ChosenSamples {
        private final String library;
        private final WritableByteChannel out;
        private @Nullable McapExport export;

        Selection(Choice choice, String library, WritableByteChannel out) {
            super(choice.topics, choice.range);
            this.library = library;
            this.out = out;
        }

        private McapExport export() {
            return Objects.requireNonNull(export, "made before anything is passed on");
        }

        McapExport finish() throws IOException {
            export().finish();
            return export();
        }

        @Override
        void onPreview(Set<String> instances) throws IOException {
            topics().requireMatches();
            if (!topics().isAll() && instances.isEmpty()) {
                throw new ULogException("no samples of " + topics().text());
            }
            export = new McapExport(out, library, utc().bootUtcUs(), new ULogHandler() {});
        }

        @Override
        public void onStart(int version, long startUs) throws IOException {
            super.onStart(version, startUs);
            export().onStart(version, startUs);
        }

        @Override
        public void onFormat(TopicFormat format) {
            export().onFormat(format);
        }

        @Override
        public void onInfo(KeyedValue info) throws IOException {
            export().onInfo(info);
        }

        @Override
        public void onMultiInfo(KeyedValue info, boolean continued) throws IOException {
            export().onMultiInfo(info, continued);
        }

        @Override
        public void onParameter(Parameter parameter, boolean change) throws IOException {
            export().onParameter(parameter, change);
        }

        @Override
        public void onDefaultParameter(Parameter parameter, int defaultTypes) throws IOException {
            export().onDefaultParameter(parameter, defaultTypes);
        }

        /** Parameters, dropouts and samples without time have that of the sample before, of any topic. */
        @Override
        void onTime(long timeUs) {
            export().onTime(timeUs);
        }

        @Override
        void onChosen(SampleView sample, long timeUs) throws IOException {
            export().onSample(sample);
        }

        @Override
        public void onLoggedText(LoggedText text) throws IOException {
            if (isInRange(text.timestampUs())) {
                export().onLoggedText(text);
            }
        }

        @Override
        public void onDropout(int durationMs) throws IOException {
            if (isInRange()) {
                export().onDropout(durationMs);
            }
        }
    }

    /** Counts the written bytes. */
    private static final class Counted implements WritableByteChannel {
        private final WritableByteChannel out;
        private long bytes;

        Counted(WritableByteChannel out) {
            this.out = out;
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            int count = out.write(source);
            bytes += count;
            return count;
        }

        @Override
        public boolean isOpen() {
            return out.isOpen();
        }

        @Override
        public void close() {
            // The channel belongs to the caller.
        }
    }

    /** The result in one line. */
    public String text() {
        return Words.count(messages, "message") + " of " + Words.count(topics, "topic") + ", " + Words.bytes(bytes)
                + (isUtc ? "" : "; the log has no UTC: times count from the start of the vehicle's clock");
    }
}
