package org.mavlogd.wiring;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Set;
import org.mavlogd.store.UploaderStatus;

/**
 * The state of {@code mavlogd upload}, from the file that it replaces about once a second. It is read when the status
 * is requested, up to a limited length; the list of all logs at its end is not read. Adds since when the uploader has
 * not been running.
 *
 * @param file the uploader's status
 */
record UploadProgress(Path file) {
    private static final int MAX_BYTES = 64 * 1024;
    private static final Set<String> FIELDS = Set.of(
            "written_utc", "waits_for", "bytes_per_s", "sent_bytes", "backlog_files", "backlog_bytes", "targets");

    /** Writes one field with the known state; null if there is no uploader, or no readable file. */
    void write(JsonGenerator json) throws IOException {
        json.writeFieldName("uploads");
        try {
            json.writeRawValue(read());
        } catch (IOException e) {
            json.writeNull();
        }
    }

    /** Reads the fields at the start of the file. Those of single logs come last. */
    private String read() throws IOException {
        StringWriter text = new StringWriter();
        try (InputStream in = Files.newInputStream(file);
                JsonParser parser = JsonDocument.FACTORY.createParser(in.readNBytes(MAX_BYTES));
                JsonGenerator copy = JsonDocument.FACTORY.createGenerator(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("no object");
            }
            copy.writeStartObject();
            while (parser.nextToken() == JsonToken.FIELD_NAME && FIELDS.contains(parser.currentName())) {
                copy.copyCurrentStructure(parser);
            }
            copy.writeStringField(
                    UploaderStatus.NOT_RUNNING_SINCE,
                    UploaderStatus.notRunningSince(file, Instant.now())
                            .map(Instant::toString)
                            .orElse(null));
            copy.writeEndObject();
        }
        return text.toString();
    }
}
