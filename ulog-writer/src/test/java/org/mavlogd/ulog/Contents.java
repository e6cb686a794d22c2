package org.mavlogd.ulog;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** Everything that a reader delivers from a log, counted and stored. */
final class Contents implements ULogHandler {
    public final SortedMap<String, Integer> samples = new TreeMap<>();
    public final Map<String, List<Long>> times = new LinkedHashMap<>();
    final Map<String, List<Double>> values = new LinkedHashMap<>();
    public final Map<String, KeyedValue> infos = new LinkedHashMap<>();
    final Map<String, List<List<String>>> multiInfos = new LinkedHashMap<>();
    public final Map<String, Parameter> parameters = new LinkedHashMap<>();
    final Map<String, Parameter> systemDefaults = new LinkedHashMap<>();
    final Map<String, Parameter> setupDefaults = new LinkedHashMap<>();
    public final List<Parameter> changes = new ArrayList<>();
    public final List<LoggedText> texts = new ArrayList<>();
    public final List<String> formats = new ArrayList<>();
    public final List<Integer> dropouts = new ArrayList<>();
    int syncs;
    int unknown;
    int flawed;
    int cuts;
    int sections;
    long damagedBytes;
    String refused = "";

    static Contents of(byte[] log, int chunk) {
        Contents contents = new Contents();
        ULogReader reader = new ULogReader(contents);
        try {
            for (int at = 0; at < log.length; at += chunk) {
                reader.feed(log, at, Math.min(chunk, log.length - at));
            }
            reader.finish();
        } catch (ULogException refusal) {
            contents.refused = String.valueOf(refusal.getMessage());
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
        return contents;
    }

    /** The value of a key, which must exist. */
    static <V> V at(Map<String, V> map, String key) {
        return Objects.requireNonNull(map.get(key), key);
    }

    @Override
    public void onFormat(TopicFormat format) {
        formats.add(format.name());
    }

    @Override
    public void onInfo(KeyedValue info) {
        infos.put(info.name(), info);
    }

    @Override
    public void onMultiInfo(KeyedValue info, boolean continued) {
        List<List<String>> groups = multiInfos.computeIfAbsent(info.name(), name -> new ArrayList<>());
        if (!continued || groups.isEmpty()) {
            groups.add(new ArrayList<>());
        }
        groups.get(groups.size() - 1).add(info.text());
    }

    @Override
    public void onParameter(Parameter parameter, boolean change) {
        if (change) {
            changes.add(parameter);
        } else {
            parameters.put(parameter.name(), parameter);
        }
    }

    @Override
    public void onDefaultParameter(Parameter parameter, int defaultTypes) {
        if ((defaultTypes & 1) != 0) {
            systemDefaults.put(parameter.name(), parameter);
        }
        if ((defaultTypes & 2) != 0) {
            setupDefaults.put(parameter.name(), parameter);
        }
    }

    @Override
    public void onSample(SampleView sample) {
        String topic = sample.topic().toString();
        samples.merge(topic, 1, Integer::sum);
        times.computeIfAbsent(topic, t -> new ArrayList<>()).add(sample.timestampUs());
        TopicLayout layout = sample.topic().layout().orElseThrow();
        double[] all = new double[layout.elementCount()];
        if (sample.numbers(all) != all.length) {
            throw new AssertionError("numbers of " + topic);
        }
        int next = 0;
        for (Column column : layout.columns()) {
            double[] numbers = new double[column.count()];
            sample.numbers(column, numbers, 0);
            for (int i = 0; i < column.count(); i++) {
                // The three ways to read a value must agree.
                double number = sample.number(column, i);
                if (Double.compare(all[next++], number) != 0 || Double.compare(numbers[i], number) != 0) {
                    throw new AssertionError(topic + "." + column.path());
                }
                values.computeIfAbsent(topic + "." + column.path(), t -> new ArrayList<>())
                        .add(number);
            }
        }
    }

    @Override
    public void onLoggedText(LoggedText text) {
        texts.add(text);
    }

    @Override
    public void onDropout(int durationMs) {
        dropouts.add(durationMs);
    }

    @Override
    public void onSync() {
        syncs++;
    }

    @Override
    public void onUnknown(int type, byte[] buffer, int offset, int length) {
        unknown++;
    }

    @Override
    public void onFlawed(ScanHandler.Flaw flaw, long position, int type, byte[] buffer, int offset, int length) {
        flawed++;
    }

    @Override
    public void onDamage(long position, long length) {
        damagedBytes += length;
    }

    @Override
    public void onCut(long position, long length) {
        cuts++;
    }

    @Override
    public void onAppendedSection(long position) {
        sections++;
    }

    /** The counts that the table of real logs contains. */
    record Totals(
            long formats,
            long parameters,
            long changes,
            long systemDefaults,
            long setupDefaults,
            long dropouts,
            long dropoutMs,
            long texts,
            long tagged,
            long syncs,
            long samples) {
        @Override
        public String toString() {
            return formats + " " + parameters + " " + changes + " " + systemDefaults + " " + setupDefaults + " "
                    + dropouts + " " + dropoutMs + " " + texts + " " + tagged + " " + syncs + " " + samples;
        }
    }

    Totals totals() {
        long tagged = texts.stream().filter(LoggedText::isTagged).count();
        return new Totals(
                formats.size(),
                parameters.size(),
                changes.size(),
                systemDefaults.size(),
                setupDefaults.size(),
                dropouts.size(),
                dropouts.stream().mapToLong(Integer::longValue).sum(),
                texts.size() - tagged,
                tagged,
                syncs,
                samples.values().stream().mapToLong(Integer::longValue).sum());
    }

    /** One line in the format of the table of synthetic logs. */
    @Override
    public String toString() {
        if (!refused.isEmpty()) {
            return "refused";
        }
        StringBuilder line = new StringBuilder();
        samples.forEach(
                (topic, count) -> line.append(topic).append('=').append(count).append(' '));
        add(line, "P", parameters.size());
        add(line, "changes", changes.size());
        add(line, "I", infos.size());
        add(line, "texts", texts.size());
        add(line, "O", dropouts.size());
        add(line, "S", syncs);
        add(line, "unknown", unknown);
        add(line, "flawed", flawed);
        add(line, "cut", cuts);
        add(line, "sections", sections);
        add(line, "damaged", damagedBytes);
        add(line, "F", formats.size());
        multiInfos.forEach((name, groups) -> line.append(name).append(groups).append(' '));
        return line.toString().strip();
    }

    private static void add(StringBuilder line, String what, long count) {
        if (count > 0) {
            line.append(what).append('=').append(count).append(' ');
        }
    }
}
