package org.mavlogd.edit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.mavlogd.logtools.LogSource;
import org.mavlogd.logtools.Progress;
import org.mavlogd.logtools.UtcReference;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.Parameter;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.TopicLayout;
import org.mavlogd.ulog.ULogException;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogLayout;

/** A log to be merged: its definitions, clock, start and end. Found by reading it once. */
final class MergeInput {
    private static final String VEHICLE_ID = "sys_uuid";
    // Samples are out of order by about 300 ms, because topics are logged at different rates.
    private static final int AT_AN_END = 1024;
    private static final long MAX_DISORDER_US = 10_000_000;

    final Path path;
    final UtcReference utc = new UtcReference();
    final Map<String, TopicFormat> formats = new LinkedHashMap<>();
    final Set<Instance> topics = new LinkedHashSet<>();
    /** Messages by name; the last of each. */
    final Map<String, byte[]> infos = new LinkedHashMap<>();

    /** Initial values. */
    final Map<String, byte[]> parameters = new LinkedHashMap<>();

    /** By name and kind. */
    final Map<String, byte[]> defaults = new LinkedHashMap<>();

    /** For each list of infos, in order: a hash of its contents. */
    final List<Long> lists = new ArrayList<>();

    final List<String> listNames = new ArrayList<>();

    /** Hashes of a few samples, chosen so that logs with the same samples choose the same ones. */
    final SampleSketch sketch = new SampleSketch();

    String vehicleId = "";
    long startUs;
    /** Earliest time of the first samples, ignoring wrong times. */
    long beginUs;

    /** Latest time of the last samples, ignoring wrong times. */
    long endUs;

    long samples;

    /** A topic and its instance. */
    record Instance(String name, int multiId) {
        @Override
        public String toString() {
            return name + ":" + multiId;
        }
    }

    final long fileBytes;

    private MergeInput(Path path) throws IOException {
        this.path = path;
        this.fileBytes = Files.size(path);
    }

    /** @param kept definitions of earlier logs, which equal ones share */
    static MergeInput read(Path path, Definitions kept, LongConsumer doneBytes) throws IOException {
        MergeInput input = new MergeInput(path);
        Survey survey = input.new Survey(kept);
        LogSource.readSound(path, survey, input.inBytes(doneBytes));
        survey.finish();
        return input;
    }

    /** Progress in bytes of the file: some logs are read in two passes. */
    Progress inBytes(LongConsumer doneBytes) {
        return (done, total) -> doneBytes.accept(total == 0 ? done : (long) ((double) done / total * fileBytes));
    }

    /** File name without directories, for people. */
    String name() {
        return String.valueOf(path.getFileName());
    }

    /** Average time between samples. */
    long intervalUs() {
        return samples < 2 ? 0 : Math.max(0, endUs - beginUs) / samples;
    }

    /** Keeps each definition once, even if several logs have it; bounded. */
    static final class Definitions {
        private static final long MAX_BYTES = 8L << 20;
        private static final int ENTRY_BYTES = 64;

        private final Map<ByteBuffer, byte[]> messages = new HashMap<>();
        private long bytes;

        byte[] share(byte[] message) throws ULogException {
            byte[] known = messages.putIfAbsent(ByteBuffer.wrap(message), message);
            bytes += known == null ? message.length + 2L * ENTRY_BYTES : ENTRY_BYTES;
            if (bytes > MAX_BYTES) {
                throw new ULogException("together the logs have more than 8 MiB of infos and parameters");
            }
            return known == null ? message : known;
        }
    }

    /** Numbers the lists of infos of a log, and hashes their contents. */
    static final class Lists {
        private static final int MAX_LISTS = 65_536;
        private final Map<String, Integer> current = new HashMap<>();
        private int count;

        /** Index of the list to which a piece belongs, from 0. */
        int index(KeyedValue piece, boolean continued) throws ULogException {
            Integer last = current.get(piece.name());
            if (continued && last != null) {
                return last;
            }
            if (count == MAX_LISTS) {
                throw new ULogException("more than " + MAX_LISTS + " lists of infos");
            }
            current.put(piece.name(), count);
            return count++;
        }
    }

    private final class Survey implements ULogHandler {
        private final Definitions kept;
        private final Lists numbers = new Lists();
        private byte[] buffer = {};
        private int offset;
        private int length;
        private final long[] first = new long[AT_AN_END];
        private final long[] last = new long[AT_AN_END];
        private int[] topicHashes = new int[64];
        private long times;

        Survey(Definitions kept) {
            this.kept = kept;
        }

        @Override
        public void onMessage(int type, byte[] bytes, int from, int count) {
            buffer = bytes;
            offset = from;
            length = count;
        }

        private byte[] message() throws ULogException {
            byte[] message = new byte[length];
            System.arraycopy(buffer, offset, message, 0, length);
            return kept.share(message);
        }

