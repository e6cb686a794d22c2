package org.mavlogd.dataflash;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.LoggedText;
import org.mavlogd.ulog.MemorySink;
import org.mavlogd.ulog.Parameter;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.ScanHandler;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogReader;

/** A DataFlash log mapped to ULog in memory, and what our reader finds in the ULog. */
public final class Mapped implements ULogHandler {
    final Map<String, TopicFormat> formats = new LinkedHashMap<>();
    final Map<String, List<Map<String, Object>>> samples = new TreeMap<>();
    final Map<String, KeyedValue> infos = new LinkedHashMap<>();
    final Map<String, List<String>> lists = new LinkedHashMap<>();
    final Map<String, Double> defaults = new LinkedHashMap<>();
    final Map<String, Double> parameters = new LinkedHashMap<>();
    final List<String> changes = new ArrayList<>();
    final List<LoggedText> texts = new ArrayList<>();
    final List<Integer> dropouts = new ArrayList<>();
    int syncs;
    final byte[] bytes;
    final ULogMapper.Counts counts;

    private Mapped(byte[] bytes, ULogMapper.Counts counts) {
        this.bytes = bytes;
        this.counts = counts;
    }

    static Mapped raw(byte[] dataFlash) throws IOException {
        return of(dataFlash, ULogMapper.Values.RAW, 4096);
    }

    public static Mapped of(byte[] dataFlash, ULogMapper.Values values, int piece) throws IOException {
        HeadCollector collector = new HeadCollector();
        for (int at = 0; at < dataFlash.length; at += piece) {
            collector.feed(dataFlash, at, Math.min(piece, dataFlash.length - at));
        }
        collector.finish();
        LogHead head = collector.head();
        MemorySink sink = new MemorySink();
        ULogMapper mapper;
        try (ULogWriterLog log = new ULogWriterLog(sink, head.startUs())) {
            mapper = new ULogMapper(head, values, DataFlashDecoder.Units.DO_NOT_WAIT, log);
            mapper.begin();
            for (int at = 0; at < dataFlash.length; at += piece) {
                mapper.feed(dataFlash, at, Math.min(piece, dataFlash.length - at));
            }
            mapper.finish();
        }
        return read(sink.toByteArray(), mapper.counts());
    }

    /** Reads the contents of a ULog that was mapped elsewhere with our reader. */
    public static Mapped read(byte[] ulog) throws IOException {
        return read(ulog, new ULogMapper.Counts(0, 0, 0, 0, 0, 0, 0, 0, 0));
    }

    static Mapped read(byte[] ulog, ULogMapper.Counts counts) throws IOException {
        Mapped mapped = new Mapped(ulog, counts);
        ULogReader reader = new ULogReader(mapped);
        reader.feed(ulog, 0, ulog.length);
        reader.finish();
        return mapped;
    }

    public byte[] bytes() {
        return bytes;
    }

    public ULogMapper.Counts counts() {
        return counts;
    }

    /** Number of samples of all topics. */
    public long sampleCount() {
        return samples.values().stream().mapToLong(List::size).sum();
    }

    /** Number of samples by {@code name:instance}. */
    public Map<String, Long> sampleCounts() {
        Map<String, Long> counted = new TreeMap<>();
        samples.forEach((series, rows) -> counted.put(series, (long) rows.size()));
        return counted;
    }

    public List<Map<String, Object>> rows(String topic) {
        List<Map<String, Object>> rows = new ArrayList<>();
        samples.forEach((series, all) -> {
            if (series.startsWith(topic + ":")) {
                rows.addAll(all);
            }
        });
        return rows;
    }

    List<Map<String, Object>> series(String series) {
        return samples.getOrDefault(series, List.of());
    }

    /** All samples, by {@code name:instance}. */
    public Map<String, List<Map<String, Object>>> samples() {
        return samples;
    }

    /** Names of all formats. */
    public Set<String> formatNames() {
        return formats.keySet();
    }

    /** Initial values of parameters, by name. */
    public Map<String, Double> parameters() {
        return parameters;
    }

    /** Defaults of parameters, by name. */
    public Map<String, Double> defaults() {
        return defaults;
    }

    /** Units and scales of each topic's fields: {@code topic:field=unit,field=scale unit}. */
    public List<String> fieldUnits() {
        return lists.getOrDefault("field_units", List.of());
    }

    /** Later changes of parameters: {@code name=value}. */
    public List<String> changes() {
        return changes;
    }

    public Set<String> infoNames() {
        return infos.keySet();
    }

    public List<LoggedText> texts() {
        return texts;
    }

    public List<Integer> dropouts() {
        return dropouts;
    }

    @Override
    public void onFormat(TopicFormat format) {
        formats.put(format.name(), format);
    }

    @Override
    public void onInfo(KeyedValue info) {
        infos.put(info.name(), info);
    }

    @Override
    public void onMultiInfo(KeyedValue info, boolean continued) {
        lists.computeIfAbsent(info.name(), name -> new ArrayList<>()).add(info.text());
    }

    @Override
    public void onParameter(Parameter parameter, boolean change) {
        if (change) {
            changes.add(parameter.name() + "=" + parameter.value());
        } else {
            parameters.put(parameter.name(), parameter.value());
        }
    }

    @Override
    public void onDefaultParameter(Parameter parameter, int defaultTypes) {
        defaults.put(parameter.name(), parameter.value());
    }

    @Override
    public void onSample(SampleView sample) {
        Topic topic = sample.topic();
        Map<String, Object> row = new LinkedHashMap<>();
        for (Column column : topic.layout().orElseThrow().columns()) {
            row.put(column.path(), value(sample, column));
        }
        samples.computeIfAbsent(topic.name() + ":" + topic.multiId(), name -> new ArrayList<>())
                .add(row);
    }

    private static Object value(SampleView sample, Column column) {
        if (column.type() == FieldType.CHAR) {
            return sample.text(column);
        }
        if (column.isArray()) {
            List<Object> elements = new ArrayList<>();
            for (int i = 0; i < column.count(); i++) {
                elements.add(column.type().isInteger() ? sample.integer(column, i) : (Object) sample.number(column, i));
            }
            return elements;
        }
        return column.type().isInteger() ? sample.integer(column) : (Object) sample.number(column);
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
    public void onDamage(long position, long length) {
        throw new AssertionError("damage of " + length + " bytes at " + position);
    }

    @Override
    public void onCut(long position, long length) {
        throw new AssertionError("cut at " + position);
    }

    @Override
    public void onFlawed(ScanHandler.Flaw flaw, long position, int type, byte[] buffer, int offset, int length) {
        throw new AssertionError(flaw + " of a message '" + (char) type + "'");
    }
}
