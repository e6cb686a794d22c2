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

/** The parameters of a log, read in one pass, and selections of them. */
public final class LogParameters {
    private final SortedMap<String, Entry> entries = new TreeMap<>();
    private final UtcReference utc = new UtcReference();
    private final Collector collector = new Collector();
    private boolean isArduPilot;

    private LogParameters() {}

    /**
     * Reads a log.
     *
     * @throws org.mavlogd.ulog.ULogException if it is not a log, or is refused
     */
    public static LogParameters of(Path log, Progress progress) throws IOException {
        LogParameters parameters = new LogParameters();
        Collector collector = parameters.collector;
        LogSource.read(log, collector, progress);
        parameters.entries.putAll(collector.tally.entries());
        return parameters;
    }

    /** Keeps only parameters that change within the log. */
    public void keepChanged() {
        entries.values().removeIf(entry -> entry.changes().isEmpty());
    }

    /** Keeps only parameters whose value differs from the default. */
    public void keepNonDefault() {
        entries.values().removeIf(entry -> !entry.isNonDefault());
    }

    /** Keeps, in both logs, only parameters that differ or that only one of them has. */
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

    /** Damage because of which parameters may be missing. */
    public LogDamage damage() {
        return collector.damage();
    }

    /** Whether this is a log of ArduPilot, which logs all parameters as float, whatever their type. */
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
