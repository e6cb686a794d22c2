package org.mavlogd.config;

import java.net.URI;
import java.util.List;
import java.util.Set;

/**
 * A target to which logs are sent.
 *
 * @param name letters, digits, "_" and "-"
 * @param url without user, query and fragment; the path is empty or does not end with "/". For S3 the server, or empty
 *     for AWS
 * @param secret password, token or keys; may be empty
 * @param key form of an object's name, see {@link TargetSection}
 * @param files suffixes of the files that are sent, such as ".ulg"
 * @param compress whether files are sent as zstd
 * @param manifest whether a manifest is sent before each log
 * @param bucket for S3 only
 * @param form for Flight Review only
 * @param command for a command only: program and arguments
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
     * @param partBytes size of a part, at least 5 MiB
     */
    public record Bucket(String name, String region, boolean pathStyle, int partBytes) {}

    /**
     * The details of each flight that are sent to Flight Review.
     *
     * @param isPublic whether everybody may see the flight in the list
     */
    public record Form(String email, String description, boolean isPublic) {}

    /**
     * A program that sends files.
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
