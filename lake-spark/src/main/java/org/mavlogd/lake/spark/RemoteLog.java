package org.mavlogd.lake.spark;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.mavlogd.lake.SourceLog;

/**
 * A log to convert, accessible to the cluster.
 *
 * @param path for Hadoop
 * @param address name of the log in the tables
 * @param folder of the log below the source; empty if it is directly in the source
 * @param formerSha256 of the bytes that the lake has of this log; empty if it has none
 */
record RemoteLog(String path, String address, String folder, long sizeBytes, long modifiedMs, String formerSha256)
        implements Serializable {
    /**
     * All logs of a folder and its subfolders, or a single named log.
     *
     * @throws IOException if the folder, or one below it, cannot be listed
     */
    static List<RemoteLog> in(String source, Configuration configuration) throws IOException {
        FileSystem files = Stores.at(source, configuration);
        Path root = Stores.real(files, new Path(source));
        FileStatus status = files.getFileStatus(root);
        List<RemoteLog> logs = new ArrayList<>();
        if (status.isFile()) {
            logs.add(of(status, ""));
            return logs;
        }
        RemoteIterator<LocatedFileStatus> all = files.listFiles(root, true);
        while (all.hasNext()) {
            LocatedFileStatus file = all.next();
            if (SourceLog.isLog(file.getPath().getName())) {
                String inside = root.toUri().relativize(file.getPath().toUri()).getPath();
                int end = inside.indexOf('/');
                logs.add(of(file, end < 0 ? "" : inside.substring(0, end)));
            }
        }
        return logs;
    }

    private static RemoteLog of(FileStatus file, String folder) {
        Path path = file.getPath();
        return new RemoteLog(
                path.toString(), Stores.address(path), folder, file.getLen(), file.getModificationTime(), "");
    }

    /** Id of the log in all tables. */
    String id() {
        return SourceLog.id(name(), address);
    }

    /** Name of its file. */
    String name() {
        return new Path(path).getName();
    }

    RemoteLog withFormer(String sha256) {
        return new RemoteLog(path, address, folder, sizeBytes, modifiedMs, sha256);
    }

    /** Throws if the log has changed since it was listed. */
    void requireUnchanged(FileSystem files) throws IOException {
        FileStatus now = files.getFileStatus(new Path(path));
        if (now.getLen() != sizeBytes || now.getModificationTime() != modifiedMs) {
            throw new IOException("changed while it was read: convert it when it is complete");
        }
    }
}
