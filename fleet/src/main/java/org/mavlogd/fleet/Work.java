package org.mavlogd.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.mavlogd.fleet.state.Transfer;
import org.mavlogd.fleet.state.Transfer.Status;
import org.mavlogd.fleet.state.Version;
import org.mavlogd.fleet.targets.Digests;

/**
 * A file to send: a log, or a manifest.
 *
 * @param name under which notes are stored
 * @param file the log, or the first one of the manifest
 * @param version of the content
 * @param sha256 of the content; empty if unknown
 * @param manifest null for a log
 */
record Work(
        String name,
        LogFile file,
        Version version,
        String sha256,
        @Nullable Manifest manifest) {
    static Work of(Manifest manifest) {
        return new Work(
                manifest.name(), manifest.first(), new Version(manifest.bytes(), 0), manifest.sha256(), manifest);
    }

    static Work of(LogFile file, FactsStore facts) {
        String sha256 = facts.of(file).map(FileFacts::sha256).orElse("");
        return new Work(file.name(), file, file.version(), sha256, null);
    }

    /**
     * The transfer for this version of the file.
     *
     * @param noted of the previous version; without a checksum if there is none
     * @param replaces whether the target replaces that version
     * @param path of the log
     */
    Transfer begin(Transfer noted, boolean replaces, Path path) throws IOException {
        if (noted.sha256().equals(sha256)) {
            return noted.withVersion(version, sha256);
        }
        if (noted.sha256().isEmpty() || (manifest == null && !isOf(noted, path))) {
            return Transfer.of(version, sha256);
        }
        return noted.status() == Status.SENT && !replaces && manifest == null
                ? noted.withVersion(version, sha256) // sending it would duplicate it; appended data stays here
                : noted.changed(version, sha256);
    }

    /**
     * Whether the notes are of this log before data was appended, and not of an earlier log with the same name: numbers
     * restart in an empty directory, and names have no time if the clock was not set.
     */
    private static boolean isOf(Transfer noted, Path path) throws IOException {
        long before = noted.version().bytes();
        return Files.size(path) >= before && Digests.sha256Before(path, before).equals(noted.sha256());
    }
}
