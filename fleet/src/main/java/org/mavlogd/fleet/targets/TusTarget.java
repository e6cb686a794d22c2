package org.mavlogd.fleet.targets;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.mavlogd.config.UploadTarget;
import org.mavlogd.fleet.state.Transfer;

/**
 * A server of the tus protocol: the upload resumes at the byte that the server reports. The server assigns an address
 * to each upload; name and SHA-256 of the file are in the upload's metadata.
 *
 * @see <a href="https://tus.io/protocols/resumable-upload">tus 1.0.0</a>
 */
final class TusTarget implements Target {
    private static final String VERSION = "1.0.0";
    /** Maximum bytes of a request, so that few are lost if a proxy buffers them. */
    private static final long PATCH_BYTES = 32L << 20;

    private static final int MAX_ADDRESS = 1000;

    private final HttpSender http;
    private final URI url;

    TusTarget(UploadTarget settings, HttpSender http) {
        this.url = settings.url();
        this.http = http;
    }

    @Override
    public boolean replaces() {
        return false;
    }

    @Override
    public boolean resumes() {
        return true;
    }

    @Override
    public String host() {
        return url.getHost();
    }

    @Override
    public void close() {
        // Java's client closes itself
    }

    private HttpRequest.Builder request(URI address) throws IOException {
        return http.request(address).header("Tus-Resumable", VERSION);
    }

    @Override
    public Transfer send(Shipment shipment, Transfer before, Notes notes) throws IOException, InterruptedException {
        Transfer now = before.withKey(shipment.key());
        Optional<URI> begun = begun(now.resume(), shipment);
        long offset = begun.isEmpty() ? -1 : offset(begun.get(), shipment.bytes());
        URI upload = offset < 0 ? create(shipment) : begun.orElseThrow();
        if (offset < 0) {
            now = now.withResume(upload + " " + shipment.contentSha256());
            notes.save(now);
            offset = 0;
        }
        while (offset < shipment.bytes()) {
            shipment.throttle().check();
            long next = patch(upload, shipment, offset);
            if (next <= offset || next > shipment.bytes()) {
                throw new IOException(
                        "the server has " + next + " bytes after it had " + offset + " of " + shipment.bytes());
            }
            offset = next;
        }
        return now.sent(upload.toString(), System.currentTimeMillis());
    }

    /**
     * The address of an upload of this content; empty if it must begin anew: another server may be configured since, or
     * the log may have been compressed again, by a compressor that makes other bytes of it.
     *
     * @param resume address and SHA-256 of the content
     */
    private Optional<URI> begun(String resume, Shipment shipment) {
        int blank = resume.indexOf(' ');
        return blank > 0 && resume.substring(blank + 1).equals(shipment.contentSha256())
                ? onServer(resume.substring(0, blank))
                : Optional.empty();
    }

    /** Number of bytes that the server has; -1 if it no longer knows the upload, or expects another length. */
    private long offset(URI upload, long bytes) throws IOException, InterruptedException {
        HttpSender.Answer answer = http.send(request(upload), "HEAD");
        String length = answer.header("Upload-Length");
        return switch (answer.status()) {
            case 200, 204 -> length.isEmpty() || length.equals(Long.toString(bytes)) ? offset(answer, bytes) : -1;
            case 404, 410, 403 -> -1;
            default -> throw HttpSender.refusal(answer);
        };
    }

    private static long offset(HttpSender.Answer answer, long bytes) throws IOException {
        try {
            long offset = Long.parseLong(answer.header("Upload-Offset"));
            if (offset >= 0 && offset <= bytes) {
                return offset;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new IOException("the server does not report how much it has (Upload-Offset)");
    }

    private URI create(Shipment shipment) throws IOException, InterruptedException {
        HttpSender.Answer answer = http.send(
                request(url)
                        .header("Upload-Length", Long.toString(shipment.bytes()))
                        .header(
                                "Upload-Metadata",
                                "filename " + base64(shipment.key()) + ",filetype " + base64(shipment.type())
                                        + ",sha256 " + base64(shipment.sha256())),
                "POST");
        if (answer.status() != 201) {
            throw HttpSender.refusal(answer);
        }
        return onServer(answer.header("Location"))
                .orElseThrow(() -> new IOException("the server names an upload that is not on it (Location)"));
    }

    /**
     * The address of an upload; empty if it is on another server: logs and secrets only go where they were configured
     * to.
     */
    private Optional<URI> onServer(String text) {
        try {
            URI upload = text.length() > MAX_ADDRESS ? url : url.resolve(text);
            boolean isSame = !upload.equals(url)
                    && url.getScheme().equals(upload.getScheme())
                    && url.getHost().equalsIgnoreCase(upload.getHost())
                    && url.getPort() == upload.getPort();
            return isSame ? Optional.of(upload) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private long patch(URI upload, Shipment shipment, long offset) throws IOException, InterruptedException {
        long length = Math.min(PATCH_BYTES, shipment.bytes() - offset);
        HttpSender.Answer answer = http.send(
                request(upload)
                        .header("Upload-Offset", Long.toString(offset))
                        .header("Content-Type", "application/offset+octet-stream"),
                "PATCH",
                () -> shipment.slice(offset, length),
                length);
        if (answer.status() != 204 && answer.status() != 200) {
            // Its offset may differ: the next attempt queries it. So the file is not refused.
            throw answer.status() == 409
                    ? new IOException("the server expects another offset")
                    : HttpSender.refusal(answer);
        }
        return offset(answer, shipment.bytes());
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
