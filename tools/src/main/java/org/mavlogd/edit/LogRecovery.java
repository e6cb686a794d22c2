package org.mavlogd.edit;

import java.io.IOException;
import java.nio.file.Path;
import org.mavlogd.logtools.LogDamage;
import org.mavlogd.logtools.LogSource;
import org.mavlogd.logtools.OutputFile;
import org.mavlogd.logtools.Progress;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.RepairResult;
import org.mavlogd.ulog.ULogRepair;

/**
 * Writes all intact messages of a log into a new log.
 *
 * @param lost damage of the source log
 * @param messages number of messages in the new log, without those that mark gaps
 * @param bytes size of the new log
 */
public record LogRecovery(LogDamage lost, long messages, long bytes) {
    /**
     * Recovers a log.
     *
     * @param out committed only when everything is written
     * @throws org.mavlogd.ulog.ULogException if it is not a log, or is refused
     */
    public static LogRecovery recover(Path damaged, OutputFile out, Progress progress) throws IOException {
        RepairResult result;
        LogDamage.Tally mapping = new LogDamage.Tally();
        long bytes;
        try (OutputFile.Sink sink = new OutputFile.Sink(out)) {
            ULogRepair repair = new ULogRepair(sink, ULogRepair.Orphans.DROP);
            LogSource.stream(damaged, repair::feed, mapping, progress);
            result = repair.finish();
            sink.flush();
            bytes = sink.position();
        }
        out.commit();
        return new LogRecovery(LogDamage.of(result).plus(mapping.damage()), result.messages(), bytes);
    }

    /** The result in one line. */
    public String text() {
        String written = Words.count(messages, "message") + ", " + Words.bytes(bytes);
        if (lost.isNone()) {
            return "nothing lost (" + written + ")";
        }
        // Omitted single messages leave no gap in time.
        boolean hasGaps = lost.spans() > 0 || lost.truncatedBytes() > 0;
        return "lost: " + lost.text() + (hasGaps ? "; marked by dropouts" : "") + " (" + written + " recovered)";
    }
}
