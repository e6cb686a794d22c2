package org.mavlogd.logtools;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.mavlogd.dataflash.DataFlashDecoder;
import org.mavlogd.dataflash.HeadCollector;
import org.mavlogd.dataflash.LogHead;
import org.mavlogd.dataflash.RecordType;
import org.mavlogd.dataflash.ULogMapper;
import org.mavlogd.dataflash.ULogWriterLog;
import org.mavlogd.ulog.ScanHandler.Flaw;
import org.mavlogd.ulog.ULogException;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogSink;

/**
 * Maps a log of ArduPilot to ULog, as the recorder does. Reads it twice, since ULog needs all formats before the first sample;
 * a log that cannot be read twice is copied to a temporary file first.
 */
public final class DataFlashMapping {
    private static final byte[] NO_BYTES = {};

    private final ULogMapper.Values values;
    private final ULogHandler flaws;
    private final Progress progress;

    /** @param flaws receives damaged, truncated and undeclared records as flaws of a ULog, with positions in the log */
    public DataFlashMapping(ULogMapper.Values values, ULogHandler flaws, Progress progress) {
        this.values = values;
        this.flaws = flaws;
        this.progress = progress;
    }

    /**
     * Writes the ULog.
     *
     * @param opened the log, not read yet
     * @throws ULogException if the log has no records
     */
    public ULogMapper.Counts map(Path log, LogBytes opened, ULogSink sink) throws IOException {
        if (opened.isRereadable()) {
            return map(head(opened), log, sink);
        }
        Path copy = opened.copy();
        try (LogBytes copied = LogBytes.open(copy)) {
            return map(head(copied), copy, sink);
        } finally {
            Files.deleteIfExists(copy);
        }
    }

    private LogHead head(LogBytes log) throws IOException {
        HeadCollector collector = new HeadCollector();
        log.feed(collector::feed, (done, total) -> progress.onProgress(done, 2 * total));
        collector.finish();
        if (collector.records() == 0) {
            throw new ULogException("not a DataFlash log: it has no message that declares a format (FMT)");
        }
        return collector.head();
    }

    private ULogMapper.Counts map(LogHead head, Path log, ULogSink sink) throws IOException {
        // Not closed after a failure: closing would continue writing.
        ULogWriterLog target = new ULogWriterLog(sink, head.startUs());
        ULogMapper mapper = new ULogMapper(head, values, DataFlashDecoder.Units.DO_NOT_WAIT, target);
        mapper.reportFlaws(new Flaws(flaws));
        mapper.begin();
        try (LogBytes again = LogBytes.open(log)) {
            again.feed(mapper::feed, (done, total) -> progress.onProgress(total + done, 2 * total));
        }
        mapper.finish();
        target.close();
        ULogMapper.Counts counts = mapper.counts();
        for (long i = 0; i < counts.refused(); i++) {
            flaws.onFlawed(Flaw.NO_TOPIC, LogDamage.NOWHERE, 0, NO_BYTES, 0, 0);
        }
        return counts;
    }

    /** Passes the flaws of an ArduPilot log on as those of a ULog. */
    private record Flaws(ULogHandler handler) implements DataFlashDecoder.Handler {
        @Override
        public void onRecord(RecordType type, byte[] buffer, int offset) {}

        @Override
        public void onDamage(long position, long length) throws IOException {
            handler.onDamage(position, length);
        }

        @Override
        public void onCut(long position, long length) throws IOException {
            handler.onCut(position, length);
        }

        @Override
        public void onUndeclared(int type, long position, int length) throws IOException {
            handler.onFlawed(Flaw.NO_TOPIC, position, type, NO_BYTES, 0, 0);
        }
    }

    /** Passes on the bytes of the ULog as they are written. */
    static final class Sink implements ULogSink {
        private final LogBytes.Consumer consumer;
        private byte[] buffer = {};
        private long position;

        public Sink(LogBytes.Consumer consumer) {
            this.consumer = consumer;
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            int length = bytes.remaining();
            if (buffer.length < length) {
                buffer = new byte[length];
            }
            bytes.get(buffer, 0, length);
            consumer.feed(buffer, 0, length);
            position += length;
        }

        @Override
        public long position() {
            return position;
        }
    }
}
