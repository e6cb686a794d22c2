package org.mavlogd.edit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mavlogd.logtools.LogDamage;
import org.mavlogd.logtools.OutputFile;
import org.mavlogd.logtools.Progress;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.MessageEncoder;
import org.mavlogd.ulog.MessageType;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.ULogException;
import org.mavlogd.ulog.ULogLayout;
import org.mavlogd.ulog.ULogSink;

/**
 * Merges logs: parts of one flight into one log, and logs of other computers by their clocks.
 *
 * <p>Each log is read twice: first for its definitions and its clock ({@link MergePlan}), then for its messages, which
 * are merged in the order of their times. Few logs are open at a time, and each holds a few batches of messages: memory
 * does not grow with their size.
 */
public final class LogMerge extends LogCopy {
    /** The list of infos with the changes to each log. */
    static final String CHANGES = "merged_logs";

    private static final int MAX_OPEN = 16;
    private static final int MAX_REMARK = 16_000;
    // Samples of one vehicle that an overlapping log may repeat.
    private static final int MAX_REMEMBERED = 32_768;

    private final MergePlan plan;
    private final List<MergeStream> open = new ArrayList<>();
    private final Map<String, Integer> parameters = new HashMap<>();
    // By source; only for sources with several logs.
    private final Map<Integer, Duplicates> duplicates = new HashMap<>();
    private final List<String> damaged = new ArrayList<>();
    private boolean begun;
    private long left;
    private long dropoutsBeside;
    private long earlySamples;
    private long earlyTexts;
    private long doneBytes;
    private LogDamage damage = LogDamage.NONE;

    private LogMerge(ULogSink sink, MergePlan plan) {
        super(sink);
        this.plan = plan;
        for (MergePlan.Part part : plan.parts()) {
            if (plan.isInParts(part.source())) {
                duplicates.put(part.source(), new Duplicates());
            }
        }
    }

    /**
     * Merges logs.
     *
     * @throws ULogException if a file is not a log or is refused, or if the relation of their clocks is unknown
     */
    public static Result merge(
            List<Path> logs, Path out, OutputFile.Existing existing, MergeClocks.Align align, Progress progress)
            throws IOException {
        long bytes = 0;
        for (Path log : logs) {
            bytes += Files.size(log);
        }
        MergePlan plan = new MergePlan(read(logs, 2 * bytes, progress), align);
        long first = bytes;
        return write(out, existing, sink -> {
            LogMerge merge = new LogMerge(sink, plan);
            merge.doneBytes = first;
            try {
                merge.run((done, total) -> progress.onProgress(done, 2 * first));
            } finally {
                merge.open.forEach(MergeStream::close);
            }
            return merge.result();
        });
    }

    private static List<MergeInput> read(List<Path> logs, long totalBytes, Progress progress) throws IOException {
        List<MergeInput> inputs = new ArrayList<>();
        MergeInput.Definitions definitions = new MergeInput.Definitions();
        long before = 0;
        for (Path log : logs) {
            long base = before;
            try {
                inputs.add(MergeInput.read(log, definitions, done -> progress.onProgress(base + done, totalBytes)));
            } catch (ULogException refused) {
                throw new FileSystemException(log.toString(), null, refused.getMessage());
            }
            before += Files.size(log);
        }
        return inputs;
    }

    private void run(Progress progress) throws IOException {
        writeDefinitions();
        int nextPart = 0;
        MergeStream head = null;
        while (true) {
            head = earliest(head);
            if (nextPart < plan.parts().size()
                    && (head == null || plan.parts().get(nextPart).beginUs() <= head.timeUs())) {
                open(plan.parts().get(nextPart));
                nextPart++;
            } else if (head == null) {
                begin();
                return;
            } else {
                copyMessage(head);
                advance(head, progress);
            }
        }
    }

