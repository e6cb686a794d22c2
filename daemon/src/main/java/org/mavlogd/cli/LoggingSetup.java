package org.mavlogd.cli;

import java.io.IOException;
import java.io.UnsupportedEncodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.slf4j.LoggerFactory;

/**
 * Sends all log lines to standard error, in the form for the journal or for a terminal. Must be called first in
 * {@code main}: any earlier log line makes Java load its default configuration.
 */
public final class LoggingSetup {
    /** The minimum severity of logged lines. */
    public enum Level {
        ERROR,
        WARN,
        INFO,
        DEBUG,
        TRACE;

        /**
         * The level of this name; {@code warning} is {@code warn}.
         *
         * @throws IllegalArgumentException if there is none; the message lists the names
         */
        public static Level named(String word) {
            String name = word.equalsIgnoreCase("warning") ? WARN.name() : word;
            return Arrays.stream(values())
                    .filter(level -> level.name().equalsIgnoreCase(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("\"" + word + "\" is not a level; levels are "
                            + Arrays.stream(values()).map(Level::toString).collect(Collectors.joining(", "))));
        }

        /** The form on the command line. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }

        private java.util.logging.Level forJava() {
            return switch (this) {
                case ERROR -> java.util.logging.Level.SEVERE;
                case WARN -> java.util.logging.Level.WARNING;
                case INFO -> java.util.logging.Level.INFO;
                case DEBUG -> java.util.logging.Level.FINE;
                case TRACE -> java.util.logging.Level.FINEST;
            };
        }
    }

    /**
     * Keeps the handlers until the process ends. Java's own manager drops them when the end begins, and the last lines,
     * which show how recordings were finished, would be lost.
     */
    public static final class LastingLogManager extends LogManager {
        /** Java's own loggers have no name, or are the global one. */
        @Override
        public boolean addLogger(Logger logger) {
            Runnable setUp = logger.getName().isEmpty() || logger.getName().equals(Logger.GLOBAL_LOGGER_NAME)
                    ? null
                    : BEFORE_FIRST.getAndSet(null);
            if (setUp != null) {
                setUp.run();
            }
            return super.addLogger(logger);
        }

        @Override
        public void reset() {}

        @Override
        public void readConfiguration() {}
    }

    private static final class ContainedConsole extends ConsoleHandler {
        /**
         * Contains errors in writing a line, which must not reach the code that logs. It logs itself, so it must not be
         * made before Java's log manager is chosen.
         */
        private static final ContainedPart ERRORS = ContainedPart.unlisted("log.stderr", Recovery.CONTINUES);

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized") // the handler below locks for itself
        public void publish(LogRecord event) {
            if (ERRORS.mayRun()) {
                try {
                    super.publish(event);
                } catch (Throwable e) {
                    ERRORS.contain(e);
                }
            }
        }
    }

    private static final Path STDERR = Path.of("/proc/self/fd/2");
    /** Runs before the first logger is created. Not a field of the manager: Java takes 5 ms to prepare that class. */
    private static final AtomicReference<Runnable> BEFORE_FIRST = new AtomicReference<>();

    private LoggingSetup() {}

    /**
     * Like {@link #install}, but only when the first logger is requested: most log commands need none, and before the
     * first one Java searches every jar. For programs in which only one thread logs.
     */
    public static void installWhenNeeded(Level level, Map<String, String> environment) {
        System.setProperty("java.util.logging.manager", LastingLogManager.class.getName());
        BEFORE_FIRST.set(() -> install(level, environment));
    }

    public static void install(Level level, Map<String, String> environment) {
        System.setProperty("java.util.logging.manager", LastingLogManager.class.getName());
        BEFORE_FIRST.set(null);
        Logger root = Logger.getLogger("");
        for (Handler handler : root.getHandlers()) {
            root.removeHandler(handler);
        }
        root.addHandler(stderrHandler(level, isJournal(environment)));
        // Events and the last log lines need INFO even if the user wants fewer lines.
        root.setLevel(level.compareTo(Level.INFO) < 0 ? Level.INFO.forJava() : level.forJava());
        // Initialised before there are other threads: while one thread initialises SLF4J, loggers that others request
        // are silent.
        LoggerFactory.getILoggerFactory();
    }

    /**
     * From now on no thread that logs waits for standard error. Must be called after {@link #install}; see
     * {@link #flush}.
     */
    public static void waitForNobody() {
        Logger root = Logger.getLogger("");
        for (Handler handler : root.getHandlers()) {
            if (handler instanceof ContainedConsole) {
                root.removeHandler(handler);
                root.addHandler(new PatientHandler(handler));
            }
        }
    }

    /** Waits a moment until queued lines are written; for the end of the process. */
    public static void flush() {
        for (Handler handler : Logger.getLogger("").getHandlers()) {
            handler.flush();
        }
    }

    /** The part that contains errors of the handler for standard error. Must be called after {@link #install}. */
    public static ContainedPart errors() {
        return ContainedConsole.ERRORS;
    }

    private static Handler stderrHandler(Level level, boolean toJournal) {
        Handler handler = new ContainedConsole();
        handler.setLevel(level.forJava());
        handler.setFilter(LoggingSetup::isWanted);
        handler.setFormatter(new JournalFormatter(toJournal, ZoneId::systemDefault));
        try {
            handler.setEncoding("UTF-8");
        } catch (UnsupportedEncodingException e) {
            throw new IllegalStateException("every Java has UTF-8", e);
        }
        return handler;
    }

    /** Lines below INFO are wanted only of this program, because those of libraries would hide them. */
    public static boolean isWanted(LogRecord event) {
        return event.getLevel().intValue() >= java.util.logging.Level.INFO.intValue()
                || String.valueOf(event.getLoggerName()).startsWith("org.mavlogd.");
    }

    /** Whether standard error is the stream that systemd connected to the journal; the variable is also inherited. */
    private static boolean isJournal(Map<String, String> environment) {
        String stream = environment.getOrDefault("JOURNAL_STREAM", "");
        return !stream.isEmpty() && stream.equals(deviceAndInode(STDERR));
    }

    private static String deviceAndInode(Path path) {
        try {
            return Files.getAttribute(path, "unix:dev") + ":" + Files.getAttribute(path, "unix:ino");
        } catch (IOException | UnsupportedOperationException e) {
            return "";
        }
    }
}
