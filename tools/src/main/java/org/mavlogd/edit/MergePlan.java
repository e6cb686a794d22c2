package org.mavlogd.edit;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.mavlogd.edit.MergeInput.Instance;
import org.mavlogd.logtools.UtcReference;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.ULogException;
import org.mavlogd.ulog.ULogLayout;

/**
 * The plan of a merged log: the clock of each log, the names and ids of its topics, and the definitions of all logs.
 */
final class MergePlan {
    private static final Set<String> OF_ONE_CLOCK = Set.of("boot_time_utc_us", UtcReference.RECORDER_START);
    private static final Set<String> OF_ONE_PART = Set.of("log_part", "log_previous");
    // Lists with these names define the numbers in a vehicle's messages.
    private static final String METADATA = "metadata_";
    private static final long US_PER_MS = 1000;
    // Shorter times without samples are normal.
    private static final long MIN_GAP_US = 100_000;
    private static final int USUAL_INTERVALS = 4;
    // A dropout message covers about a minute: dropouts up to a wrong time could fill any disk.
    private static final long MAX_GAP_US = 10 * 366 * 86_400 * 1_000_000L;
    private static final int MAX_CHANGES_SHOWN = 4;

    /**
     * The part of one log in the merged log.
     *
     * @param source number that logs of the same vehicle share
     * @param shiftUs offset that converts its times to those of the first log
     * @param gapMs time without samples before it, in the logs of its source; 0 if there is none
     * @param ids of its topics in the merged log
     * @param leftOutLists indexes of its lists of infos that are left out
     */
    record Part(
            MergeInput input, int source, long shiftUs, long gapMs, Map<Instance, Integer> ids, BitSet leftOutLists) {
        long beginUs() {
            return input.beginUs + shiftUs;
        }
    }

    private record OfSource(int source, Instance instance) {}

    private final List<Part> parts = new ArrayList<>();
    private final MergeFormats formats = new MergeFormats();
    private final Map<OfSource, Integer> ids = new HashMap<>();
    private final List<Instance> topics = new ArrayList<>();
    private final Set<Instance> used = new HashSet<>();
    private final Set<Long> lists = new HashSet<>();
    private final Map<String, Integer> listSources = new HashMap<>();
    private final Map<String, byte[]> infos = new LinkedHashMap<>();
    private final Map<String, byte[]> defaults = new LinkedHashMap<>();
    private final Map<String, byte[]> parameters = new LinkedHashMap<>();
    private final Map<String, Integer> parameterSources = new HashMap<>();
    private final List<String> remarks = new ArrayList<>();
    private final List<String> summaries = new ArrayList<>();
    private final long startUs;
    private long otherInfos;
    private long otherParameters;

    MergePlan(List<MergeInput> logs, MergeClocks.Align align) throws ULogException {
        MergeClocks clocks = new MergeClocks(logs, align);
        long[] shifts = new long[logs.size()];
        for (int i = 0; i < shifts.length; i++) {
            shifts[i] = clocks.shiftUs(i);
        }
        startUs = Math.max(
                0,
                IntStream.range(0, shifts.length)
                        .mapToLong(i -> logs.get(i).startUs + shifts[i])
                        .min()
                        .orElse(0));
        List<Integer> order = IntStream.range(0, shifts.length)
                .boxed()
                .sorted(Comparator.<Integer>comparingInt(clocks::sourceOf)
                        .thenComparingLong(i -> logs.get(i).beginUs + shifts[i]))
                .toList();
        for (int i : order) {
            add(logs.get(i), clocks.sourceOf(i), shifts[i], clocks.clockOf(i) == 0);
        }
        parts.sort(Comparator.comparingLong(Part::beginUs));
    }

    private void add(MergeInput log, int source, long shiftUs, boolean isFirstClock) throws ULogException {
        List<String> changes = new ArrayList<>();
        if (shiftUs != 0) {
            changes.add(String.format(Locale.ROOT, "times shifted by %+.6f s", shiftUs / 1e6));
        }
        Map<Instance, Integer> numbers = number(log, source, changes);
        addInfos(log, isFirstClock);
        addParameters(log, source);
        parts.add(new Part(log, source, shiftUs, gapMs(log, source, shiftUs), numbers, leftOutLists(log, source)));
        if (!changes.isEmpty()) {
            remarks.add(log.name() + ": " + String.join(", ", changes));
            int more = changes.size() - MAX_CHANGES_SHOWN;
            summaries.add(log.name() + ": "
                    + String.join(", ", changes.subList(0, Math.min(changes.size(), MAX_CHANGES_SHOWN)))
                    + (more > 0 ? " and " + more + " more (info " + LogMerge.CHANGES + ")" : ""));
        }
    }

    private Map<Instance, Integer> number(MergeInput log, int source, List<String> changes) throws ULogException {
        Map<String, String> names = formats.add(log.formats);
        Map<Instance, Integer> numbers = new HashMap<>();
        for (Instance topic : log.topics) {
            Instance named = new Instance(names.getOrDefault(topic.name(), topic.name()), topic.multiId());
            Integer id = ids.get(new OfSource(source, named));
            if (id == null) {
                id = place(named);
                ids.put(new OfSource(source, named), id);
            }
            numbers.put(topic, id);
            if (!topics.get(id).equals(topic)) {
                changes.add(topic + " is " + topics.get(id));
            }
        }
        return numbers;
    }

