package org.mavlogd.page;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.mavlogd.page.Catalogue.Entry;
import org.mavlogd.status.UploadReport;

/** The list of logs, with their current facts. */
final class LogList {
    private static final byte[] NO_FACTS = Json.object(Facts::writeUnread);

    private LogList() {}

    /** The list as JSON, the log written last first. Requests unknown facts. */
    static byte[] of(Catalogue catalogue, FactsIndex facts, Optional<UploadReport> uploads) throws IOException {
        List<Entry> logs = new ArrayList<>(catalogue.all());
        logs.sort(Comparator.comparingLong(Entry::modifiedMs).reversed().thenComparing(Entry::name));
        facts.want(logs);
        ByteArrayOutputStream out = new ByteArrayOutputStream(64 + 256 * logs.size());
        out.writeBytes("{\"logs\":[".getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < logs.size(); i++) {
            if (i > 0) {
                out.write(',');
            }
            write(logs.get(i), facts, uploads, out);
        }
        out.write(']');
        List<String> unread = logs.isEmpty() ? catalogue.unreadFolders() : List.of();
        byte[] lines = Json.object(json -> {
            json.writeStringField("unread", String.join("; ", unread));
            if (uploads.isPresent()) {
                json.writeStringField("uploads", uploads.get().summary());
            }
        });
        // Joins two objects.
        out.write(',');
        out.write(lines, 1, lines.length - 1);
        return out.toByteArray();
    }

    private static void write(Entry log, FactsIndex facts, Optional<UploadReport> uploads, ByteArrayOutputStream out) {
        Optional<UploadReport.State> upload = uploads.flatMap(report -> report.of(log.name()));
        byte[] found = facts.of(log).orElse(NO_FACTS);
        byte[] known = Json.object(json -> {
            json.writeStringField("name", log.name());
            json.writeNumberField("size", log.bytes());
            json.writeStringField("state", log.state().name().toLowerCase(Locale.ROOT));
            json.writeStringField("kind", log.kind().finished("").substring(1));
            json.writeBooleanField("kept", log.isKept());
            if (upload.isPresent()) {
                json.writeStringField("upload", upload.get().name().toLowerCase(Locale.ROOT));
            }
        });
        // Joins two objects.
        out.write(known, 0, known.length - 1);
        out.write(',');
        out.write(found, 1, found.length - 1);
    }
}