    /**
     * The stream with the earliest message; among equal times that of the last message, so that consecutive messages of
     * a log stay together.
     */
    private @Nullable MergeStream earliest(@Nullable MergeStream last) {
        MergeStream earliest = last != null && last.hasMessage() ? last : null;
        for (MergeStream stream : open) {
            if (earliest == null || stream.timeUs() < earliest.timeUs()) {
                earliest = stream;
            }
        }
        return earliest;
    }

    private void open(MergePlan.Part part) throws IOException {
        if (open.size() == MAX_OPEN) {
            throw new ULogException("more than " + MAX_OPEN + " logs that overlap in time; merge some of them first");
        }
        if (part.gapMs() > 0) {
            begin();
            for (long ms = part.gapMs(); ms > 0; ms -= ULogLayout.MAX_DROPOUT_MS) {
                MessageEncoder.dropouts(encoded(), Math.min(ms, ULogLayout.MAX_DROPOUT_MS));
                writeEncoded();
            }
        }
        MergeStream stream = new MergeStream(plan, part);
        open.add(stream);
        close(stream);
    }

    private void advance(MergeStream stream, Progress progress) throws IOException {
        long before = stream.doneBytes();
        stream.next();
        if (stream.doneBytes() != before) {
            progress.onProgress(
                    doneBytes + open.stream().mapToLong(MergeStream::doneBytes).sum(), 0);
        }
        close(stream);
    }

    private void close(MergeStream stream) throws IOException {
        if (stream.hasMessage()) {
            return;
        }
        open.remove(stream);
        damage = damage.plus(stream.damage());
        if (!stream.damage().withoutCut().isNone()) {
            damaged.add(stream.part().input().path.toString());
        }
        earlySamples += stream.earlySamples();
        earlyTexts += stream.earlyTexts();
        doneBytes += stream.doneBytes();
    }

    private void copyMessage(MergeStream from) throws IOException {
        byte[] bytes = from.buffer();
        int offset = from.offset();
        int length = from.length();
        switch (bytes[offset + ULogLayout.MESSAGE_TYPE_OFFSET]) {
            case MessageType.MULTI_INFO -> copy(bytes, offset, length);
            case MessageType.PARAMETER -> onParameter(bytes, offset, length);
            case MessageType.DATA -> onSample(from);
            case MessageType.LOGGED_STRING, MessageType.TAGGED_STRING -> {
                if (!isDuplicate(from)) {
                    begin();
                    copy(bytes, offset, length);
                }
            }
            case MessageType.DROPOUT -> {
                dropoutsBeside += isBesideOther(from) ? 1 : 0;
                begin();
                copy(bytes, offset, length);
            }
            default -> {
                begin();
                copy(bytes, offset, length);
            }
        }
    }

    private void onSample(MergeStream from) throws IOException {
        if (isDuplicate(from)) {
            left++;
        } else {
            begin();
            copySample(from.buffer(), from.offset(), from.length());
        }
    }

    /**
     * Whether another log of the same source has messages before and after this one. It may have what a dropout lost,
     * but nothing proves that it has all of it: its topics and rates may be others.
     */
    private boolean isBesideOther(MergeStream from) {
        return open.stream()
                .anyMatch(other ->
                        other != from && other.part().source() == from.part().source());
    }

    /** A value that equals the current one is not a change. */
    private void onParameter(byte[] bytes, int offset, int length) throws IOException {
        Integer before = parameters.put(name(bytes, offset), value(bytes, offset, length));
        if (before == null || before != value(bytes, offset, length)) {
            begin();
            copy(bytes, offset, length);
        }
    }

    private static String name(byte[] message, int offset) {
        int key = offset + ULogLayout.MESSAGE_HEADER_LENGTH;
        return new String(message, key + 1, message[key] & 0xFF, StandardCharsets.UTF_8);
    }

