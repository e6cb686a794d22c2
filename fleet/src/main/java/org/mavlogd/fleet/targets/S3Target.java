package org.mavlogd.fleet.targets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.mavlogd.config.UploadTarget;
import org.mavlogd.fleet.state.Transfer;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CompletedMultipartUpload;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.ServerSideEncryption;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

/**
 * A bucket of S3, at AWS or another server. Files larger than a part are sent in parts: an interrupted upload resumes
 * at the first missing part.
 *
 * <p>Each part has its MD5 and CRC32C, which the server checks; its ETag usually is the MD5, which is compared. The
 * SHA-256 of the file is stored with the object: so an existing object is recognised, and an object of another sender
 * is never replaced.
 */
final class S3Target implements Target {
    /** Name of the object's property that holds the SHA-256 of the file. */
    static final String SHA256 = "sha256";

    private static final Pattern MD5 = Pattern.compile("[0-9a-f]{32}");
    private static final Pattern MD5_OF_PARTS = Pattern.compile("[0-9a-f]{32}-[0-9]{1,5}");
    /** Maximum number of parts in S3. */
    private static final int MAX_PARTS = 10_000;

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int NOT_FOUND = 404;
    private static final int FORBIDDEN = 403;

    private final S3Client client;
    private final boolean signsBodies;
    private final String bucket;
    private final int partBytes;
    private final String host;
    // Java's client loses an answer that comes together with the permission to send: if a quota is reached, Ceph
    // permits the body and at once refuses it. So after a timeout the next attempt does not wait for the permission,
    // and gets the reason.
    private boolean expectsContinue = true;

    S3Target(UploadTarget settings, long stallNs) throws IOException {
        this(settings, TIMEOUT, stallNs);
    }

    S3Target(UploadTarget settings, Duration timeout, long stallNs) throws IOException {
        this.client = S3Connection.open(settings, new S3Http(settings, timeout, stallNs), () -> expectsContinue);
        this.signsBodies = "http".equals(settings.url().getScheme());
        this.bucket = settings.bucket().name();
        this.partBytes = settings.bucket().partBytes();
        String named = settings.url().getHost();
        this.host = named == null ? "s3." + settings.bucket().region() + ".amazonaws.com" : named;
    }

    @Override
    public boolean replaces() {
        return true;
    }

    @Override
    public boolean resumes() {
        return true;
    }

    @Override
    public String host() {
        return host;
    }

    @Override
    public void close() {
        client.close();
    }

