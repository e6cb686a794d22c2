package org.mavlogd.app;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.mavlogd.cli.Architecture;
import org.mavlogd.cli.CommandLines;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.cli.LoggingSetup;
import org.mavlogd.config.Settings;
import org.mavlogd.control.StatusServer;
import org.mavlogd.link.Links;
import org.mavlogd.metrics.Metrics;
import picocli.CommandLine;

/**
 * The main class of the recorder's jar, which only has the command {@code mavlogd run}: the other commands and the
 * simulator are not on its class path, and loading them would take a fifth of the time to start.
 */
public final class RunMain {
    private static final String COMMAND = "run";

    private RunMain() {}

    /** Runs the command, with or without the leading word "run", and ends the process with its exit code. */
    public static void main(String[] arguments) {
        boolean isNamed = arguments.length > 0 && arguments[0].equals(COMMAND);
        System.exit(run(isNamed ? Arrays.copyOfRange(arguments, 1, arguments.length) : arguments));
    }

    /** Returns the exit code; {@code arguments} are those of {@code mavlogd run}. */
    public static int run(String... arguments) {
        String problem = Architecture.problem(System.getProperty("os.arch", ""));
        if (!problem.isEmpty()) {
            System.err.println(problem);
            return ExitCode.CONFIG;
        }
        Preload.begin(Settings::prepare);
        LoggingSetup.install(LoggingSetup.Level.INFO, System.getenv());
        Preload.begin(Preload::load);
        if (arguments.length == 2 && arguments[0].equals("--config")) {
            return service(Path.of(arguments[1]));
        }
        return CommandLines.execute(commandLine(), arguments);
    }

    /**
     * The arguments that systemd uses need no command line parser, which would take a tenth of the time until the
     * recorder is ready.
     */
    private static int service(Path config) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        try {
            return new RecorderRun(config, false, out, err).record();
        } catch (Exception e) {
            return CommandLines.internalError(e, "mavlogd run", err);
        }
    }

    public static CommandLine commandLine() {
        return CommandLines.furnished(new CommandLine(new RunCommand()).setCommandName("mavlogd run"));
    }

    /**
     * Loads classes that the recorder always needs and that take long to load, on separate threads: the parser of the
     * configuration while logging is set up, and the rest while the configuration is read. On two cores the recorder is
     * ready in a quarter less time.
     */
    private static final class Preload {
        private Preload() {}

        /** Only saves time: an error here will occur again, and be reported, where the classes are needed. */
        static void begin(Runnable load) {
            Thread thread = new Thread(load, "head-start");
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler((failed, e) -> {});
            thread.start();
        }

        private static void load() {
            Links.prepare();
            new Metrics().counter("head.start", "Never shown");
            StatusServer.prepare();
        }
    }
}
