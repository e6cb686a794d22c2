package org.mavlogd.logtools;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.mavlogd.dataflash.DataFlashDecoder;
import org.mavlogd.dataflash.HeadCollector;
import org.mavlogd.dataflash.LogHead;
import org.mavlogd.dataflash.ULogMapper;
import org.mavlogd.dataflash.ULogWriterLog;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.ULogException;

/**
 * Writes a DataFlash log of ArduPilot as ULog.
 *
 * <p>Reads it twice, for ULog wants to be told of everything before the first sample.
 *
 * @param counts what came of it
 * @param bytes of the new log
 */
public record DataFlashConversion(ULogMapper.Counts counts, long bytes) {
    /**
     * Converts a log.
     *
     * @param out committed only when everything is written
     * @throws ULogException if there is no record in it
     */
    public static DataFlashConversion convert(Path log, OutputFile out, ULogMapper.Values values, Progress progress)
            throws IOException {
        requireOrdinary(log);
        LogHead head = head(log, progress);
        ULogMapper.Counts counts;
        long bytes;
        try (OutputFile.Sink sink = new OutputFile.Sink(out)) {
            // Not closed when it fails: closing would write on.
            ULogWriterLog target = new ULogWriterLog(sink, head.startUs());
            ULogMapper mapper = new ULogMapper(head, values, DataFlashDecoder.Units.DO_NOT_WAIT, target);
            mapper.begin();
            LogSource.stream(log, mapper::feed, (done, total) -> progress.onProgress(total + done, 2 * total));
            mapper.finish();
            target.close();
            counts = mapper.counts();
            sink.flush();
            bytes = sink.position();
        }
        out.commit();
        return new DataFlashConversion(counts, bytes);
    }

    private static LogHead head(Path log, Progress progress) throws IOException {
        HeadCollector collector = new HeadCollector();
        LogSource.stream(log, collector::feed, (done, total) -> progress.onProgress(done, 2 * total));
        collector.finish();
        if (collector.records() == 0) {
            throw new ULogException("no DataFlash log: it holds no message that declares a format (FMT)");
        }
        return collector.head();
    }

    /** A pipe cannot be read twice. */
    static void requireOrdinary(Path log) throws IOException {
        if (!Files.exists(log)) {
            throw new NoSuchFileException(log.toString());
        }
        if (Files.isDirectory(log)) {
            throw new FileSystemException(log.toString(), null, "is a directory");
        }
        if (!Files.isRegularFile(log)) {
            throw new FileSystemException(log.toString(), null, "is no ordinary file");
        }
    }

    /** Whether everything in the log is in the new one. */
    public boolean isWhole() {
        return counts.damagedSpans() == 0
                && counts.cutBytes() == 0
                && counts.undeclared() == 0
                && counts.refused() == 0;
    }

    /** What came of it, in one line. */
    public String text() {
        String written = Words.count(counts.records(), "message") + ", " + Words.bytes(bytes);
        return isWhole() ? "nothing lost (" + written + ")" : "lost: " + lost() + " (" + written + " converted)";
    }

    private String lost() {
        List<String> parts = new ArrayList<>();
        if (counts.damagedSpans() > 0) {
            parts.add(
                    Words.bytes(counts.damagedBytes()) + " damaged in " + Words.count(counts.damagedSpans(), "place"));
        }
        if (counts.cutBytes() > 0) {
            parts.add(Words.bytes(counts.cutBytes()) + " of a message that was cut off");
        }
        if (counts.undeclared() > 0) {
            parts.add(Words.count(counts.undeclared(), "message") + " of no known format");
        }
        if (counts.refused() > 0) {
            parts.add(Words.count(counts.refused(), "message") + " beyond the number of topics that a log can have");
        }
        return String.join(", ", parts);
    }
}
