package org.mavlogd.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.mavlogd.logtools.LogEnd;
import org.mavlogd.page.Catalogue.Entry;
import org.mavlogd.page.Catalogue.State;
import org.mavlogd.store.FileDisk;
import org.mavlogd.store.LogDirectory;
import org.mavlogd.tools.NamedLog;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.ULogAppender;
import org.mavlogd.wiring.FetchAfterFlight;

/** Changes logs, like {@code mavlogd logs} and {@code mavlogd append}. */
final class LogControl {
    private static final int CONFLICT = 409;
    private static final int MAX_REMARK = 1000;

    private LogControl() {}

    static byte[] keep(Entry log, boolean isKept) throws IOException {
        NamedLog named = named(log);
        if (isKept) {
            named.keep();
        } else {
            named.unkeep();
        }
        return Json.object(json -> {
            json.writeStringField("log", named.text());
            json.writeBooleanField("kept", isKept);
        });
    }

    /** Deletes a log with all its files. */
    static byte[] delete(Entry log) throws IOException {
        NamedLog named = named(log);
        String refusal = named.refusal();
        if (!refusal.isEmpty()) {
            throw new Problem(CONFLICT, log.name() + ": " + refusal);
        }
        List<Path> files = named.files();
        named.delete();
        return Json.object(json -> {
            json.writeArrayFieldStart("deleted");
            for (Path file : files) {
                json.writeString(String.valueOf(file.getFileName()));
            }
            json.writeEndArray();
        });
    }

    static byte[] remark(Entry log, String text) throws IOException {
        String remark = text.strip();
        if (remark.isEmpty() || remark.length() > MAX_REMARK) {
            throw new Problem(400, "a remark has 1 to " + MAX_REMARK + " characters");
        }
        if (log.state() != State.FINISHED || !log.name().endsWith(".ulg")) {
            throw new Problem(CONFLICT, log.name() + ": only a finished .ulg takes a remark");
        }
        new ULogAppender()
                .loggedString(LogLevel.NOTICE, LogEnd.latestUs(log.file(), (done, total) -> {}), remark)
                .appendTo(log.file());
        return Json.object(json -> json.writeStringField("remark", remark));
    }

    private static NamedLog named(Entry log) throws IOException {
        Path parent =
                Optional.ofNullable(log.file().toAbsolutePath().getParent()).orElseThrow();
        boolean isFetched = parent.endsWith(FetchAfterFlight.DIRECTORY);
        Path directory = isFetched ? Optional.ofNullable(parent.getParent()).orElseThrow() : parent;
        String file = String.valueOf(log.file().getFileName());
        if (!NamedLog.isName(file) || !Files.isDirectory(directory) || file.startsWith(LogDirectory.LAST)) {
            throw new Problem(
                    CONFLICT, log.name() + ": is not a log of the recorder; only those can be kept or deleted here");
        }
        return NamedLog.find(new FileDisk(directory), file);
    }
}