    /** The lists that an earlier log has too, and definitions of messages of another vehicle. */
    private BitSet leftOutLists(MergeInput log, int source) {
        BitSet leftOut = new BitSet();
        for (int i = 0; i < log.lists.size(); i++) {
            String name = log.listNames.get(i);
            boolean isKnown = lists.contains(log.lists.get(i));
            boolean isForeign = name.startsWith(METADATA) && listSources.getOrDefault(name, source) != source;
            leftOut.set(i, isKnown || isForeign);
            otherInfos += isForeign && !isKnown ? 1 : 0;
        }
        log.listNames.forEach(name -> listSources.putIfAbsent(name, source));
        lists.addAll(log.lists);
        return leftOut;
    }

    /** Assigns the topic's own instance if no other log has it, otherwise the next free one. */
    private int place(Instance wanted) throws ULogException {
        Instance free = wanted;
        for (int i = 0; !used.add(free); i++) {
            if (i > ULogLayout.MAX_MULTI_ID) {
                throw new ULogException("together the logs have more than 256 instances of topic \"" + wanted.name()
                        + "\", which a log cannot have");
            }
            free = new Instance(wanted.name(), i);
        }
        if (topics.size() > ULogLayout.MAX_MESSAGE_ID) {
            throw new ULogException("together the logs have more than 65,536 topics, which a log cannot have");
        }
        topics.add(free);
        return topics.size() - 1;
    }

    private long gapMs(MergeInput log, int source, long shiftUs) throws ULogException {
        long endUs = Long.MIN_VALUE;
        long intervalUs = 0;
        for (Part part : parts) {
            if (part.source == source && part.input.samples > 0) {
                endUs = Math.max(endUs, part.input.endUs + part.shiftUs);
                intervalUs = Math.max(intervalUs, part.input.intervalUs());
            }
        }
        if (endUs == Long.MIN_VALUE || log.samples == 0) {
            return 0;
        }
        long gapUs = log.beginUs + shiftUs - endUs;
        if (gapUs > MAX_GAP_US) {
            throw new ULogException(log.name() + " begins " + Words.duration(gapUs)
                    + " after the log before it ended, more than ten years: its times are wrong");
        }
        return gapUs > Math.max(MIN_GAP_US, USUAL_INTERVALS * intervalUs) ? gapUs / US_PER_MS : 0;
    }

    /** Adds the log's infos. If several logs contain the same name, the first one's value is used. */
    private void addInfos(MergeInput log, boolean isFirstClock) {
        log.infos.forEach((name, message) -> {
            if (OF_ONE_PART.contains(name) ? !parts.isEmpty() : OF_ONE_CLOCK.contains(name) && !isFirstClock) {
                return;
            }
            byte[] own = name.equals(UtcReference.RECORDER_START) ? moved(message, startUs - log.startUs) : message;
            byte[] before = infos.putIfAbsent(name, own);
            boolean differs = before != null && !Arrays.equals(before, own) && !OF_ONE_CLOCK.contains(name);
            otherInfos += differs ? 1 : 0;
        });
    }

    /** Moves the UTC of the log's start with its time. */
    private static byte[] moved(byte[] info, long byUs) {
        byte[] copy = info.clone();
        int at = copy.length - Long.BYTES;
        if (at > ULogLayout.MESSAGE_HEADER_LENGTH) {
            ByteBuffer number = ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN);
            number.putLong(at, number.getLong(at) + byUs);
        }
        return copy;
    }

    private void addParameters(MergeInput log, int source) {
        log.parameters.forEach((name, message) -> {
            byte[] before = parameters.putIfAbsent(name, message);
            int owner = parameterSources.merge(name, source, (first, second) -> first);
            otherParameters += before != null && owner != source && !Arrays.equals(before, message) ? 1 : 0;
        });
        log.defaults.forEach(defaults::putIfAbsent);
    }

    long startUs() {
        return startUs;
    }

    /** The parts in the order of their starts. */
    List<Part> parts() {
        return parts;
    }

    /** Whether this source has several logs. */
    boolean isInParts(int source) {
        return parts.stream().filter(part -> part.source == source).count() > 1;
    }

    List<TopicFormat> formats() {
        return formats.all();
    }

    /** The topics by message id. */
    List<Instance> topics() {
        return topics;
    }

    Map<String, byte[]> infos() {
        return infos;
    }

    Map<String, byte[]> defaults() {
        return defaults;
    }

    Map<String, byte[]> parameters() {
        return parameters;
    }

    /** Whether the merged parameter of this name is that of the part's vehicle. */
    boolean isParameterOf(String name, Part part) {
        return parameterSources.getOrDefault(name, part.source) == part.source;
    }

    /** The changes in each log. */
    List<String> changes() {
        return remarks;
    }

    /** The first changes in each log. */
    List<String> summaries() {
        return summaries;
    }

    long otherInfos() {
        return otherInfos;
    }

    long otherParameters() {
        return otherParameters;
    }
}
