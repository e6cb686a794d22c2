package org.mavlogd.fleet;

import java.nio.charset.StandardCharsets;
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
     */
    Transfer begin(Transfer noted, boolean replaces) {
        if (noted.sha256().isEmpty()) {
            return Transfer.of(version, sha256);
        }
        boolean isSame = noted.sha256().equals(sha256);
        if (isSame || (noted.status() == Status.SENT && !replaces && manifest == null)) {
            // Else it would be there twice; what was added stays here.
            return noted.withVersion(version, sha256);
        }
        return noted.changed(version, sha256);
    }
}