        @Override
        public void onStart(int version, long timestampUs) {
            startUs = timestampUs;
            beginUs = timestampUs;
            endUs = timestampUs;
            utc.onStart(version, timestampUs);
        }

        @Override
        public void onFormat(TopicFormat format) throws ULogException {
            TopicFormat before = formats.putIfAbsent(format.name(), format);
            if (before != null && !before.equals(format)) {
                throw new ULogException("format \"" + format.name() + "\" is declared twice, differently");
            }
        }

        @Override
        public void onInfo(KeyedValue info) throws IOException {
            utc.onInfo(info);
            infos.put(info.name(), message());
            if (info.name().equals(VEHICLE_ID) && info.isText()) {
                vehicleId = info.text();
            }
        }

        @Override
        public void onMultiInfo(KeyedValue info, boolean continued) throws IOException {
            int index = numbers.index(info, continued);
            if (index == lists.size()) {
                lists.add((long) info.name().hashCode());
                listNames.add(info.name());
            }
            lists.set(index, Hash.of(lists.get(index), buffer, offset + 4, length - 4));
        }

        @Override
        public void onParameter(Parameter parameter, boolean change) throws IOException {
            if (!change) {
                parameters.put(parameter.name(), message());
            }
        }

        @Override
        public void onDefaultParameter(Parameter parameter, int defaultTypes) throws IOException {
            defaults.put(defaultTypes + " " + parameter.name(), message());
        }

        @Override
        public void onTopic(Topic topic) throws IOException {
            utc.onTopic(topic);
            topics.add(new Instance(topic.name(), topic.multiId()));
            if (topic.messageId() >= topicHashes.length) {
                topicHashes = Arrays.copyOf(topicHashes, ULogLayout.MAX_MESSAGE_ID + 1);
            }
            topicHashes[topic.messageId()] = topic.toString().hashCode();
            Column timestamp = topic.layout().flatMap(TopicLayout::timestamp).orElse(null);
            if (timestamp != null && timestamp.type() != FieldType.UINT64) {
                throw new ULogException("topic \"" + topic.name() + "\" has a timestamp of "
                        + Byte.SIZE * timestamp.type().length() + " bits, which has no meaning beside other logs");
            }
        }

        @Override
        public void onSample(SampleView sample) {
            utc.onSample(sample);
            samples++;
            if (LogCopy.isTimed(sample)) {
                onTime(sample.timestampUs());
                int fields = offset + ULogLayout.MESSAGE_HEADER_LENGTH + ULogLayout.DATA_HEADER_SIZE;
                sketch.add(Hash.of(topicHashes[sample.topic().messageId()], buffer, fields, offset + length - fields));
            }
        }

        private void onTime(long timestampUs) {
            if (times < AT_AN_END) {
                first[(int) times] = timestampUs;
            }
            last[(int) (times % AT_AN_END)] = timestampUs;
            times++;
        }

        /** Called when the log has been read. */
        private void finish() {
            int count = (int) Math.min(times, AT_AN_END);
            if (count == 0) {
                return;
            }
            Arrays.sort(first, 0, count);
            Arrays.sort(last, 0, count);
            long earliest = first[count / 2] - MAX_DISORDER_US;
            long latest = last[count / 2] + MAX_DISORDER_US;
            beginUs = Arrays.stream(first, 0, count)
                    .filter(time -> time >= earliest)
                    .min()
                    .orElseThrow();
            endUs = Arrays.stream(last, 0, count)
                    .filter(time -> time <= latest)
                    .max()
                    .orElseThrow();
        }
    }

    /** The smallest hashes of all samples: two logs with common samples share some of them. */
    static final class SampleSketch {
        private static final int SIZE = 1024;
        // Unrelated logs do not share a single one.
        private static final int PROOF = 3;

        private final TreeSet<Long> smallest = new TreeSet<>();
        private long largestKept = Long.MAX_VALUE;

        private void add(long hash) {
            if (hash >= largestKept || !smallest.add(hash) || smallest.size() <= SIZE) {
                return;
            }
            smallest.pollLast();
            largestKept = smallest.last();
        }

        /** Whether both have common samples, including their times. */
        boolean overlaps(SampleSketch other) {
            return smallest.stream().filter(other.smallest::contains).count() >= PROOF;
        }
    }

    /** A hash of bytes, equal for different bytes in one of 2^64 cases. FNV-1a with a final mix. */
    static final class Hash {
        private static final long PRIME = 0x100000001B3L;
        private static final long MIX = 0x9E3779B97F4A7C15L;

        private Hash() {}

        static long of(long seed, byte[] bytes, int offset, int length) {
            long hash = seed ^ 0xCBF29CE484222325L;
            for (int i = offset; i < offset + length; i++) {
                hash = (hash ^ (bytes[i] & 0xFF)) * PRIME;
            }
            hash *= MIX;
            return hash ^ (hash >>> 32);
        }
    }
}
