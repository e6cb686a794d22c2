package org.mavlogd.logtools;

import java.io.IOException;
import java.nio.file.Path;
import org.mavlogd.exports.McapExport;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.ULogException;

/**
 * Writes a log as MCAP. Reads it twice: UTC may be known only at its end, and is needed for the first message.
 *
 * @param messages samples of all topics
 * @param topics with samples
 * @param isUtc whether the log tells its UTC; else times count from the start of the vehicle's clock
 * @param bytes of the new file
 */
public record McapConversion(long messages, int topics, boolean isUtc, long bytes, LogDamage damage) {
    /**
     * Converts a log.
     *
     * @param library that writes, with its version
     * @param out committed only when everything is written
     * @throws ULogException if it is no log, or refused
     */
    public static McapConversion convert(Path log, String library, OutputFile out, Progress progress)
            throws IOException {
        return LogSource.readAgain(log, file -> convertFile(file, library, out, progress));
    }

    private static McapConversion convertFile(Path log, String library, OutputFile out, Progress progress)
            throws IOException {
        long bootUtcUs = bootUtcUs(log, (done, total) -> progress.onProgress(done, 2 * total));
        LogDamage.Tally damage = new LogDamage.Tally();
        McapExport export;
        long bytes;
        try (OutputFile.Sink sink = new OutputFile.Sink(out)) {
            export = new McapExport(sink.channel(), library, bootUtcUs, damage);
            LogSource.read(log, export, (done, total) -> progress.onProgress(total + done, 2 * total));
            export.finish();
            sink.flush();
            bytes = sink.position();
        }
        out.commit();
        return new McapConversion(export.messages(), export.topics(), bootUtcUs != 0, bytes, damage.damage());
    }

    /** What was written, in one line. */
    public String text() {
        return Words.count(messages, "message") + " of " + Words.count(topics, "topic") + ", " + Words.bytes(bytes)
                + (isUtc ? "" : "; the log has no UTC: times count from the start of the vehicle's clock");
    }

    private static long bootUtcUs(Path log, Progress progress) throws IOException {
        UtcReference utc = new UtcReference();
        LogSource.read(log, utc, progress);
        return utc.bootUtcUs();
    }
}
