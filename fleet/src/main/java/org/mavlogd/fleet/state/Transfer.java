package org.mavlogd.fleet.state;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The progress of one file at one target.
 *
 * @param version of the file that is or was sent
 * @param sha256 of that file, in hexadecimal
 * @param key its name at the target; empty until it is chosen
 * @param resume state that the target needs to resume: the id of an upload, or its address and content; empty before
 *     the start
 * @param replaces SHA-256 of earlier versions of the file that may be at the target under the same key, separated by
 *     blanks; may be empty
 * @param link where people can see it; may be empty
 * @param problem of the last attempt; empty if there was none
 * @param attempts number of failed attempts in a row without progress
 * @param sentMs time of arrival, in milliseconds of UTC; 0 before
 */
public record Transfer(
        Status status,
        Version version,
        String sha256,
        String key,
        String resume,
        String replaces,
        String link,
        String problem,
        int attempts,
        long sentMs) {
    private static final int MAX_TEXT = 2000;
    private static final int MAX_REPLACED = 8;
    private static final String END = "end";

    /** The states of a transfer. */
    public enum Status {
        /** Not arrived. */
        WAITING,
        /** Arrived, and checked. */
        SENT,
        /** The complete file was sent more than once to a target that cannot be queried, and it never answered. */
        UNSURE
    }

    /** A transfer of which nothing was sent. */
    public static Transfer of(Version version, String sha256) {
        return new Transfer(Status.WAITING, version, sha256, "", "", "", "", "", 0, 0);
    }

    public Transfer withKey(String newKey) {
        return new Transfer(status, version, sha256, newKey, resume, replaces, link, problem, attempts, sentMs);
    }

    public Transfer withResume(String newResume) {
        return new Transfer(status, version, sha256, key, newResume, replaces, link, problem, attempts, sentMs);
    }

    /** The file is unchanged for the target: its time changed, or data was appended that is not sent. */
    public Transfer withVersion(Version newVersion, String newSha256) {
        return new Transfer(status, newVersion, newSha256, key, resume, replaces, link, problem, attempts, sentMs);
    }

    /** The file changed during or after sending, and the new version must be sent in its place. */
    public Transfer changed(Version newVersion, String newSha256) {
        String earlier =
                key.isEmpty() || (replaces + ' ').contains(sha256 + ' ') ? replaces : latest(replaces + ' ' + sha256);
        return new Transfer(Status.WAITING, newVersion, newSha256, key, "", earlier, link, "", 0, 0);
    }

    private static String latest(String all) {
        List<String> sums = List.of(all.strip().split(" ", -1));
        return String.join(" ", sums.subList(Math.max(0, sums.size() - MAX_REPLACED), sums.size()));
    }

    /** Whether this is the SHA-256 of an earlier version. */
    public boolean replaces(String theirs) {
        return !theirs.isEmpty() && List.of(replaces.split(" ", -1)).contains(theirs);
    }

    /** A transfer after a failed attempt. */
    public Transfer failed(String why, int failures) {
        return new Transfer(status, version, sha256, key, resume, replaces, link, why, failures, sentMs);
    }

    /** A transfer that has arrived. */
    public Transfer sent(String newLink, long nowMs) {
        return new Transfer(Status.SENT, version, sha256, key, "", "", newLink, "", 0, nowMs);
    }

    public Transfer unsure(String why) {
        return new Transfer(Status.UNSURE, version, sha256, key, resume, replaces, link, why, attempts, sentMs);
    }

    /** Formats the transfer, one line for each value. */
    String toText() {
        return "status " + status + "\nbytes " + version.bytes() + "\nmodified_ms " + version.modifiedMs() + "\nsha256 "
                + sha256 + "\nkey " + line(key) + "\nresume " + line(resume) + "\nreplaces " + replaces + "\nlink "
                + line(link) + "\nproblem " + line(problem) + "\nattempts " + attempts + "\nsent_ms " + sentMs + '\n'
                + END + '\n';
    }

    private static String line(String text) {
        String one = text.replaceAll("\\p{Cntrl}", " ");
        return one.length() > MAX_TEXT ? one.substring(0, MAX_TEXT) : one;
    }

    /** Parses the result of {@link #toText}; empty for anything else. */
    static Optional<Transfer> parse(String text) {
        String[] lines = text.split("\n", -1);
        if (lines.length < 2 || !lines[lines.length - 2].equals(END)) {
            return Optional.empty();
        }
        Map<String, String> values = values(lines);
        try {
            return Optional.of(new Transfer(
                    Status.valueOf(values.getOrDefault("status", "")),
                    new Version(number(values, "bytes"), number(values, "modified_ms")),
                    values.getOrDefault("sha256", ""),
                    values.getOrDefault("key", ""),
                    values.getOrDefault("resume", ""),
                    values.getOrDefault("replaces", ""),
                    values.getOrDefault("link", ""),
                    values.getOrDefault("problem", ""),
                    (int) number(values, "attempts"),
                    number(values, "sent_ms")));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Map<String, String> values(String[] lines) {
        Map<String, String> values = new HashMap<>();
        for (String entry : lines) {
            int blank = entry.indexOf(' ');
            if (blank > 0) {
                values.put(entry.substring(0, blank), entry.substring(blank + 1));
            }
        }
        return values;
    }

    private static long number(Map<String, String> values, String name) {
        return Long.parseLong(values.getOrDefault(name, ""));
    }
}
