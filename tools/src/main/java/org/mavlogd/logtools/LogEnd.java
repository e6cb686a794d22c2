package org.mavlogd.logtools;

import java.io.IOException;
import java.nio.file.Path;
import org.mavlogd.ulog.LoggedText;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.ULogHandler;

/** Finds the latest time in a log, for messages that are appended later. */
public final class LogEnd implements ULogHandler {
    private long latestUs;

    private LogEnd() {}

    /** Latest time in microseconds; the start if nothing in the log has a time. */
    public static long latestUs(Path file, Progress progress) throws IOException {
        LogEnd end = new LogEnd();
        LogSource.read(file, end, progress);
        return end.latestUs;
    }

    @Override
    public void onStart(int version, long startUs) {
        latestUs = Math.max(latestUs, startUs);
    }

    @Override
    public void onSample(SampleView sample) {
        latestUs = Math.max(latestUs, sample.timestampUs());
    }

    @Override
    public void onLoggedText(LoggedText text) {
        latestUs = Math.max(latestUs, text.timestampUs());
    }
}
