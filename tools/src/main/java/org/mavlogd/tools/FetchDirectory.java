package org.mavlogd.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.mavlogd.fetch.FetchDisk;
import org.mavlogd.fetch.FetchTarget;
import org.mavlogd.fetch.FetchedLogName;
import org.mavlogd.fetch.PartFile;
import org.mavlogd.fetch.RemoteLog;

/**
 * Where the logs of one vehicle go: names their files, and says which are there.
 *
 * @param replaces whether files that are there are replaced
 */
record FetchDirectory(FetchTarget vehicle, FetchDisk disk, Path directory, boolean replaces) {
    /** The log's file. */
    Path place(RemoteLog log) {
        return directory.resolve(FetchedLogName.of(vehicle, log));
    }

    /** Whether the log need not be fetched. */
    boolean isThere(RemoteLog log) {
        try {
            return !replaces
                    && Files.isRegularFile(place(log), LinkOption.NOFOLLOW_LINKS)
                    && Files.size(place(log)) == log.length();
        } catch (IOException e) {
            return false; // what is wrong with it shows when it is written
        }
    }

    /** A file for the parts of the log; throws where the finished log could not have its place. */
    PartFile open(RemoteLog log, boolean isAnew) throws IOException {
        Path target = place(log);
        disk.createDirectories(directory);
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            if (!replaces) {
                throw new IOException(
                        "exists already, and is no log of " + log.length() + " bytes; --force replaces it");
            }
            if (!Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)) {
                throw new IOException("is no ordinary file");
            }
        }
        return PartFile.open(disk, target, FetchedLogName.identity(vehicle, log), log.length(), isAnew);
    }

    /** What happens to a file in the place of a log that is finished. */
    PartFile.Existing existing() {
        return replaces ? PartFile.Existing.IS_REPLACED : PartFile.Existing.STAYS;
    }
}
