package org.mavlogd.logtools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.mavlogd.dataflash.ULogMapper;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogReader;
import org.mavlogd.ulog.ULogRepair;

/**
 * Streams a log as ULog to a handler, and reports progress. Logs of ArduPilot and telemetry logs are mapped to ULog;
 * each may be compressed with gzip, or be {@link #STANDARD_INPUT}.
 */
public final class LogSource {
    /** The path {@code -}; a file with that name is {@code ./-}. */
    public static final Path STANDARD_INPUT = LogBytes.STANDARD_INPUT;

    /** The name of a log in messages. */
    public static String nameOf(Path log) {
        return log.equals(STANDARD_INPUT) ? "standard input" : log.toString();
    }

    private LogSource() {}

    /** Reads the contents of a log; returns the size of its ULog in bytes. */
    public static long read(Path log, ULogHandler handler, Progress progress) throws IOException {
        ULogReader reader = new ULogReader(handler);
        long size = stream(log, reader::feed, handler, progress);
        reader.finish();
        return size;
    }

    /**
     * Reads the intact messages of a log as a log without damage: gaps are dropout messages and appended sections part
     * of the data, as in the result of {@link ULogRepair}. Returns the damage.
     */
    public static LogDamage readSound(Path log, ULogHandler handler, Progress progress) throws IOException {
        ULogReader reader = new ULogReader(handler);
        ULogRepair repair = new ULogRepair(new DataFlashMapping.Sink(reader::feed), ULogRepair.Orphans.DROP);
        LogDamage.Tally mapping = new LogDamage.Tally();
        stream(log, repair::feed, mapping, progress);
        LogDamage damage = LogDamage.of(repair.finish()).plus(mapping.damage());
        reader.finish();
        return damage;
    }

    /** An operation that reads a log several times. */
    @FunctionalInterface
    public interface Reading<T> {
        public T read(Path log) throws IOException;
    }

    /** Reads a log more than once: for standard input and pipes a temporary copy, which is then deleted. */
    public static <T> T readAgain(Path log, Reading<T> reading) throws IOException {
        try (LogBytes bytes = LogBytes.open(log)) {
            if (bytes.isRereadable()) {
                return reading.read(log);
            }
            Path copy = bytes.copy();
            try {
                return reading.read(copy);
            } finally {
                Files.deleteIfExists(copy);
            }
        }
    }

    /**
     * Feeds the bytes of a log as ULog; returns their number.
     *
     * @param flaws receives the damage of an ArduPilot log, since the ULog made of it is intact
     */
    public static long stream(Path log, LogBytes.Consumer consumer, ULogHandler flaws, Progress progress)
            throws IOException {
        try (LogBytes bytes = LogBytes.open(log)) {
            if (bytes.isULog()) {
                return bytes.feed(consumer, progress);
            }
            DataFlashMapping.Sink sink = new DataFlashMapping.Sink(consumer);
            if (bytes.isTelemetry()) {
                new TelemetryMapping(flaws, progress).map(log, bytes, sink);
                return sink.position();
            }
            new DataFlashMapping(ULogMapper.Values.RAW, flaws, progress).map(log, bytes, sink);
            return sink.position();
        }
    }
}
