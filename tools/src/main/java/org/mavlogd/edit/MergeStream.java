package org.mavlogd.edit;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.mavlogd.edit.MergeInput.Instance;
import org.mavlogd.logtools.LogDamage;
import org.mavlogd.logtools.LogSource;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.LoggedText;
import org.mavlogd.ulog.Parameter;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.TopicLayout;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogLayout;

/**
 * The messages of one log as in the merged log: with new ids and times, without definitions. Its own thread reads the
 * log, a few batches ahead; all methods belong to the merging thread. Memory: about 2 MiB.
 */
final class MergeStream implements Closeable {
    // A single time far in the future must not delay the messages after it.
    private static final int LOOKAHEAD = 16;
    private static final int[] NONE = {};
    private static final int BATCH_BYTES = 32 * 1024;
    private static final int BATCH_MESSAGES = 2048;
    private static final int BATCHES_AHEAD = 2;
    private static final int TEXT_TIME = ULogLayout.MESSAGE_HEADER_LENGTH + 1;
    private static final int TAGGED_TEXT_TIME = ULogLayout.MESSAGE_HEADER_LENGTH + 3;

    /** Consecutive messages with their times. */
    private static final class Batch {
        private final byte[] bytes = new byte[BATCH_BYTES + ULogLayout.MAX_MESSAGE_LENGTH];
        private final ByteBuffer view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        private final long[] times = new long[BATCH_MESSAGES];
        private final long[] inheritedTimes = new long[BATCH_MESSAGES];
        private final int[] ends = new int[BATCH_MESSAGES];
        private int count;
        private boolean isLast;
        private @Nullable Throwable failure;

        private int size() {
            return count == 0 ? 0 : ends[count - 1];
        }

        private boolean isFull() {
            return count == BATCH_MESSAGES || size() >= BATCH_BYTES;
        }

        private void add(byte[] buffer, int offset, int length, long timeUs) {
            int at = size();
            System.arraycopy(buffer, offset, bytes, at, length);
            times[count] = timeUs;
            inheritedTimes[count] = 0;
            ends[count] = at + length;
            count++;
        }
    }

    private final MergePlan plan;
    private final MergePlan.Part part;
    private final BlockingQueue<Batch> batches = new ArrayBlockingQueue<>(BATCHES_AHEAD);
    private final Thread thread;
    private final AtomicLong doneBytes = new AtomicLong();
    private Batch batch = new Batch();
    private int index = -1;

    // Written by the reading thread before it passes on its last batch.
    private LogDamage damage = LogDamage.NONE;
    private long earlySamples;
    private long earlyTexts;

    MergeStream(MergePlan plan, MergePlan.Part part) throws IOException {
        this.plan = plan;
        this.part = part;
        this.thread = new Thread(this::read, "merge " + part.input().name());
        thread.setDaemon(true);
        thread.start();
        next();
    }

    MergePlan.Part part() {
        return part;
    }

    /** Whether there is a message; if not, the log has been read to its end. */
    boolean hasMessage() {
        return index < batch.count;
    }

    /**
     * The time by which the message is ordered: its own, never earlier than the previous one, and not later than that
     * of all following neighbours.
     */
    long timeUs() {
        return batch.times[index];
    }

    /** For a sample without a timestamp, that of the sample before it, unchanged; for other messages 0. */
    long inheritedTimeUs() {
        return batch.inheritedTimes[index];
    }

    byte[] buffer() {
        return batch.bytes;
    }

    int offset() {
        return index == 0 ? 0 : batch.ends[index - 1];
    }

    int length() {
        return batch.ends[index] - offset();
    }

    /** Moves to the next message. */
    void next() throws IOException {
        index++;
        while (index >= batch.count && !batch.isLast) {
            try {
                batch = batches.take();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException();
            }
            index = 0;
            rethrow(batch.failure);
        }
    }

    private static void rethrow(@Nullable Throwable failure) throws IOException {
        if (failure instanceof IOException io) {
            throw io;
        } else if (failure instanceof RuntimeException mistake) {
            throw mistake;
        } else if (failure instanceof Error error) {
            throw error;
        }
    }

    /** Bytes of the file read so far. */
    long doneBytes() {
        return doneBytes.get();
    }

    /** After the last message: damage of the log. */
    LogDamage damage() {
        return damage;
    }

    /** After the last message: samples omitted because they are older than the start of the merged log's clock. */
    long earlySamples() {
        return earlySamples;
    }

    /** Like {@link #earlySamples}, for logged messages. */
    long earlyTexts() {
        return earlyTexts;
    }

    @Override
    public void close() {
        thread.interrupt();
        batches.clear();
    }

    private void read() {
        Reader reader = new Reader();
        try {
            damage = LogSource.readSound(part.input().path, reader, part.input().inBytes(doneBytes::set));
            earlySamples = reader.earlySamples;
            earlyTexts = reader.earlyTexts;
            reader.finish(null);
        } catch (IOException | RuntimeException | Error e) {
            reader.finish(e);
        }
    }

