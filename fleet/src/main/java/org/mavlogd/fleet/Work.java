package org.mavlogd.fleet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
 * @param name by which notes are kept
 * @param file the log, or the first one that the manifest is about
 * @param version of what is sent
 * @param sha256 of what is sent; empty while it is not known
 * @param manifest null for a log
 */
record Work(
        String name,
        LogFile file,
        Version version,
        String sha256,
        @Nullable Manifest manifest) {
    static Work of(Manifest manifest) {
        byte[] bytes = manifest.text().getBytes(StandardCharsets.UTF_8);
        return new Work(
                manifest.name(), manifest.first(), new Version(bytes.length, 0), Digests.sha256(bytes), manifest);
    }

    static Work of(LogFile file, FactsStore facts) {
        String sha256 = facts.of(file).map(FileFacts::sha256).orElse("");
        return new Work(file.name(), file, file.version(), sha256, null);
    }

    /**
     * The notes of this version of the file.
     *
     * @param noted of the version before; without a checksum if there is none
     * @param replaces whether the target puts this version in the place of that one
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
                ? noted.withVersion(version, sha256) // else it would be there twice; what was added stays here
                : noted.changed(version, sha256);
    }

    /**
     * Whether the notes are about this log, to which something was added, and not about an earlier one of the same name: numbers begin again in
     * an empty directory, and there is no time in a name while the clock was not set.
     */
    private static boolean isOf(Transfer noted, Path path) throws IOException {
        long before = noted.version().bytes();
        return Files.size(path) >= before && Digests.sha256Before(path, before).equals(noted.sha256());
    }
}
