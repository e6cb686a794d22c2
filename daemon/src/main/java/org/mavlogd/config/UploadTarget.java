package org.mavlogd.config;

import java.net.URI;
import java.util.List;
import java.util.Set;

/**
 * One place that logs are sent to.
 *
 * @param name letters, digits, "_" and "-"
 * @param url without user, query and fragment; empty path or one that does not end with "/". For S3 the server, or empty for AWS
 * @param secret password, token or keys; may be empty
 * @param key how an object is named, see {@link TargetSection}
 * @param files ends of the names of files that are sent, such as ".ulg"
 * @param compress whether files are sent as zstd
 * @param manifest whether a manifest is sent before each log
 * @param bucket only of S3
 * @param form only of Flight Review
 * @param command only of a command: program and arguments
 */
public record UploadTarget(
        String name,
        Type type,
        URI url,
        UploadSecret secret,
        String caFile,
        String key,
        Set<String> files,
        boolean compress,
        boolean manifest,
        Bucket bucket,
        Form form,
        Command command) {
    /** How files are sent. */
    public enum Type {
        S3,
        PUT,
        TUS,
        FLIGHT_REVIEW,
        COMMAND
    }

    /**
     * A bucket of S3.
     *
     * @param pathStyle whether the bucket is in the path and not in the host name
     * @param partBytes of an upload in parts, 5 MiB at least
     */
    public record Bucket(String name, String region, boolean pathStyle, int partBytes) {}

    /**
     * What Flight Review is told of each flight.
     *
     * @param isPublic whether everybody may see the flight in the list
     */
    public record Form(String email, String description, boolean isPublic) {}

    /**
     * A program and its arguments.
     *
     * @param timeoutS how long it may run for one file
     */
    public record Command(List<String> words, int timeoutS) {
        public Command {
            words = List.copyOf(words);
        }
    }

    public UploadTarget {
        files = Set.copyOf(files);
    }
}
