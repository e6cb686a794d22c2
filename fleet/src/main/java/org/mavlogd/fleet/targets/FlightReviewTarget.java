package org.mavlogd.fleet.targets;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mavlogd.config.UploadTarget;
import org.mavlogd.fleet.state.Transfer;

/**
 * PX4's Flight Review: sends the form of its upload page, as QGroundControl does. The link in the answer is kept.
 *
 * <p>The server assigns an id to each upload and cannot be queried. If a log was sent completely without an answer with
 * a link, it is unknown whether it arrived: it is sent once more, and after that it stays {@link
 * Transfer.Status#UNSURE}.
 *
 * @see <a href="https://github.com/PX4/flight_review">app/tornado_handlers/upload.py</a>
 */
final class FlightReviewTarget implements Target {
    /** Prefix of the note with the number of complete sends. */
    private static final String WHOLE = "whole ";

    private static final Pattern LINK = Pattern.compile(".{0,1000}(/plot_app\\?log=[A-Za-z0-9-]{1,64})");
    private static final int GATEWAY_TIMEOUT = 504;
    private static final JsonFactory JSON = new JsonFactory();

    private final HttpSender http;
    private final URI url;
    private final UploadTarget.Form form;

    FlightReviewTarget(UploadTarget settings, HttpSender http) {
        this.url = settings.url();
        this.form = settings.form();
        this.http = http;
    }

    @Override
    public boolean replaces() {
        return false;
    }

    @Override
    public boolean resumes() {
        return false;
    }

    @Override
    public String host() {
        return url.getHost();
    }

    @Override
    public void close() {
        // Java's client closes itself
    }

    @Override
    public Transfer send(Shipment shipment, Transfer before, Notes notes) throws IOException, InterruptedException {
        int whole = wholeSends(before);
        if (whole >= 2) {
            return before.unsure("sent twice completely, and the server never answered with a link to the log's plots");
        }
        String name = shipment.original();
        // The server searches for it only between parts; it is not in the log by accident, because the checksum depends
        // on the log.
        String boundary = "----mavlogd-" + shipment.sha256().substring(0, 32);
        byte[] head = head(boundary, name);
        byte[] tail = ("\r\n--" + boundary + "--\r\n").getBytes(StandardCharsets.US_ASCII);
        long length = head.length + shipment.bytes() + tail.length;
        HttpSender.Answer answer = http.send(
                http.request(URI.create(url + "/upload?expected_size=" + length))
                        .header("Content-Type", "multipart/form-data; boundary=" + boundary),
                "POST",
                () -> HttpSender.joined(
                        new ByteArrayInputStream(head),
                        shipment.slice(0, shipment.bytes()),
                        noted(tail, before.withResume(WHOLE + (whole + 1)), notes)),
                length);
        String link = link(answer);
        if (link.isEmpty()) {
            throw refusal(answer, before, notes);
        }
        return before.sent(url + link, System.currentTimeMillis());
    }

    /** Number of times that the file was sent completely without an answer. */
    private static int wholeSends(Transfer before) {
        return before.resume().startsWith(WHOLE)
                ? Integer.parseInt(before.resume().substring(WHOLE.length()))
                : 0;
    }

    private static IOException refusal(HttpSender.Answer answer, Transfer before, Notes notes) throws IOException {
        if (answer.isGood()) {
            // Login pages of networks answer 200, too: it is unknown whether the log arrived.
            return new IOException("the server's answer has no link to the log's plots: is the url right?");
        }
        if (answer.status() != GATEWAY_TIMEOUT) {
            // The server answered, so this log did not arrive. A proxy that timed out does not know.
            notes.save(before.withResume(""));
        }
        return isRedirection(answer)
                ? new IOException("the server did not take the log, and leads to \"" + answer.header("Location")
                        + "\": is the url right?")
                : HttpSender.refusal(answer);
    }

    private static boolean isRedirection(HttpSender.Answer answer) {
        return answer.status() / 100 == 3;
    }

    /** The last bytes; reading the first of them saves the transfer. */
    private static InputStream noted(byte[] tail, Transfer transfer, Notes notes) {
        AtomicBoolean isNoted = new AtomicBoolean();
        return new ByteArrayInputStream(tail) {
            @Override
            public synchronized int read(byte[] target, int offset, int wanted) {
                note(isNoted, transfer, notes);
                return super.read(target, offset, wanted);
            }
        };
    }

    /** Saves before the last bytes are sent, so that a power cut right after them is known. */
    private static void note(AtomicBoolean isNoted, Transfer transfer, Notes notes) {
        if (!isNoted.getAndSet(true)) {
            S3Parts.unchecked(() -> {
                notes.save(transfer);
                return transfer;
            });
        }
    }

    private Map<String, String> fields() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("description", form.description());
        fields.put("email", form.email());
        fields.put("feedback", "");
        fields.put("source", "mavlogd");
        fields.put("type", form.isPublic() ? "flightreport" : "personal");
        fields.put("public", Boolean.toString(form.isPublic()));
        fields.put("allowForAnalysis", Boolean.toString(form.isPublic()));
        fields.put("obfuscated", "false");
        fields.put("rating", "notset");
        fields.put("windSpeed", "-1");
        fields.put("videoUrl", "");
        fields.put("vehicleName", "");
        fields.put("redirect", "false");
        return fields;
    }

    private byte[] head(String boundary, String name) {
        StringBuilder text = new StringBuilder();
        fields().forEach((field, value) -> text.append("--")
                .append(boundary)
                .append("\r\nContent-Disposition: form-data; name=\"")
                .append(field)
                .append("\"\r\n\r\n")
                .append(value)
                .append("\r\n"));
        text.append("--")
                .append(boundary)
                .append("\r\nContent-Disposition: form-data; name=\"filearg\"; filename=\"")
                .append(name)
                .append("\"\r\nContent-Type: application/octet-stream\r\n\r\n");
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Path of the plots at the server, from its JSON or its redirection; empty if there is none. */
    private static String link(HttpSender.Answer answer) throws IOException {
        String address = isRedirection(answer) ? answer.header("Location") : answer.isGood() ? url(answer.body()) : "";
        Matcher link = LINK.matcher(address);
        return link.matches() ? link.group(1) : "";
    }

    private static String url(String body) throws IOException {
        try (JsonParser parser = JSON.createParser(body)) {
            while (parser.nextToken() != null) {
                if (parser.currentToken() == JsonToken.FIELD_NAME && "url".equals(parser.currentName())) {
                    parser.nextToken();
                    return parser.getValueAsString("");
                }
            }
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            return "";
        }
        return "";
    }
}
