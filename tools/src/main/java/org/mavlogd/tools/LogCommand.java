package org.mavlogd.tools;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.mavlogd.cli.Colours;
import org.mavlogd.cli.CommandLines;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.cli.HelpOption;
import org.mavlogd.cli.Terminal;
import org.mavlogd.logtools.Progress;
import org.mavlogd.text.Failures;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The base of commands on log files: output, errors and progress. */
@Command(exitCodeListHeading = "%nExit codes:%n", sortOptions = false)
public abstract class LogCommand implements Callable<Integer> {
    private static final String FORCE = "--force";

    /** Set by picocli; null if picocli has not read the command line. */
    @Spec
    private @Nullable CommandSpec spec;

    /** Null until it is first used. */
    private @Nullable Console console;

    @Mixin
    @SuppressWarnings("unused") // read by picocli
    private HelpOption help = new HelpOption();

    private final Colours colours = Colours.ofStandardOutput();

    /** A long operation on a file. */
    @FunctionalInterface
    public interface Work<T> {
        T run(Progress progress) throws IOException;
    }

    /** The name of a command, and its outputs. */
    private record Console(String name, PrintWriter out, PrintWriter err) {}

    /** Executes a command whose arguments were set without picocli; returns its exit code. */
    protected final int callAs(String name) {
        // In the character set of the locale, like picocli's.
        console = new Console(
                name,
                new PrintWriter(System.out, true, Charset.defaultCharset()),
                new PrintWriter(System.err, true, Charset.defaultCharset()));
        try {
            return call();
        } catch (RuntimeException e) {
            return CommandLines.internalError(e, name, err());
        }
    }

    /** Executes the command; returns its exit code. */
    protected abstract int execute();

    @Override
    public final Integer call() {
        int code;
        try {
            code = execute();
        } catch (OutOfMemoryError e) {
            return fail("out of memory: " + e.getMessage());
        }
        return CommandLines.isOutputLost(out()) ? fail(CommandLines.OUTPUT_LOST) : code;
    }

    protected final <T> T withProgress(Work<T> work) throws IOException {
        if (!Terminal.isStandardError()) {
            return work.run(Progress.NONE);
        }
        try (ProgressBar bar = new ProgressBar(err(), System::nanoTime)) {
            return work.run(bar);
        }
    }

    protected final int fail(Path file, IOException failure) {
        boolean isReplaceable = failure instanceof FileAlreadyExistsException && spec().findOption(FORCE) != null;
        return fail(Failures.text(file, failure) + (isReplaceable ? "; " + FORCE + " replaces it" : ""));
    }

    protected final int fail(String text) {
        warn(text);
        return ExitCode.FAILED;
    }

    /** Prints one line on standard error. */
    protected final void warn(String text) {
        err().println(console().name() + ": " + text);
        err().flush();
    }

    protected static boolean isSameFile(Path in, Path out) {
        try {
            return Files.exists(in) && Files.exists(out) && Files.isSameFile(in, out);
        } catch (IOException e) {
            return false; // problems are reported when it is opened
        }
    }

    /** The colours of the command's output. */
    protected final Colours colours() {
        return colours;
    }

    /** That of {@link #callAs}, or else picocli's. */
    private Console console() {
        Console known = console;
        if (known == null) {
            CommandLine line = spec().commandLine();
            known = new Console(spec().qualifiedName(), line.getOut(), line.getErr());
            console = known;
        }
        return known;
    }

    /** For messages about wrong usage, which only picocli finds. */
    protected final CommandSpec spec() {
        return Objects.requireNonNull(spec);
    }

    protected final PrintWriter out() {
        return console().out();
    }

    protected final PrintWriter err() {
        return console().err();
    }
}
