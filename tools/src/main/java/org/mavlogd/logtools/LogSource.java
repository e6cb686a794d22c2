package org.mavlogd.logtools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.mavlogd.dataflash.ULogMapper;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogReader;
import org.mavlogd.ulog.ULogRepair;

/**
 * Streams a log as ULog to a handler, and reports progress. Logs of ArduPilot and telemetry logs are mapped on the way, each may
 * be gzip, and {@link #STANDARD_INPUT} is a log, too.
 */
public final class LogSource {
    /** The path {@code -}; a file of that name is {@code ./-}. */
    public static final Path STANDARD_INPUT = LogBytes.STANDARD_INPUT;

    private LogSource() {}

    /** Reads the contents of a log; returns the size of its ULog in bytes. */
    public static long read(Path log, ULogHandler handler, Progress progress) throws IOException {
        ULogReader reader = new ULogReader(handler);
        long size = stream(log, reader::feed, handler, progress);
        reader.finish();
        return size;
    }

    /**
     * Reads the sound messages of a log as if it were whole: gaps are dropout messages, appended sections are part of the data, as
     * {@link ULogRepair} makes it. Returns what was not sound.
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

    /** What is done with a log that can be read again and again. */
    @FunctionalInterface
    public interface Reading<T> {
        public T read(Path log) throws IOException;
    }

    /** Reads a log more than once: of standard input and pipes a temporary copy, which is deleted afterwards. */
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
     * Feeds the bytes of a log as ULog; returns how many there were.
     *
     * @param flaws is given what is damaged in a log of ArduPilot, where the ULog made of it is sound
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
