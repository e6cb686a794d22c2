package org.mavlogd.edit;

import java.io.IOException;
import java.nio.file.Path;
import org.mavlogd.dataflash.ULogMapper;
import org.mavlogd.logtools.DataFlashMapping;
import org.mavlogd.logtools.LogBytes;
import org.mavlogd.logtools.LogDamage;
import org.mavlogd.logtools.OutputFile;
import org.mavlogd.logtools.Progress;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.ULogException;

/**
 * Writes a DataFlash log of ArduPilot as ULog.
 *
 * <p>Reads it twice, because ULog needs all definitions before the first sample.
 *
 * @param lost what of the log is not in the new one
 * @param messages of the log
 * @param bytes of the new log
 */
public record DataFlashConversion(LogDamage lost, long messages, long bytes) {
    /**
     * Converts a log.
     *
     * @param out committed only when everything is written
     * @throws ULogException if there is no record in it
     */
    public static DataFlashConversion convert(Path log, OutputFile out, ULogMapper.Values values, Progress progress)
            throws IOException {
        LogDamage.Tally flaws = new LogDamage.Tally();
        long messages;
        long bytes;
        try (LogBytes opened = LogBytes.open(log);
                OutputFile.Sink sink = new OutputFile.Sink(out)) {
            messages = new DataFlashMapping(values, flaws, progress)
                    .map(log, opened, sink)
                    .records();
            sink.flush();
            bytes = sink.position();
        }
        out.commit();
        return new DataFlashConversion(flaws.damage(), messages, bytes);
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
        if (lost.isNone()) {
            return Loss.NONE;
        }
        return lost.withoutCut().isNone() ? Loss.LAST_MESSAGE : Loss.MORE;
    }

    /** What came of it, in one line. */
    public String text() {
        String written = Words.count(messages, "message") + ", " + Words.bytes(bytes);
        return lost.isNone()
                ? "nothing lost (" + written + ")"
                : "lost: " + lost.text() + " (" + written + " converted)";
    }
}
