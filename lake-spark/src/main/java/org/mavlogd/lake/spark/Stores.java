package org.mavlogd.lake.spark;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;

/** Access to Hadoop's file systems: local ones, HDFS, object stores. */
final class Stores {
    private Stores() {}

    /**
     * The file system of a path. Local files are written without Hadoop's checksum files, which other writers would not
     * update.
     */
    static FileSystem at(String path, Configuration configuration) throws IOException {
        FileSystem files = new Path(path).getFileSystem(configuration);
        return files instanceof LocalFileSystem local ? local.getRawFileSystem() : files;
    }

    static boolean isLocal(FileSystem files) {
        return files.getUri().getScheme().equals("file");
    }

    /** The absolute path; for a local one without symbolic links. */
    static Path real(FileSystem files, Path path) throws IOException {
        Path absolute = files.makeQualified(path);
        return isLocal(files) ? new Path(local(absolute).toRealPath().toUri()) : absolute;
    }

    /** The address of a path in the form of {@code mavlogd lake build}. */
    static String address(Path path) {
        String scheme = path.toUri().getScheme();
        return "file".equals(scheme) ? local(path).toUri().toString() : path.toString();
    }

    static java.nio.file.Path local(Path path) {
        return java.nio.file.Path.of(path.toUri().getPath());
    }

    /** Writes the content of a file. */
    interface Content {
        void to(OutputStream out) throws IOException;
    }

    /** Writes a file and, if the file system can, forces it to disk. */
    static void write(FileSystem files, Path file, Content content) throws IOException {
        if (isLocal(files)) {
            // Hadoop would start a process to set the permissions of each file.
            java.nio.file.Path local = local(file);
            Files.createDirectories(Objects.requireNonNull(local.getParent()));
            try (FileOutputStream out = new FileOutputStream(local.toFile())) {
                content.to(out);
                out.getFD().sync();
            }
            return;
        }
        try (FSDataOutputStream out = files.create(file, true)) {
            content.to(out);
            if (out.hasCapability(StreamCapabilities.HSYNC)) {
                out.hsync();
            }
        }
    }

    /** Moves a file, and replaces an existing one: not all file systems do this themselves. */
    static void move(FileSystem files, Path from, Path to) throws IOException {
        files.mkdirs(to.getParent());
        files.delete(to, false);
        if (!files.rename(from, to)) {
            throw new IOException(from + ": cannot be renamed to " + to);
        }
    }
}
