package org.mavlogd.lake.spark;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;

/** Hadoop's file systems: local ones, HDFS, object stores. */
final class Stores {
    private Stores() {}

    /** The file system of a path. Local files are written without Hadoop's checksums beside them, which other writers would not keep true. */
    static FileSystem at(String path, Configuration configuration) throws IOException {
        FileSystem files = new Path(path).getFileSystem(configuration);
        return files instanceof LocalFileSystem local ? local.getRawFileSystem() : files;
    }

    static boolean isLocal(FileSystem files) {
        return files.getUri().getScheme().equals("file");
    }

    /** The absolute path; of a local one, without symbolic links. */
    static Path real(FileSystem files, Path path) throws IOException {
        Path absolute = files.makeQualified(path);
        return isLocal(files) ? new Path(local(absolute).toRealPath().toUri()) : absolute;
    }

    /** As {@code mavlogd lake build} writes it. */
    static String address(Path path) {
        String scheme = path.toUri().getScheme();
        return "file".equals(scheme) ? local(path).toUri().toString() : path.toString();
    }

    static java.nio.file.Path local(Path path) {
        return java.nio.file.Path.of(path.toUri().getPath());
    }

    /** Where the file system can, what was written is on disk. */
    static void force(OutputStream out) throws IOException {
        if (out instanceof FSDataOutputStream file && file.hasCapability(StreamCapabilities.HSYNC)) {
            file.hsync();
        }
    }

    /** Also where something is at the target already: not all file systems replace. */
    static void move(FileSystem files, Path from, Path to) throws IOException {
        files.mkdirs(to.getParent());
        files.delete(to, false);
        if (!files.rename(from, to)) {
            throw new IOException(from + ": cannot be renamed to " + to);
        }
    }
}
