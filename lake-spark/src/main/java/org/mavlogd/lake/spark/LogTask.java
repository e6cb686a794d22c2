package org.mavlogd.lake.spark;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.mavlogd.contain.Uncontainable;
import org.mavlogd.lake.LogConversion;
import org.mavlogd.lake.LogEntry;
import org.mavlogd.lake.SourceLog;

/**
 * Converts one log on a worker: copies it to the worker's disk, converts it there, and uploads the files to a directory
 * of the lake that no other attempt uses. Publishes nothing.
 *
 * @param log to convert
 * @param staging directory of the lake
 * @param attempt name, unique among all tasks and jobs
 * @param library name and version of the writing program
 */
record LogTask(RemoteLog log, String staging, String attempt, String library, Configuration configuration) {
    /**
     * Converts the log.
     *
     * @param scratch a directory on the worker's disk
     * @param known logs of the lake by the SHA-256 of their bytes
     * @throws LakeFault if the log is not the cause; {@link Uncontainable} errors end the process, as Spark wants
     */
    Outcome run(Path scratch, Map<String, String> known) throws LakeFault {
        Path own = null;
        try {
            own = Files.createTempDirectory(scratch, "log");
            return convert(own, known);
        } catch (IOException e) {
            throw e instanceof LakeFault fault ? fault : new LakeFault(e);
        } finally {
            if (own != null) {
                FileUtil.fullyDelete(own.toFile());
            }
        }
    }

    /** Converts the log; only throws if the log is not the cause. */
    private Outcome convert(Path own, Map<String, String> known) throws IOException {
        Path staged = Files.createDirectory(own.resolve("staged"));
        try (LogConversion conversion = new LogConversion(library, Clock.systemUTC(), own)) {
            SourceLog source = source(own.resolve("log" + suffix()));
            try {
                fetch(source);
                String sha256 = source.sha256();
                if (sha256.equals(log.formerSha256())) {
                    return done(Outcome.Kind.UNCHANGED, source, sha256);
                }
                // A log that was refused for a time has its former bytes in the lake, and is no copy of itself.
                if (known.containsKey(sha256) && !log.id().equals(known.get(sha256))) {
                    return done(Outcome.Kind.COPY, source, sha256);
                }
                LogEntry entry = conversion.convert(source, sha256, staged);
                upload(entry, staged);
                return new Outcome(Outcome.Kind.CONVERTED, entry, name(), "");
            } catch (Throwable e) {
                if (e instanceof LakeFault || Uncontainable.is(e) || isOfWorker(e, staged)) {
                    throw e;
                }
                FileUtil.fullyDeleteContents(staged.toFile());
                return refuse(conversion, source, source.reason(e), staged);
            }
        }
    }

    /** Creates the row of failures of a log whose conversion ended its process in each attempt. */
    Outcome refuse(Path scratch, String reason) throws IOException {
        Path own = Files.createTempDirectory(scratch, "log");
        try (LogConversion conversion = new LogConversion(library, Clock.systemUTC(), own)) {
            return refuse(conversion, source(own.resolve("log")), reason, own);
        } finally {
            FileUtil.fullyDelete(own.toFile());
        }
    }

    private Outcome refuse(LogConversion conversion, SourceLog source, String reason, Path staged) throws IOException {
        LogEntry entry = conversion.fail(source, log.address(), reason, staged);
        upload(entry, staged);
        return new Outcome(Outcome.Kind.REFUSED, entry, name(), log.address() + ": " + reason);
    }

    private Outcome done(Outcome.Kind kind, SourceLog source, String sha256) {
        LogEntry entry =
                new LogEntry(source.id(), source.source(), sha256, log.sizeBytes(), log.modifiedMs(), List.of());
        return new Outcome(kind, entry, "", "");
    }

    private SourceLog source(Path copy) {
        return new SourceLog(
                copy,
                log.id(),
                log.address(),
                Optional.of(log.folder()).filter(folder -> !folder.isEmpty()),
                log.sizeBytes(),
                log.modifiedMs());
    }

    /** The extension for a packed or plain log. */
    private String suffix() {
        String name = log.name();
        boolean isPacked = name.length() > 3 && name.regionMatches(true, name.length() - 3, ".gz", 0, 3);
        int plain = name.lastIndexOf('.', name.length() - (isPacked ? 4 : 1));
        return name.substring(plain);
    }

    private void fetch(SourceLog source) throws IOException {
        org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(log.path());
        FileSystem files = Stores.at(log.path(), configuration);
        try (InputStream in = files.open(path)) {
            Files.copy(in, source.file());
        }
        log.requireUnchanged(files);
        Files.setLastModifiedTime(source.file(), FileTime.fromMillis(log.modifiedMs()));
    }

    private static boolean isOfWorker(Throwable failure, Path staged) {
        return failure instanceof FileSystemException system
                && system.getFile() != null
                && Path.of(system.getFile()).startsWith(staged);
    }

    private String name() {
        return log.id() + "." + attempt;
    }

    private void upload(LogEntry entry, Path staged) throws LakeFault {
        try {
            FileSystem lake = Stores.at(staging, configuration);
            org.apache.hadoop.fs.Path target = new org.apache.hadoop.fs.Path(staging, name());
            for (String file : entry.files()) {
                Stores.write(
                        lake,
                        new org.apache.hadoop.fs.Path(target + "/" + file),
                        out -> Files.copy(staged.resolve(file), out));
            }
        } catch (IOException e) {
            throw new LakeFault(e);
        }
    }
}
