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
 * Converts a DataFlash log of ArduPilot to ULog.
 *
 * <p>Reads it twice, because ULog needs all definitions before the first sample.
 *
 * @param lost parts of the log that the new one lacks
 * @param messages number of messages in the log
 * @param bytes size of the new log
 */
public record DataFlashConversion(LogDamage lost, long messages, long bytes) {
    /**
     * Converts a log.
     *
     * @param out committed only when everything is written
     * @throws ULogException if the file has no records
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

    /** The extent of missing messages in the new log. */
    public enum Loss {
        NONE,
        /** The log ends inside its last message, as every log does that was streamed or ended by a power cut. */
        LAST_MESSAGE,
        MORE
    }

    /** The extent of the loss. */
    public Loss loss() {
        if (lost.isNone()) {
            return Loss.NONE;
        }
        return lost.withoutCut().isNone() ? Loss.LAST_MESSAGE : Loss.MORE;
    }

    /** The result in one line. */
    public String text() {
        String written = Words.count(messages, "message") + ", " + Words.bytes(bytes);
        return lost.isNone()
                ? "nothing lost (" + written + ")"
                : "lost: " + lost.text() + " (" + written + " converted)";
    }
}
