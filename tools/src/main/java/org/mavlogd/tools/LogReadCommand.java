package org.mavlogd.tools;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.logtools.LogDamage;
import org.mavlogd.logtools.LogSource;
import picocli.CommandLine.Mixin;

/** A command that reads logs, with a common way to name them. */
public abstract class LogReadCommand extends LogCommand {
    /** Description of a log argument. */
    protected static final String LOG =
            "The log: a file (.ulg, .bin or .tlog, also unfinished or gzip), - for standard input, the name of a recorded log, "
                    + "or LAST, LAST~1 and so on for the newest.";

    @Mixin
    private LogPlace place = new LogPlace();

    private boolean isInputTaken;

    /** An operation on a log; returns the exit code. */
    @FunctionalInterface
    protected interface OnLog {
        int run(Path log) throws IOException;
    }

    /** An operation that writes bytes to standard output. */
    @FunctionalInterface
    protected interface Printing {
        int run(OutputStream out) throws IOException;
    }

    /** Runs an operation that writes bytes, bypassing the text writer; ends silently if the reader closes the pipe. */
    protected static int printing(Printing work) throws IOException {
        try {
            return work.run(new StandardOutput());
        } catch (StandardOutput.Closed e) {
            return ExitCode.OK; // call() reports all errors except a closed pipe
        }
    }

    /** Standard output that reports if it is closed. */
    private static final class StandardOutput extends OutputStream {
        /** The reader has closed the pipe. */
        static final class Closed extends IOException {
            private static final long serialVersionUID = 1;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            System.out.write(bytes, offset, length);
            flush();
        }

        @Override
        public void flush() throws IOException {
            if (System.out.checkError()) {
                throw new Closed();
            }
        }
    }

    /** Finds the named log and runs the operation; errors name the log. */
    protected final int onLog(Path named, OnLog work) {
        Path log = named;
        try {
            log = find(named);
            return work.run(log);
        } catch (IOException e) {
            return fail(Path.of(LogSource.nameOf(log)), e);
        }
    }

    /**
     * The exit code; damage is printed as one line on standard error. A truncated last message, which every streamed
     * log may have, is not damage.
     */
    protected final int outcome(Path log, LogDamage all) {
        return outcome(LogSource.nameOf(log), all);
    }

    /** The exit code for several logs, or for one from which another was made. */
    protected final int outcome(String logs, LogDamage all) {
        LogDamage damage = all.withoutCut();
        if (damage.isNone()) {
            return ExitCode.OK;
        }
        warn(logs + ": damaged: " + damage.text());
        return ExitCode.PARTIAL;
    }

    /** Finds the file named on the command line. */
    protected final Path find(Path named) throws IOException {
        if (named.equals(LogSource.STANDARD_INPUT)) {
            if (isInputTaken) {
                throw new FileSystemException(LogSource.nameOf(named), null, "can be only one of the logs");
            }
            isInputTaken = true;
        }
        return place.find(named, this::spec);
    }
}