    private static int value(byte[] message, int offset, int length) {
        return ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN).getInt(offset + length - Integer.BYTES);
    }

    private boolean isDuplicate(MergeStream from) {
        Duplicates ofSource = duplicates.get(from.part().source());
        return ofSource != null && ofSource.isDuplicate(from);
    }

    private void writeDefinitions() throws IOException {
        header(ULogLayout.VERSION, plan.startUs());
        MessageEncoder.flagBits(encoded(), plan.defaults().isEmpty() ? 0 : ULogLayout.COMPAT_DEFAULT_PARAMETERS);
        writeEncoded();
        for (TopicFormat format : plan.formats()) {
            MessageEncoder.format(encoded(), format.text());
            writeEncoded();
        }
        for (byte[] info : plan.infos().values()) {
            write(info);
        }
        for (String change : plan.changes()) {
            byte[] utf8 =
                    change.substring(0, Math.min(change.length(), MAX_REMARK)).getBytes(StandardCharsets.UTF_8);
            MessageEncoder.multiInfoText(encoded(), false, CHANGES, utf8, 0, utf8.length);
            writeEncoded();
        }
        for (byte[] value : plan.defaults().values()) {
            write(value);
        }
        for (byte[] parameter : plan.parameters().values()) {
            write(parameter);
            parameters.put(name(parameter, 0), value(parameter, 0, parameter.length));
        }
    }

    /** Lists of infos still belong to the definitions; everything else follows the topics. */
    private void begin() throws IOException {
        if (begun) {
            return;
        }
        begun = true;
        for (int id = 0; id < plan.topics().size(); id++) {
            MergeInput.Instance topic = plan.topics().get(id);
            MessageEncoder.subscription(encoded(), topic.multiId(), id, topic.name());
            writeEncoded();
        }
    }

    private Result result() throws ULogException {
        long read =
                plan.parts().stream().mapToLong(part -> part.input().samples).sum();
        if (read != samples() + left + earlySamples) {
            throw new ULogException("a log changed while it was read; merge logs that are finished");
        }
        List<String> remarks = new ArrayList<>();
        remarks.add(Words.count(plan.parts().size(), "log"));
        remark(remarks, left, "sample", "that several logs have, written once");
        remark(remarks, dropoutsBeside, "dropout", "that another log of the vehicle may have filled, kept");
        remark(remarks, earlySamples + earlyTexts, "message", "from before the clock of the first log began, left out");
        remark(remarks, plan.otherInfos(), "info", "that another log has with another value, left out");
        remark(remarks, plan.otherParameters(), "parameter", "that another vehicle has with another value, left out");
        remarks.addAll(plan.summaries());
        LogDamage all = damaged.size() > 1 ? damage.withoutPlace() : damage;
        return result(String.join(", ", damaged), all, earlySamples + earlyTexts, String.join("; ", remarks));
    }

    private static void remark(List<String> remarks, long count, String thing, String what) {
        if (count > 0) {
            remarks.add(Words.count(count, thing) + " " + what);
        }
    }

    /**
     * Finds messages that another log of the same vehicle has already: those with the same bytes and times. A sample
     * without a timestamp has that of the sample before it: often it is equal to many others of its topic.
     */
    private static final class Duplicates {
        private final Map<Long, Seen> seen = new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Long, Seen> eldest) {
                return size() > MAX_REMEMBERED;
            }
        };

        private boolean isDuplicate(MergeStream from) {
            long hash = MergeInput.Hash.of(from.inheritedTimeUs(), from.buffer(), from.offset(), from.length());
            return seen.computeIfAbsent(hash, key -> new Seen())
                    .isDuplicate(from.part().input());
        }
    }

    /** How often each log has a message, and how often it was written. */
    private static final class Seen {
        private MergeInput[] logs = {};
        private int[] counts = {};
        private int written;

        private boolean isDuplicate(MergeInput log) {
            int at = 0;
            while (at < logs.length && logs[at] != log) {
                at++;
            }
            if (at == logs.length) {
                logs = Arrays.copyOf(logs, at + 1);
                counts = Arrays.copyOf(counts, at + 1);
                logs[at] = log;
            }
            counts[at]++;
            boolean isNew = counts[at] > written;
            written += isNew ? 1 : 0;
            return !isNew;
        }
    }
}
