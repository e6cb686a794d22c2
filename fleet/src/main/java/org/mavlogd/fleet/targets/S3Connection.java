package org.mavlogd.fleet.targets;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.mavlogd.config.UploadSecret;
import org.mavlogd.config.UploadTarget;
import org.mavlogd.text.Words;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.profiles.Profile;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;

/** The connection to an S3 server, and the meaning of its errors. */
final class S3Connection {
    private static final int MAX_REASON = 300;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int TOO_LARGE = 413;

    private S3Connection() {}

    /**
     * Makes a client, which does not connect yet.
     *
     * @param http which the client closes
     * @param expectsContinue called for each request: whether its body waits until the server permits it
     */
    static S3Client open(UploadTarget settings, S3Http http, BooleanSupplier expectsContinue) {
        S3ClientBuilder client = S3Client.builder()
                .httpClientBuilder(defaults -> http)
                .region(Region.of(settings.bucket().region()))
                .forcePathStyle(settings.bucket().pathStyle())
                // Each part has its checksums in its headers: not every server supports them as trailers.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .serviceConfiguration(
                        S3Configuration.builder().chunkedEncodingEnabled(false).build())
                // The uploader retries: a restarted multipart upload would leave the first one behind.
                // After a server reports a wrong clock, its time is used for further requests.
                .overrideConfiguration(override -> override.retryStrategy(
                                StandardRetryStrategy.builder().maxAttempts(1).build())
                        .addExecutionInterceptor(new ExpectContinue(expectsContinue)))
                .credentialsProvider(credentials(settings.secret()));
        if (settings.url().getHost() != null) {
            client.endpointOverride(settings.url());
        }
        return client.build();
    }

    /** Decides whether the body of a request waits until the server permits it (RFC 9110, "Expect"). */
    private record ExpectContinue(BooleanSupplier isWanted) implements ExecutionInterceptor {
        @Override
        public SdkHttpRequest modifyHttpRequest(Context.ModifyHttpRequest context, ExecutionAttributes attributes) {
            SdkHttpRequest request = context.httpRequest();
            return isWanted.getAsBoolean()
                    ? request
                    : request.toBuilder().removeHeader("Expect").build();
        }
    }

    private static AwsCredentialsProvider credentials(UploadSecret secret) {
        return secret.isEmpty() ? DefaultCredentialsProvider.builder().build() : new OfFile(secret);
    }

    /** Reads the file again every 30 s: keys expire and are replaced. */
    private static final class OfFile implements AwsCredentialsProvider {
        private static final long FRESH_NS = TimeUnit.SECONDS.toNanos(30);

        private final UploadSecret secret;
        private Optional<AwsCredentials> latest = Optional.empty();
        private long readNs;

        OfFile(UploadSecret secret) {
            this.secret = secret;
        }

        @Override
        public synchronized AwsCredentials resolveCredentials() {
            long nowNs = System.nanoTime();
            if (latest.isEmpty() || nowNs - readNs > FRESH_NS) {
                latest = Optional.of(read());
                readNs = nowNs;
            }
            return latest.get();
        }

        private AwsCredentials read() {
            try {
                ProfileFile file = ProfileFile.builder()
                        .content(new ByteArrayInputStream(secret.read().getBytes(StandardCharsets.UTF_8)))
                        .type(ProfileFile.Type.CREDENTIALS)
                        .build();
                Profile profile = file.profile("default")
                        .orElseThrow(() -> new IOException(secret.place() + ": there is no [default] in it"));
                String id = property(profile, "aws_access_key_id");
                String key = property(profile, "aws_secret_access_key");
                return profile.property("aws_session_token")
                        .<AwsCredentials>map(token -> AwsSessionCredentials.create(id, key, token))
                        .orElseGet(() -> AwsBasicCredentials.create(id, key));
            } catch (IOException | IllegalArgumentException e) {
                throw SdkClientException.create(String.valueOf(e.getMessage()), e);
            }
        }

        private String property(Profile profile, String name) throws IOException {
            return profile.property(name)
                    .orElseThrow(() -> new IOException(secret.place() + ": [default] has no " + name));
        }
    }

    /** The message of an error, after a colon; Ceph sends none if a quota is reached. */
    private static String message(@Nullable String text) {
        return text == null || text.isBlank() ? "" : ": " + text;
    }

    static boolean isAnswer(SdkException e) {
        return e instanceof AwsServiceException;
    }

    static boolean isTimeout(SdkException e) {
        return e.getCause() instanceof SocketTimeoutException;
    }

    /** Converts an error to an exception for the file, with a message. */
    static IOException failure(SdkException e) {
        if (e instanceof AwsServiceException answer) {
            String reason = Optional.ofNullable(answer.awsErrorDetails())
                    .filter(details -> details.errorCode() != null)
                    .map(details -> details.errorCode() + message(details.errorMessage()))
                    .orElse(answer.statusCode() == NOT_FOUND ? "is there such a bucket?" : "");
            String text =
                    "the server answers with status " + answer.statusCode() + (reason.isEmpty() ? "" : ", " + reason);
            String line = Words.line(text, MAX_REASON);
            boolean isAboutFile = answer.statusCode() == TOO_LARGE
                    || (answer.statusCode() == BAD_REQUEST && reason.startsWith("EntityTooLarge"));
            return isAboutFile ? new RefusedException(line) : new IOException(line, e);
        }
        Throwable cause = e.getCause() instanceof IOException ? e.getCause() : e;
        return new IOException(Words.line(String.valueOf(cause.getMessage()), MAX_REASON), e);
    }
}
