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
 * The main class of the recorder's jar, which knows only the command {@code mavlogd run}: neither the other commands nor the simulator are on
 * its class path, and learning of them would take a fifth of the time to start.
 */
public final class RunMain {
    private static final String COMMAND = "run";

    private RunMain() {}

    /** Runs the command, with or without the word "run" in front, and ends the process with its exit code. */
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
        return commandLine().execute(arguments);
    }

    /** As systemd starts it: that needs no parser of command lines, which takes a tenth of the time until it is ready. */
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
     * Loads what the recorder needs in any case and what takes long to load, on threads of their own: the parser of the
     * configuration, which logs nothing, while logging is set up, and the rest while the configuration is read. A quarter less time
     * until the recorder is ready, on two cores.
     */
    private static final class Preload {
        private Preload() {}

        /** Only saves time: what fails here will fail again where it is needed, and be told there. */
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
