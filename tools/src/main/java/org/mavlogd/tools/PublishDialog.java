package org.mavlogd.tools;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.mavlogd.link.UnixDatagramClient;

/**
 * Sends lines to mavlogd and receives its answers. Each datagram ends with a request whose answer shows that all lines
 * before it were read.
 */
final class PublishDialog {
    private static final long TIMEOUT_MS = 2000;
    private static final int MAX_LINES = 64;
    private static final int MAX_BYTES = 32 * 1024;
    private static final JsonFactory FACTORY = new JsonFactory();

    private final UnixDatagramClient client;
    private final Consumer<String> warnings;
    private long question;

    PublishDialog(UnixDatagramClient client, Consumer<String> warnings) {
        this.client = client;
        this.warnings = warnings;
    }

    /**
     * The result of sending lines.
     *
     * @param refused number of refused lines, as reported
     * @param answered whether there was a report
     */
    record Outcome(int refused, boolean answered) {}

    private record Answer(String error, long line, long id) {}

    /** Whether these lines must be sent before more are added. */
    boolean isFull(List<String> lines) {
        return lines.size() == MAX_LINES
                || lines.stream().mapToInt(line -> 4 * line.length()).sum() > MAX_BYTES;
    }

    /** @param before number of lines sent before these */
    Outcome exchange(List<String> lines, int before) throws IOException {
        question++;
        String datagram = String.join("\n", lines) + "\n{\"id\":" + question + "}";
        client.send(datagram.getBytes(StandardCharsets.UTF_8), TIMEOUT_MS);
        int refused = 0;
        while (true) {
            String text = client.receive(TIMEOUT_MS);
            if (text.isEmpty()) {
                warnings.accept("sent, but there is no answer"
                        + (client.isBesideServer()
                                ? ""
                                : "; mavlogd can answer users who may write to the directory of its socket"));
                return new Outcome(refused, false);
            }
            Answer answer = parse(text);
            if (answer.error().isEmpty() && answer.id() == question) {
                return new Outcome(refused, true);
            }
            if (!answer.error().isEmpty()) {
                refused++;
                boolean alone = lines.size() == 1 && before == 0;
                warnings.accept((alone ? "" : "line " + (before + answer.line()) + ": ") + answer.error());
            }
        }
    }

    private static Answer parse(String text) throws IOException {
        String error = "";
        long line = 0;
        long id = 0;
        try (JsonParser json = FACTORY.createParser(text)) {
            json.nextToken();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                json.nextToken();
                switch (name) {
                    case "error" -> error = json.getText();
                    case "line" -> line = json.getLongValue();
                    case "id" -> id = json.getLongValue();
                    default -> json.skipChildren();
                }
            }
        }
        return new Answer(error, line, id);
    }
}