    /** Owned by the reading thread. */
    private final class Reader implements ULogHandler {
        private final MergeInput.Lists lists = new MergeInput.Lists();
        private int[] ids = new int[64];
        private int[][] timeOffsets = new int[64][];
        // A log may announce a topic of very many fields again and again.
        private final Map<TopicLayout, int[]> timeOffsetsOf = new HashMap<>();
        private @Nullable Batch waiting;
        private Batch current = new Batch();
        private byte[] buffer = {};
        private int offset;
        private int length;
        private long nowUs = part.beginUs();
        private long orderUs = part.beginUs();
        private long earlySamples;
        private long earlyTexts;

        @Override
        public void onMessage(int type, byte[] bytes, int from, int count) {
            buffer = bytes;
            offset = from;
            length = count;
        }

        @Override
        public void onMultiInfo(KeyedValue info, boolean continued) throws IOException {
            if (!part.leftOutLists().get(lists.index(info, continued))) {
                add(nowUs);
            }
        }

        /** An initial value becomes a change if it differs from the last one of the previous log. */
        @Override
        public void onParameter(Parameter parameter, boolean change) throws IOException {
            if (plan.isParameterOf(parameter.name(), part)) {
                add(nowUs);
            }
        }

        @Override
        public void onTopic(Topic topic) {
            int id = topic.messageId();
            if (id >= ids.length) {
                ids = Arrays.copyOf(ids, ULogLayout.MAX_MESSAGE_ID + 1);
                timeOffsets = Arrays.copyOf(timeOffsets, ids.length);
            }
            ids[id] = part.ids().getOrDefault(new Instance(topic.name(), topic.multiId()), 0);
            timeOffsets[id] = topic.layout()
                    .map(layout -> timeOffsetsOf.computeIfAbsent(layout, Reader::timeOffsets))
                    .orElse(NONE);
        }

        private static int[] timeOffsets(TopicLayout layout) {
            return layout.columns().stream()
                    .filter(Reader::isTime)
                    .flatMapToInt(column -> IntStream.range(0, column.count())
                            .map(i -> column.offset() + i * column.type().length()))
                    .toArray();
        }

        /** Whether a field has a time of the same clock, by its name. */
        private static boolean isTime(Column column) {
            String name = column.path().substring(column.path().lastIndexOf('.') + 1);
            return column.type() == FieldType.UINT64 && (name.equals("timestamp") || name.equals("timestamp_sample"));
        }

        @Override
        public void onSample(SampleView sample) throws IOException {
            boolean isTimed = LogCopy.isTimed(sample);
            if (isTimed) {
                nowUs = sample.timestampUs() + part.shiftUs();
            }
            if (nowUs < 0) {
                earlySamples++;
                return;
            }
            int fields = current.size() + ULogLayout.MESSAGE_HEADER_LENGTH + ULogLayout.DATA_HEADER_SIZE;
            int id = sample.topic().messageId();
            Batch target = current;
            target.add(buffer, offset, length, nowUs);
            target.inheritedTimes[target.count - 1] = isTimed ? 0 : nowUs;
            target.view.putShort(fields - ULogLayout.DATA_HEADER_SIZE, (short) ids[id]);
            for (int at : part.shiftUs() == 0 ? NONE : timeOffsets[id]) {
                shift(target, fields + at);
            }
            added();
        }

        /** Shifts a time; 0 means that there is none. */
        private void shift(Batch target, int at) {
            if (target.view.getLong(at) != 0) {
                target.view.putLong(at, target.view.getLong(at) + part.shiftUs());
            }
        }

        @Override
        public void onLoggedText(LoggedText text) throws IOException {
            long timeUs = text.timestampUs() + part.shiftUs();
            if (timeUs < 0) {
                earlyTexts++;
                return;
            }
            Batch target = current;
            int at = target.size() + (text.isTagged() ? TAGGED_TEXT_TIME : TEXT_TIME);
            target.add(buffer, offset, length, timeUs);
            target.view.putLong(at, timeUs);
            added();
        }

        @Override
        public void onDropout(int durationMs) throws IOException {
            add(nowUs);
        }

        @Override
        public void onSync() throws IOException {
            add(nowUs);
        }

        @Override
        public void onUnknown(int type, byte[] bytes, int from, int count) throws IOException {
            onMessage(type, bytes, from, count);
            add(nowUs);
        }

        private void add(long timeUs) throws IOException {
            current.add(buffer, offset, length, timeUs);
            added();
        }

        private void added() throws IOException {
            if (waiting != null && (current.count >= LOOKAHEAD || current.isFull())) {
                give(waiting, current);
                waiting = null;
            }
            if (current.isFull()) {
                waiting = current;
                current = new Batch();
            }
        }

        private void finish(@Nullable Throwable failure) {
            try {
                if (waiting != null && failure == null) {
                    give(waiting, current);
                }
                current.isLast = true;
                current.failure = failure;
                give(current, new Batch());
            } catch (InterruptedIOException e) {
                Thread.currentThread().interrupt(); // the rest is not needed
            }
        }

        private void give(Batch full, Batch next) throws InterruptedIOException {
            for (int i = 0; i < full.count; i++) {
                long soonestUs = full.times[i];
                for (int k = 1; k < LOOKAHEAD; k++) {
                    int at = i + k - full.count;
                    if (at < next.count) {
                        soonestUs = Math.min(soonestUs, at < 0 ? full.times[i + k] : next.times[at]);
                    }
                }
                orderUs = Math.max(orderUs, soonestUs);
                full.times[i] = orderUs;
            }
            try {
                batches.put(full);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException();
            }
        }
    }
}
