package org.mavlogd.tools;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.logtools.LogDamage;
import org.mavlogd.logtools.LogSource;
import picocli.CommandLine.Mixin;

/** A command that reads logs, which all of these commands name in the same way. */
public abstract class LogReadCommand extends LogCommand {
    /** What may be given as a log. */
    protected static final String LOG =
            "The log: a file (.ulg, .bin or .tlog, also unfinished or gzip), - for standard input, the name of a recorded log, "
                    + "or LAST, LAST~1 and so on for the newest.";

    @Mixin
    private LogPlace place = new LogPlace();

    private boolean isInputTaken;

    /** What is done with a log; returns the exit code. */
    @FunctionalInterface
    protected interface OnLog {
        int run(Path log) throws IOException;
    }

    /** Work that writes bytes to standard output. */
    @FunctionalInterface
    protected interface Printing {
        int run(OutputStream out) throws IOException;
    }

    /** Does work that writes bytes, around the writer of text; it ends early and quietly when nobody reads them any more. */
    protected static int printing(Printing work) throws IOException {
        try {
            return work.run(new StandardOutput());
        } catch (StandardOutput.Closed e) {
            return ExitCode.OK; // call() reports whatever is no closed pipe
        }
    }

    /** Standard output, which does not hide that it is closed. */
    private static final class StandardOutput extends OutputStream {
        /** Nothing more can be written. */
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

    /** Finds the log that is meant and does the work; failures name it. */
    protected final int onLog(Path named, OnLog work) {
        Path log = named;
        try {
            log = find(named);
            return work.run(log);
        } catch (IOException e) {
            return fail(log, e);
        }
    }

    /** The exit code; damage is one line on standard error. A last message that is cut off is none: so ends every streamed log. */
    protected final int outcome(Path log, LogDamage all) {
        return outcome(log.toString(), all);
    }

    /** The same of several logs, or of one of which another log was made. */
    protected final int outcome(String logs, LogDamage all) {
        LogDamage damage = all.withoutCut();
        if (damage.isNone()) {
            return ExitCode.OK;
        }
        warn(logs + ": damaged: " + damage.text());
        return ExitCode.PARTIAL;
    }

    /** The file that is meant by a word of the command line. */
    protected final Path find(Path named) throws IOException {
        if (named.equals(LogSource.STANDARD_INPUT)) {
            if (isInputTaken) {
                throw new FileSystemException(named.toString(), null, "standard input can be only one of the logs");
            }
            isInputTaken = true;
        }
        return place.find(named, spec());
    }
}