    @Override
    public Transfer send(Shipment shipment, Transfer before, Notes notes) throws IOException {
        try {
            Transfer sent = sendTo(shipment, before, notes);
            expectsContinue = true;
            return sent;
        } catch (SdkException e) {
            if (!S3Connection.isAnswer(e)) {
                expectsContinue = !(expectsContinue && S3Connection.isTimeout(e));
            }
            throw S3Connection.failure(e);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private Transfer sendTo(Shipment shipment, Transfer before, Notes notes) throws IOException {
        Transfer now = before;
        if (now.key().isEmpty() || isOfAnother(now, shipment)) {
            now = now.withKey(freeKey(shipment, now)).withResume("");
            notes.save(now);
        }
        String key = now.key();
        if (isThere(key, shipment)) {
            return now.sent(link(key), System.currentTimeMillis());
        }
        if (shipment.bytes() <= partBytes) {
            sendWhole(key, shipment);
        } else {
            sendInParts(now, shipment, notes);
        }
        check(key, shipment);
        return now.sent(link(key), System.currentTimeMillis());
    }

    private String link(String key) {
        return "s3://" + bucket + '/' + key;
    }

    /** The wished name, unless an object has it that is not an earlier version of this file. */
    private String freeKey(Shipment shipment, Transfer now) {
        return isOfAnother(now.withKey(shipment.key()), shipment) ? shipment.otherKey() : shipment.key();
    }

    /**
     * Whether another object has the wished name, possibly since it was chosen: two vehicles may have chosen the same
     * one.
     */
    private boolean isOfAnother(Transfer now, Shipment shipment) {
        return now.key().equals(shipment.key())
                && head(now.key())
                        .map(S3Target::sha256)
                        .filter(there -> !there.equals(shipment.sha256()) && !now.replaces(there))
                        .isPresent();
    }

    private boolean isThere(String key, Shipment shipment) throws IOException {
        Optional<HeadObjectResponse> object = head(key)
                .filter(found -> sha256(found).equals(shipment.sha256()) && found.contentLength() == shipment.bytes());
        return object.isPresent() && !hasOtherBytes(object.get(), shipment);
    }

    /** Compares by the server's ETag: the SHA-256 is the sender's, even if other bytes were stored. */
    private boolean hasOtherBytes(HeadObjectResponse object, Shipment shipment) throws IOException {
        String name = named(object.eTag(), object.serverSideEncryptionAsString());
        if (MD5.matcher(name).matches()) {
            return !name.equals(Digests.of(shipment.file(), 0, shipment.bytes()).md5());
        }
        List<Digests> sums = new ArrayList<>();
        long size = partSize(shipment.bytes());
        // If the parts had another size, which is configurable, the ETag proves nothing.
        if (MD5_OF_PARTS.matcher(name).matches() && name.endsWith("-" + (shipment.bytes() + size - 1) / size)) {
            for (long from = 0; from < shipment.bytes(); from += size) {
                sums.add(Digests.of(shipment.file(), from, Math.min(size, shipment.bytes() - from)));
            }
            return !name.equals(Digests.ofParts(sums, sums.size()));
        }
        return false;
    }

    private static String sha256(HeadObjectResponse object) {
        return object.metadata().getOrDefault(SHA256, "");
    }

    /**
     * Head of an object; empty also if the permission is missing: whether more is missing shows when something is sent.
     */
    private Optional<HeadObjectResponse> head(String key) {
        try {
            return Optional.of(
                    client.headObject(request -> request.bucket(bucket).key(key)));
        } catch (S3Exception e) {
            if (e.statusCode() == NOT_FOUND || e.statusCode() == FORBIDDEN) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Head of an object that must exist; empty only if the permission is missing. */
    private Optional<HeadObjectResponse> stored(String key) throws IOException {
        try {
            return Optional.of(
                    client.headObject(request -> request.bucket(bucket).key(key)));
        } catch (S3Exception e) {
            if (e.statusCode() == FORBIDDEN) {
                return Optional.empty();
            }
            if (e.statusCode() == NOT_FOUND) {
                throw new IOException(key + ": the server accepted the object, but does not have it");
            }
            throw e;
        }
    }

    private void sendWhole(String key, Shipment shipment) throws IOException {
        Digests sums = Digests.of(shipment.file(), 0, shipment.bytes());
        shipment.throttle().check();
        PutObjectResponse answer = client.putObject(
                request -> request.bucket(bucket)
                        .key(key)
                        .contentType(shipment.type())
                        .contentMD5(sums.md5Base64())
                        .checksumCRC32C(sums.crc32c())
                        .metadata(Map.of(SHA256, shipment.sha256())),
                body(shipment, 0, shipment.bytes()));
        compare(key, sums, named(answer.eTag(), answer.serverSideEncryptionAsString()), answer.checksumCRC32C());
    }

    private RequestBody body(Shipment shipment, long from, long length) {
        // Over plain HTTP the signature includes the body's hash: the SDK reads the body, then again to send it.
        AtomicBoolean isForSignature = new AtomicBoolean(signsBodies);
        return RequestBody.fromContentProvider(
                () -> {
                    try {
                        return isForSignature.getAndSet(false)
                                ? shipment.unlimitedSlice(from, length)
                                : shipment.slice(from, length);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                length,
                shipment.type());
    }

    private static void compare(String what, Digests sums, String name, @Nullable String crc32c) throws IOException {
        if (MD5.matcher(name).matches() && !name.equals(sums.md5())) {
            throw new IOException(what + ": the server stored other bytes: MD5 " + name + ", sent " + sums.md5());
        }
        if (crc32c != null && !crc32c.equals(sums.crc32c())) {
            throw new IOException(
                    what + ": the server stored other bytes: CRC32C " + crc32c + ", sent " + sums.crc32c());
        }
    }

    /**
     * The ETag, if it is made of the content's MD5; empty otherwise: if a server encrypts with its own keys (SSE-KMS),
     * the ETag looks the same but is not an MD5.
     */
    private static String named(@Nullable String eTag, @Nullable String encryption) {
        boolean isOfContent = encryption == null || encryption.equals(ServerSideEncryption.AES256.toString());
        return eTag == null || !isOfContent ? "" : eTag.replace("\"", "");
    }

    private void sendInParts(Transfer before, Shipment shipment, Notes notes) throws IOException {
        long size = partSize(shipment.bytes());
        S3Parts parts = new S3Parts(client, bucket, before.key());
        String upload = resumeOrBegin(parts, before, shipment, size, notes);
        List<Digests> sums = new ArrayList<>();
        List<CompletedPart> sent = new ArrayList<>();
        for (long from = 0; from < shipment.bytes(); from += size) {
            long length = Math.min(size, shipment.bytes() - from);
            int number = sums.size() + 1;
            shipment.throttle().check();
            Digests its = Digests.of(shipment.file(), from, length);
            sums.add(its);
            Optional<CompletedPart> there = parts.there(number, length, its);
            sent.add(
                    there.isPresent()
                            ? there.get()
                            : sendPart(parts, number, its, shipment, body(shipment, from, length)));
        }
        complete(before, shipment, upload, sums, sent);
    }

    /** Resumes the stored upload, or starts one and stores its id; returns the id. */
    private static String resumeOrBegin(S3Parts parts, Transfer before, Shipment shipment, long size, Notes notes)
            throws IOException {
        String upload = parts.resume(before.resume(), before.replaces().isEmpty(), sums(shipment, size))
                .orElse("");
        if (upload.isEmpty()) {
            upload = parts.begin(shipment);
        }
        if (!upload.equals(before.resume())) {
            notes.save(before.withResume(upload));
        }
        return upload;
    }

    /** The checksums of the file's parts. */
    private static S3Parts.Sums sums(Shipment shipment, long size) {
        return (number, length) -> {
            long from = (number - 1) * size;
            return length == Math.min(size, shipment.bytes() - from)
                    ? Optional.of(Digests.of(shipment.file(), from, length))
                    : Optional.empty();
        };
    }

    private void complete(
            Transfer before, Shipment shipment, String upload, List<Digests> sums, List<CompletedPart> sent)
            throws IOException {
        if (isOfAnother(before, shipment)) {
            throw new IOException(before.key() + ": another object has this key now");
        }
        CompleteMultipartUploadResponse answer = client.completeMultipartUpload(request -> request.bucket(bucket)
                .key(before.key())
                .uploadId(upload)
                .multipartUpload(CompletedMultipartUpload.builder().parts(sent).build()));
        String name = named(answer.eTag(), answer.serverSideEncryptionAsString());
        String expected = Digests.ofParts(sums, sums.size());
        if (MD5_OF_PARTS.matcher(name).matches() && !name.equals(expected)) {
            throw new IOException(
                    before.key() + ": the server joined other parts: " + name + " instead of " + expected);
        }
    }

    private CompletedPart sendPart(S3Parts parts, int number, Digests sums, Shipment shipment, RequestBody body)
            throws IOException {
        UploadPartResponse answer = parts.send(number, sums, body);
        String name = named(answer.eTag(), answer.serverSideEncryptionAsString());
        compare(shipment.key() + ", part " + number, sums, name, answer.checksumCRC32C());
        return S3Parts.completed(number, String.valueOf(answer.eTag()), sums.crc32c());
    }

    private long partSize(long bytes) {
        long size = partBytes;
        while (bytes > size * MAX_PARTS) {
            size *= 2;
        }
        return size;
    }

    /** Checks the object that is stored under the name. */
    private void check(String key, Shipment shipment) throws IOException {
        Optional<HeadObjectResponse> object = stored(key);
        if (object.isEmpty()) {
            return; // no permission; the server checked each part
        }
        if (!sha256(object.get()).equals(shipment.sha256())) {
            throw new IOException(key + ": another object has this key now");
        }
        if (object.get().contentLength() != shipment.bytes()) {
            throw new IOException(
                    key + ": the server has " + object.get().contentLength() + " bytes instead of " + shipment.bytes());
        }
    }

    /** Algorithm of the checksums of parts. */
    static final ChecksumAlgorithm CHECKSUM = ChecksumAlgorithm.CRC32_C;
}
