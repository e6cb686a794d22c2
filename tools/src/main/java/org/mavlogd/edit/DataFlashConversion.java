package org.mavlogd.edit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.mavlogd.dataflash.ULogMapper;
import org.mavlogd.logtools.DataFlashMapping;
import org.mavlogd.logtools.LogBytes;
import org.mavlogd.logtools.OutputFile;
import org.mavlogd.logtools.Progress;
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
        ULogMapper.Counts counts;
        long bytes;
        try (LogBytes opened = LogBytes.open(log);
                OutputFile.Sink sink = new OutputFile.Sink(out)) {
            counts = new DataFlashMapping(values, progress).map(log, opened, sink);
            sink.flush();
            bytes = sink.position();
        }
        out.commit();
        return new DataFlashConversion(counts, bytes);
    }

    /** What is missing in the new log. */
    public enum Loss {
        NONE,
        /** The end of the log cuts its last message off: so ends every log that was streamed, or that a loss of power ended. */
        LAST_MESSAGE,
        MORE
    }

    /** What of the log is not in the new one. */
    public Loss loss() {
        if (counts.damagedSpans() > 0 || counts.undeclared() > 0 || counts.refused() > 0) {
            return Loss.MORE;
        }
        return counts.cutBytes() > 0 ? Loss.LAST_MESSAGE : Loss.NONE;
    }

    /** What came of it, in one line. */
    public String text() {
        String written = Words.count(counts.records(), "message") + ", " + Words.bytes(bytes);
        return loss() == Loss.NONE
                ? "nothing lost (" + written + ")"
                : "lost: " + lost() + " (" + written + " converted)";
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
