package org.mavlogd.fleet.targets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.Part;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

/** One multipart upload to S3: starts it, or finds the parts of an earlier one. Owned by one thread. */
final class S3Parts {
    private static final int MAX_PAGES = 20;
    private static final int SERVER_ERROR = 500;
    private static final int NOT_IMPLEMENTED = 501;

    private final S3Client client;
    private final String bucket;
    private final String key;
    private final Map<Integer, Part> there = new HashMap<>();
    private String upload = "";

    /** The checksums of the file's parts. */
    interface Sums {
        /** Empty if the file has no such part of this length. */
        Optional<Digests> of(int number, long length) throws IOException;
    }

    S3Parts(S3Client client, String bucket, String key) {
        this.client = client;
        this.bucket = bucket;
        this.key = key;
    }

    /**
     * Finds the parts of an earlier upload.
     *
     * @param id stored id; empty if there is none, perhaps because of a power cut directly after the upload was started
     * @param isFirst whether no other version of the file was ever sent under this name
     * @param ours checksums of the file's parts
     * @return id of the upload that is resumed; empty if there is none
     */
    Optional<String> resume(String id, boolean isFirst, Sums ours) throws IOException {
        if (!id.isEmpty() && list(id)) {
            upload = id;
        } else if (isFirst) {
            for (String found : unnoted()) {
                if (upload.isEmpty() && list(found)) {
                    take(found, ours);
                }
            }
            there.keySet().removeIf(number -> upload.isEmpty());
        }
        return Optional.of(upload).filter(found -> !found.isEmpty());
    }

    /**
     * Adopts an upload whose parts equal those of the file. Another vehicle may have started it under the same name
     * with its own checksum, which cannot be queried. An upload without parts is aborted: its owner starts again.
     */
    private void take(String found, Sums ours) throws IOException {
        if (there.isEmpty()) {
            end(found);
            return;
        }
        for (Part part : there.values()) {
            long length = part.size() == null ? -1 : part.size();
            Optional<Digests> sums = ours.of(part.partNumber(), length);
            if (sums.isEmpty() || there(part.partNumber(), length, sums.get()).isEmpty()) {
                return;
            }
        }
        upload = found;
    }

    private void end(String id) {
        try {
            client.abortMultipartUpload(
                    request -> request.bucket(bucket).key(key).uploadId(id));
        } catch (S3Exception e) {
            // It has ended, or the permission to abort it is missing: then the bucket's rule aborts it.
            requireRefusal(e);
        }
    }

    /** Unfinished uploads to the same name. */
    private List<String> unnoted() {
        try {
            ListMultipartUploadsResponse uploads = client.listMultipartUploads(
                    request -> request.bucket(bucket).prefix(key));
            return uploads.uploads().stream()
                    .filter(other -> key.equals(other.key()))
                    .map(MultipartUpload::uploadId)
                    .toList();
        } catch (S3Exception e) {
            requireRefusal(e);
            return List.of(); // not every server or user can list them
        }
    }

    /**
     * Throws an error of the server, so that it is asked again later: otherwise an upload would stay unfinished beside
     * a new one.
     */
    private static void requireRefusal(S3Exception e) {
        if (e.statusCode() >= SERVER_ERROR && e.statusCode() != NOT_IMPLEMENTED) {
            throw e;
        }
    }

    private boolean list(String id) {
        there.clear();
        try {
            Integer after = null;
            for (int page = 0; page < MAX_PAGES; page++) {
                Integer marker = after;
                var parts = client.listParts(
                        request -> request.bucket(bucket).key(key).uploadId(id).partNumberMarker(marker));
                parts.parts().forEach(part -> there.put(part.partNumber(), part));
                Integer next = parts.nextPartNumberMarker();
                if (!Boolean.TRUE.equals(parts.isTruncated()) || next == null || next.equals(after)) {
                    break;
                }
                after = next;
            }
            return true;
        } catch (S3Exception e) {
            if (e.statusCode() == 404) {
                return false; // the server dropped it, or it was completed
            }
            throw e;
        }
    }

    /** Starts a new upload; returns its id. */
    String begin(Shipment shipment) {
        upload = client.createMultipartUpload(request -> request.bucket(bucket)
                        .key(key)
                        .contentType(shipment.type())
                        .checksumAlgorithm(S3Target.CHECKSUM)
                        .metadata(Map.of(S3Target.SHA256, shipment.sha256())))
                .uploadId();
        return upload;
    }

    /** A part that has arrived with the right content. */
    Optional<CompletedPart> there(int number, long length, Digests sums) {
        Part part = there.get(number);
        if (part == null || part.size() == null || part.size() != length) {
            return Optional.empty();
        }
        boolean isSame = sums.md5().equals(String.valueOf(part.eTag()).replace("\"", ""))
                || sums.crc32c().equals(part.checksumCRC32C());
        return isSame ? Optional.of(completed(number, String.valueOf(part.eTag()), sums.crc32c())) : Optional.empty();
    }

    UploadPartResponse send(int number, Digests sums, RequestBody body) {
        return client.uploadPart(
                request -> request.bucket(bucket)
                        .key(key)
                        .uploadId(upload)
                        .partNumber(number)
                        .contentMD5(sums.md5Base64())
                        .checksumCRC32C(sums.crc32c()),
                body);
    }

    static CompletedPart completed(int number, String eTag, String crc32c) {
        return CompletedPart.builder()
                .partNumber(number)
                .eTag(eTag)
                .checksumCRC32C(crc32c)
                .build();
    }

    /** A step that may throw IOException. */
    interface Step<T> {
        T run() throws IOException;
    }

    static <T> T unchecked(Step<T> step) {
        try {
            return Objects.requireNonNull(step.run());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
