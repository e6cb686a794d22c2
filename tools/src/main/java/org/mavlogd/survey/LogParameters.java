package org.mavlogd.survey;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.mavlogd.logtools.LogDamage;
import org.mavlogd.logtools.LogSource;
import org.mavlogd.logtools.Progress;
import org.mavlogd.logtools.UtcReference;
import org.mavlogd.survey.ParameterTally.Entry;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.Parameter;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;

/** The parameters of a log, read in one pass; some of them may be picked. */
public final class LogParameters {
    private final SortedMap<String, Entry> entries = new TreeMap<>();
    private final UtcReference utc = new UtcReference();
    private final Collector collector = new Collector();
    private boolean isArduPilot;

    private LogParameters() {}

    /**
     * Reads a log.
     *
     * @throws org.mavlogd.ulog.ULogException if it is no log, or refused
     */
    public static LogParameters of(Path log, Progress progress) throws IOException {
        LogParameters parameters = new LogParameters();
        Collector collector = parameters.collector;
        LogSource.read(log, collector, progress);
        parameters.entries.putAll(collector.tally.entries());
        return parameters;
    }

    /** Keeps those that change within the log. */
    public void keepChanged() {
        entries.values().removeIf(entry -> entry.changes().isEmpty());
    }

    /** Keeps those whose value differs from the default. */
    public void keepNonDefault() {
        entries.values().removeIf(entry -> !entry.isNonDefault());
    }

    /** Keeps those whose value is not the same in the other log, or that only one of the logs has, in both. */
    public void keepDifferent(LogParameters other) {
        for (String name : List.copyOf(entries.keySet())) {
            Entry mine = entries.get(name);
            Entry theirs = other.entries.get(name);
            if (mine != null && theirs != null && ParameterTally.isSame(mine.value(), theirs.value())) {
                entries.remove(name);
                other.entries.remove(name);
            }
        }
    }

    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /** What may have kept parameters from being read. */
    public LogDamage damage() {
        return collector.damage();
    }

    /** ArduPilot logs all parameters as float, whatever their type is. */
    public boolean isArduPilot() {
        return isArduPilot;
    }

    SortedMap<String, Entry> entries() {
        return entries;
    }

    UtcReference utc() {
        return utc;
    }

    private final class Collector extends LogDamage.Tally {
        private final ParameterTally tally = new ParameterTally();
        private long latestUs;

        @Override
        public void onStart(int version, long startUs) {
            utc.onStart(version, startUs);
            latestUs = startUs;
        }

        @Override
        public void onInfo(KeyedValue info) {
            utc.onInfo(info);
            if (info.name().equals("sys_name")) {
                isArduPilot = info.text().equals("ArduPilot");
            }
        }

        @Override
        public void onParameter(Parameter parameter, boolean change) throws IOException {
            tally.onParameter(parameter, change, latestUs);
        }

        @Override
        public void onDefaultParameter(Parameter parameter, int defaultTypes) throws IOException {
            tally.onDefault(parameter, defaultTypes);
        }

        @Override
        public void onTopic(Topic topic) {
            utc.onTopic(topic);
        }

        @Override
        public void onSample(SampleView sample) {
            latestUs = Math.max(latestUs, sample.timestampUs());
            utc.onSample(sample);
        }
    }
}
