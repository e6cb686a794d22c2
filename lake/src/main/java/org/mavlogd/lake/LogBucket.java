package org.mavlogd.lake;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mavlogd.text.Words;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;
import software.amazon.awssdk.services.s3.model.ServerSideEncryption;

/**
 * The logs of an S3 bucket, at AWS or another server, whose keys start with a prefix. Each is copied to a file while it
 * is converted; the key does not choose the file's name. A log that cannot be read is refused; an unreachable server,
 * or denied access, ends the build.
 */
final class LogBucket implements LogSource {
    private static final Pattern ADDRESS = Pattern.compile("s3://([A-Za-z0-9._-]{3,255})(?:/(.*))?", Pattern.DOTALL);
    /** The ETag of an upload in one part, unless the server encrypts with its own keys. */
    private static final Pattern MD5 = Pattern.compile("\"?([0-9a-f]{32})\"?");

    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int GONE = 412;
    private static final int ATTEMPTS = 4;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int MAX_REASON = 300;
    private static final long MS_PER_S = 1000;

    private final String bucket;
    private final String prefix;
    private final Path downloads;
    private final S3Client client;

    /**
     * Opens the bucket without connecting.
     *
     * @param address such as {@code s3://BUCKET/PREFIX}
     * @param endpoint of a server other than AWS
     * @param downloads directory for copies
     * @throws IllegalArgumentException if the address is invalid
     * @throws IOException if no region is known
     */
    LogBucket(String address, Optional<URI> endpoint, Optional<String> region, Path downloads) throws IOException {
        Matcher parts = ADDRESS.matcher(address);
        if (!parts.matches()) {
            throw new IllegalArgumentException("not like s3://BUCKET/PREFIX, with a bucket's name of 3 to 255 letters, "
                    + "digits, dots, hyphens or underscores");
        }
        this.bucket = String.valueOf(parts.group(1));
        this.prefix = Optional.ofNullable(parts.group(2)).orElse("");
        this.downloads = downloads;
        boolean isOther = endpoint.isPresent()
                || System.getenv("AWS_ENDPOINT_URL_S3") != null
                || System.getenv("AWS_ENDPOINT_URL") != null;
        S3ClientBuilder builder = S3Client.builder()
                .httpClientBuilder(UrlConnectionHttpClient.builder()
                        .connectionTimeout(Duration.ofSeconds(15))
                        .socketTimeout(Duration.ofSeconds(60)))
                .region(Region.of(region.isPresent() ? region.get() : region(isOther)))
                .forcePathStyle(isOther)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_SUPPORTED)
                .overrideConfiguration(override -> override.retryStrategy(
                        StandardRetryStrategy.builder().maxAttempts(ATTEMPTS).build()));
        endpoint.ifPresent(builder::endpointOverride);
        this.client = builder.build();
    }

    private static String region(boolean isOther) throws IOException {
        try {
            return DefaultAwsRegionProviderChain.builder().build().getRegion().id();
        } catch (SdkException e) {
            if (isOther) {
                return "us-east-1"; // any region will do
            }
            throw new IOException("no region is known: name it with --region, or set AWS_REGION", e);
        }
    }

    @Override
    public List<SourceLog> logs() throws IOException {
        List<SourceLog> logs = new ArrayList<>();
        // Not all keys can be represented in XML.
        ListObjectsV2Request request = ListObjectsV2Request.builder()
                .bucket(bucket)
                .prefix(prefix)
                .encodingType(EncodingType.URL)
                .build();
        try {
            for (ListObjectsV2Response page : client.listObjectsV2Paginator(request)) {
                if (page.isTruncated() == null) {
                    // The client takes a list that breaks off for complete.
                    throw new Failure(SCHEME + bucket + ": the server's list of its objects is not complete", null);
                }
                page.contents().forEach(object -> add(object, logs));
            }
        } catch (SdkException e) {
            throw new Failure(SCHEME + bucket + ": " + reason(e), e);
        }
        return logs;
    }

    private void add(S3Object object, List<SourceLog> logs) {
        String name = object.key().substring(object.key().lastIndexOf('/') + 1);
        if (SourceLog.isLog(name)) {
            logs.add(log(object, name));
        }
    }

    private SourceLog log(S3Object object, String name) {
        String address = SCHEME + bucket + '/' + object.key();
        String id = SourceLog.id(name, address);
        String inside = object.key().substring(prefix.lastIndexOf('/') + 1);
        int folderLength = inside.indexOf('/');
        return new SourceLog(
                downloads.resolve(id),
                id,
                address,
                folderLength > 0 ? Optional.of(inside.substring(0, folderLength)) : Optional.empty(),
                object.size(),
                object.lastModified().toEpochMilli());
    }

    /** Copies a log, and repeats a copy that breaks off or differs from the server's object. */
    @Override
    public void fetch(SourceLog log) throws IOException {
        Files.createDirectories(downloads);
        Duration pause = FIRST_PAUSE;
        for (int attempt = 1; ; attempt++) {
            try {
                copy(log);
                Files.setLastModifiedTime(log.file(), FileTime.fromMillis(log.modifiedMs()));
                return;
            } catch (BrokenOff e) {
                if (attempt == ATTEMPTS) {
                    throw e.isOfLog ? e : new Failure(SCHEME + bucket + ": " + e.getMessage(), e);
                }
                sleep(pause);
                pause = pause.multipliedBy(2);
            }
        }
    }

    private static void sleep(Duration pause) throws Failure {
        try {
            TimeUnit.MILLISECONDS.sleep(pause.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failure("interrupted", e);
        }
    }

    /** A copy failed and may be repeated. */
    private static final class BrokenOff extends IOException {
        private static final long serialVersionUID = 1;
        private final boolean isOfLog;

        BrokenOff(String reason, boolean isOfLog) {
            super(reason);
            this.isOfLog = isOfLog;
        }
    }

    private void copy(SourceLog log) throws IOException {
        ResponseInputStream<GetObjectResponse> body = get(log);
        boolean isComplete = false;
        try {
            copy(log, body);
            isComplete = true;
        } finally {
            if (isComplete) {
                body.close();
            } else {
                body.abort(); // does not read the rest
            }
        }
    }

    private ResponseInputStream<GetObjectResponse> get(SourceLog log) throws IOException {
        String key = log.source().substring(SCHEME.length() + bucket.length() + 1);
        GetObjectRequest request =
                GetObjectRequest.builder().bucket(bucket).key(key).build();
        try {
            return client.getObject(request);
        } catch (AwsServiceException e) {
            boolean isOfLog = e.statusCode() == NOT_FOUND || e.statusCode() == FORBIDDEN || e.statusCode() == GONE;
            if (isOfLog && !isOfBucket(e)) {
                throw new IOException(reason(e), e);
            }
            throw new Failure(SCHEME + bucket + ": " + reason(e), e);
        } catch (SdkException e) {
            throw new Failure(SCHEME + bucket + ": " + reason(e), e);
        }
    }

    /** Whether the failure, such as unknown or expired keys, affects all logs. */
    private static boolean isOfBucket(AwsServiceException answer) {
        String code =
                answer.awsErrorDetails() == null ? "" : answer.awsErrorDetails().errorCode();
        return code != null
                && List.of(
                                "NoSuchBucket",
                                "InvalidAccessKeyId",
                                "SignatureDoesNotMatch",
                                "ExpiredToken",
                                "InvalidToken")
                        .contains(code);
    }

    private static void copy(SourceLog log, ResponseInputStream<GetObjectResponse> body) throws IOException {
        GetObjectResponse head = body.response();
        if (head.contentLength() != log.sizeBytes()
                || head.lastModified().toEpochMilli() / MS_PER_S != log.modifiedMs() / MS_PER_S) {
            throw new IOException("changed since it was listed: the next build converts it");
        }
        MessageDigest digest = LakeFiles.md5();
        try (FileChannel file = FileChannel.open(
                log.file(),
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
            byte[] buffer = new byte[BUFFER_BYTES];
            long bytes = 0;
            for (int count = read(body, buffer); count >= 0; count = read(body, buffer)) {
                digest.update(buffer, 0, count);
                write(ByteBuffer.wrap(buffer, 0, count), file, log.file());
                bytes += count;
            }
            if (bytes != log.sizeBytes()) {
                throw new BrokenOff("the connection ended after " + bytes + " of " + log.sizeBytes() + " bytes", false);
            }
        }
        checkMd5(HexFormat.of().formatHex(digest.digest()), head);
    }

    private static void checkMd5(String md5, GetObjectResponse head) throws BrokenOff {
        Matcher named = MD5.matcher(String.valueOf(head.eTag()));
        boolean isNamedByMd5 = named.matches()
                && (head.serverSideEncryption() == null || head.serverSideEncryption() == ServerSideEncryption.AES256);
        if (isNamedByMd5 && !md5.equals(named.group(1))) {
            throw new BrokenOff("MD5 is " + md5 + ", the server says " + named.group(1), true);
        }
    }

    private static int read(InputStream body, byte[] buffer) throws BrokenOff {
        try {
            return body.read(buffer);
        } catch (IOException | SdkException e) {
            BrokenOff failure = new BrokenOff(Words.line(String.valueOf(e.getMessage()), MAX_REASON), false);
            failure.initCause(e);
            throw failure;
        }
    }

    private static void write(ByteBuffer bytes, FileChannel channel, Path file) throws FileSystemException {
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            FileSystemException failure = new FileSystemException(file.toString(), null, e.getMessage());
            failure.initCause(e);
            throw failure;
        }
    }

    private static String reason(SdkException failure) {
        if (failure instanceof AwsServiceException answer) {
            String details = answer.awsErrorDetails() == null
                    ? ""
                    : ", " + answer.awsErrorDetails().errorCode() + ": "
                            + answer.awsErrorDetails().errorMessage();
            return Words.line("the server answers with status " + answer.statusCode() + details, MAX_REASON);
        }
        Throwable cause = failure.getCause() instanceof IOException ? failure.getCause() : failure;
        return Words.line(String.valueOf(cause.getMessage()), MAX_REASON);
    }

    @Override
    public void release(SourceLog log) throws IOException {
        Files.deleteIfExists(log.file());
    }

    @Override
    public void close() {
        client.close();
    }
}
