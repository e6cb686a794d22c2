package org.mavlogd.fleet.targets;

import java.io.IOException;
import java.net.URI;
import java.util.Base64;
import java.util.HexFormat;
import org.mavlogd.config.UploadTarget;
import org.mavlogd.fleet.state.Transfer;

/**
 * A server that stores files by PUT, such as WebDAV, whose missing collections (directories) it creates. An interrupted
 * upload starts over: HTTP cannot resume a PUT. A file sent twice has the same name, so it is stored once.
 *
 * <p>The headers have the MD5 and SHA-256 of the file (RFC 1864 and RFC 9530) for servers that check them.
 */
final class PutTarget implements Target {
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    private final HttpSender http;
    private final URI url;

    PutTarget(UploadTarget settings, HttpSender http) {
        this.url = settings.url();
        this.http = http;
    }

    @Override
    public boolean replaces() {
        return true;
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
        Transfer now = before.withKey(shipment.key());
        URI address = URI.create(url + "/" + now.key());
        HttpSender.Answer answer = put(address, shipment);
        if (isCollectionMissing(answer) && makeCollections(now.key())) {
            answer = put(address, shipment);
        }
        if (!answer.isGood()) {
            throw HttpSender.refusal(answer);
        }
        check(address, shipment);
        return now.sent(address.toString(), System.currentTimeMillis());
    }

    private HttpSender.Answer put(URI address, Shipment shipment) throws IOException, InterruptedException {
        Digests sums = Digests.of(shipment.file(), 0, shipment.bytes());
        String sha256 = Base64.getEncoder().encodeToString(HexFormat.of().parseHex(shipment.contentSha256()));
        shipment.throttle().check();
        return http.send(
                http.request(address)
                        .header("Content-Type", shipment.type())
                        .header("Content-MD5", sums.md5Base64())
                        .header("Repr-Digest", "sha-256=:" + sha256 + ':'),
                "PUT",
                () -> shipment.slice(0, shipment.bytes()),
                shipment.bytes());
    }

    /** 409 by RFC 4918, 9.7.1; some servers answer 404. */
    private static boolean isCollectionMissing(HttpSender.Answer answer) {
        return answer.status() == CONFLICT || answer.status() == NOT_FOUND;
    }

    /**
     * Creates the collections of a key, but none of the configured address: a wrong address must not create any
     * elsewhere.
     *
     * @return whether any was created
     * @throws IOException if the server supports WebDAV, and refuses
     */
    private boolean makeCollections(String key) throws IOException, InterruptedException {
        boolean isMade = false;
        for (int slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1)) {
            // nginx requires the slash at the end. The answer for an existing collection is 405.
            String collection = key.substring(0, slash + 1);
            HttpSender.Answer answer = http.send(http.request(URI.create(url + "/" + collection)), "MKCOL");
            if (answer.status() == FORBIDDEN || answer.status() == CONFLICT) {
                throw new IOException("the server does not have the collection \"" + collection
                        + "\", and refuses to create it (status " + answer.status() + ")");
            }
            isMade |= answer.isGood();
        }
        return isMade;
    }

    /** Checks the length of the stored file, if the server reports it. */
    private void check(URI address, Shipment shipment) throws IOException, InterruptedException {
        HttpSender.Answer there = http.send(http.request(address), "HEAD");
        long length = there.head().headers().firstValueAsLong("Content-Length").orElse(-1);
        if (there.isGood() && length > 0 && length != shipment.bytes()) {
            throw new IOException("the server has " + length + " bytes instead of " + shipment.bytes());
        }
    }
}
