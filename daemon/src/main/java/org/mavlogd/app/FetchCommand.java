package org.mavlogd.app;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemEpochClock;
import org.jspecify.annotations.Nullable;
import org.mavlogd.config.ConfigException;
import org.mavlogd.config.Settings;
import org.mavlogd.fetch.FetchLink;
import org.mavlogd.fetch.FetchSession;
import org.mavlogd.fetch.FetchTarget;
import org.mavlogd.fetch.FetchWay;
import org.mavlogd.fetch.FetchedLogName;
import org.mavlogd.fetch.RemoteLog;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.logtools.Progress;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.signing.Signing;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code mavlogd fetch}: gets the logs that a vehicle keeps itself. */
@Command(
        name = "fetch",
        customSynopsis = {
            "mavlogd fetch [-h] [--link LINK] [--by WAY] --list",
            "       mavlogd fetch [-h] [--link LINK] [--by WAY] [-o DIR] LAST|ID..."
        },
        description = {
            "Fetch the logs that a PX4 or ArduPilot keeps on its own SD card, while it is disarmed.",
            "A log appears under its name when it is complete. What is there of a log whose fetching broke off is kept "
                    + "beside it (.part), and the next run goes on with it.",
            "A link that mavlogd listens on for UDP or TCP, or that is a serial port, belongs to the running mavlogd: stop "
                    + "that first, or let it fetch logs itself by [fetch] after_disarm. "
                    + "docs/fetch.md tells more."
        },
        exitCodeList = {
            "0:all is there",
            "3:something is missing: one line on standard error for each log says what; what came is kept",
            "1:failed, and nothing came: there is no vehicle, it is armed, or it does not answer",
            "2:wrong usage, or there is no such log or link",
            "78:wrong configuration",
            "130, 143:ended by SIGINT or SIGTERM; what came is kept"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  mavlogd fetch --list",
            "  mavlogd fetch LAST -o /data/logs",
            "  mavlogd fetch 12 13 --link tcp:192.168.1.10:5760 --by messages"
        })
final class FetchCommand extends LogCommand {
    private static final String DEFAULT_CONFIG = "/etc/mavlogd/mavlogd.toml";
    private static final String LAST = "LAST";
    private static final int MAX_ID = 0xFFFF;
    private static final int MAX_IDS = 4096;
    private static final int DEFAULT_COMPONENT = 191; // MAV_COMP_ID_ONBOARD_COMPUTER
    private static final long STOP_WAIT_MS = 6000;
    private static final double BYTES_PER_MB = 1e6;
    // Not one of the running mavlogd's links: the vehicle counts the signed frames of each by themselves.
    private static final int SIGNING_LINK = 255;

    /** How to ask. */
    enum By {
        AUTO,
        FTP,
        MESSAGES
    }

    @Parameters(
            paramLabel = "LAST|ID",
            hideParamSyntax = true,
            arity = "0..*",
            description = "The newest log, or ids of logs as --list shows them.")
    private List<String> words = new ArrayList<>();

    @Option(names = "--list", description = "Only list the logs.")
    private boolean list;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "DIR",
            description = "Where to put the logs (default: the working directory).")
    private Path directory = Path.of("");

    @Option(
            names = "--link",
            paramLabel = "LINK",
            description =
                    "A link of the configuration by its name, or udp-listen:HOST:PORT, udp:HOST:PORT, tcp:HOST:PORT "
                            + "or serial:DEVICE[:BAUD]. May be left out when the configuration has one link.")
    private String link = "";

    @Option(
            names = "--by",
            paramLabel = "WAY",
            description =
                    "ftp, messages, or auto (default): MAVLink FTP, and log messages where that is not answered. Ids "
                            + "may differ.")
    private By by = By.AUTO;

    @Option(names = "--vehicle", paramLabel = "N", description = "MAVLink system id, where several vehicles are.")
    private @Nullable Integer systemId;

    @Option(
            names = "--wait",
            paramLabel = "S",
            description =
                    "How long to wait for a vehicle, or for a lost link to come back (default: ${DEFAULT-VALUE}).")
    private int waitS = 30;

    @Option(names = "--no-checksum", description = "Do not let the vehicle compute checksums to compare (FTP only).")
    private boolean withoutChecksum;

    @Option(names = "--force", description = "Replace files that exist.")
    private boolean force;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The configuration that names the links (default: " + DEFAULT_CONFIG + ").")
    private @Nullable Path config;

    private boolean isUnknown;
    private boolean isWithout;
    private final CountDownLatch stopAsked = new CountDownLatch(1);

    @Override
    int execute() {
        LoggingSetup.install(LoggingSetup.Level.ERROR, System.getenv());
        checkWords();
        try {
            return FetchAddress.isAddress(link) && config == null
                    ? fetch(FetchAddress.parse(link), Optional.empty())
                    : fetchConfigured();
        } catch (ConfigException e) {
            e.problems().forEach(this::warn);
            return ExitCode.CONFIG;
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    private void checkWords() {
        if (list == !words.isEmpty()) {
            throw usage(list ? "--list goes without ids" : "LAST or ids of logs are missing, or --list");
        }
        if (words.size() > MAX_IDS) {
            throw usage(words.size() + " ids are too many; up to " + MAX_IDS);
        }
        for (String word : words) {
            if (!word.equals(LAST) && !(word.matches("\\d{1,5}") && Integer.parseInt(word) <= MAX_ID)) {
                throw usage("'" + word + "' is no id: LAST or 0 to " + MAX_ID);
            }
        }
        if (waitS < 2 || waitS > 3600) {
            throw usage("--wait is " + waitS + ", and must be 2 to 3600");
        }
        if (systemId != null && (systemId < 1 || systemId > 255)) {
            throw usage("--vehicle is " + systemId + ", and must be 1 to 255");
        }
    }

    private ParameterException usage(String text) {
        return new ParameterException(spec().commandLine(), text);
    }

    private int fetchConfigured() throws ConfigException {
        Path file = config == null ? Path.of(DEFAULT_CONFIG) : config;
        Settings settings = Settings.load(file);
        LinkSettings chosen =
                FetchAddress.isAddress(link) ? FetchAddress.parse(link) : FetchAddress.among(settings.links(), link);
        boolean isDaemonThere = DirectoryLock.isHeld(settings.log().directory());
        if (isDaemonThere
                && FetchAddress.isExclusive(chosen)
                && settings.links().contains(chosen)) {
            return fail(
                    "link \"" + chosen.name() + "\" is in use by the running mavlogd: stop that first (systemctl stop "
                            + "mavlogd), or let it fetch by itself, by after_disarm = true in section [fetch]");
        }
        if (isDaemonThere) {
            out().println("the running mavlogd goes on to record");
        }
        return fetch(chosen, Optional.of(settings));
    }

    private int fetch(LinkSettings chosen, Optional<Settings> settings) {
        Thread runner = Thread.currentThread();
        Thread hook = new Thread(
                () -> {
                    stopAsked.countDown();
                    join(runner);
                },
                "fetch-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return fetchUntilStopped(chosen, settings);
        } finally {
            if (stopAsked.getCount() > 0) {
                Runtime.getRuntime().removeShutdownHook(hook);
            }
        }
    }

    private static void join(Thread runner) {
        try {
            runner.join(STOP_WAIT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int fetchUntilStopped(LinkSettings chosen, Optional<Settings> settings) {
        FetchLinkHolder holder = new FetchLinkHolder();
        ProgressBar bar = new ProgressBar(err(), System::nanoTime);
        Progress progress = Terminal.isStandardError() ? bar : Progress.NONE;
        FetchFiles files = new FetchFiles(
                directory, force, () -> holder.get().target(), this::choose, teller(bar), progress, System::nanoTime);
        FetchLink conversation = new FetchLink(chosen, wish(settings), signing(settings), files);
        holder.set(conversation);
        String problem = conversation.run(() -> stopAsked.getCount() == 0);
        bar.close();
        if (!problem.isEmpty()) {
            return fail(problem);
        }
        return result(files);
    }

    private int result(FetchFiles files) {
        if (!files.endProblem().isEmpty()) {
            warn(files.endProblem());
        }
        if (isUnknown) {
            return ExitCode.USAGE;
        }
        if (files.isAllThere() && !isWithout) {
            return ExitCode.OK;
        }
        return files.hasAnything() ? ExitCode.PARTIAL : ExitCode.FAILED;
    }

    /** Made before the link that it asks. */
    private static final class FetchLinkHolder {
        private @Nullable FetchLink link;

        void set(FetchLink value) {
            link = value;
        }

        FetchLink get() {
            if (link == null) {
                throw new IllegalStateException("no link yet");
            }
            return link;
        }
    }

    private FetchFiles.Teller teller(ProgressBar bar) {
        return new FetchFiles.Teller() {
            @Override
            public void say(String line) {
                bar.close();
                out().println(line);
                out().flush();
            }

            @Override
            public void warn(String line) {
                bar.close();
                FetchCommand.this.warn(line);
            }
        };
    }

    private FetchLink.Settings wish(Optional<Settings> settings) {
        List<FetchWay> ways = switch (by) {
            case AUTO -> List.of(FetchWay.FTP, FetchWay.MESSAGES);
            case FTP -> List.of(FetchWay.FTP);
            case MESSAGES -> List.of(FetchWay.MESSAGES);
        };
        int vehicle = systemId != null
                ? systemId
                : settings.map(all -> all.vehicle().systemId()).orElse(0);
        int component = settings.map(all -> all.mavlink().componentId()).orElse(DEFAULT_COMPONENT);
        long waitNs = TimeUnit.SECONDS.toNanos(waitS);
        return new FetchLink.Settings(
                vehicle, component, waitNs, new FetchSession.Wish(ways, waitNs, !withoutChecksum));
    }

    private static Signing.LinkParts signing(Optional<Settings> settings) {
        return settings.flatMap(all -> all.signing()
                        .key()
                        .map(key -> new Signing(
                                        key,
                                        all.signing().policy(),
                                        all.signing().stateFile(),
                                        SystemEpochClock.INSTANCE)
                                .forLink(SIGNING_LINK, "fetch", new Metrics())))
                .orElse(Signing.LinkParts.OFF);
    }

    /** On the link's thread. */
    private List<RemoteLog> choose(FetchTarget vehicle, List<RemoteLog> logs, FetchWay way) {
        if (list) {
            print(logs, way);
            return List.of();
        }
        if (way == FetchWay.MESSAGES && vehicle.isArduPilot()) {
            out().println(
                            "by log messages: until this ends, the ArduPilot logs nothing, streams no log and does not arm");
            out().flush();
        }
        Map<Integer, RemoteLog> byId = new TreeMap<>();
        logs.forEach(log -> byId.put(log.id(), log));
        Set<RemoteLog> chosen = new LinkedHashSet<>();
        for (String word : words) {
            Optional<RemoteLog> found =
                    word.equals(LAST) ? newest(vehicle, logs) : Optional.ofNullable(byId.get(Integer.parseInt(word)));
            if (found.isPresent()) {
                chosen.add(found.get());
            } else {
                isWithout |= word.equals(LAST);
                isUnknown |= !word.equals(LAST);
                warn(word.equals(LAST) ? "the vehicle has no log" : "there is no log " + word + ": --list shows all");
            }
        }
        return List.copyOf(chosen);
    }

    /** ArduPilot's ids are in the order of its logs; PX4's are in that of its directories. */
    private static Optional<RemoteLog> newest(FetchTarget vehicle, List<RemoteLog> logs) {
        Comparator<RemoteLog> byId = Comparator.comparing(RemoteLog::id);
        return logs.stream()
                .filter(log -> log.length() > 0)
                .max(
                        vehicle.isArduPilot()
                                ? byId
                                : Comparator.comparing(RemoteLog::utcS).thenComparing(byId));
    }

    private void print(List<RemoteLog> logs, FetchWay way) {
        if (!logs.isEmpty()) {
            out().printf(Locale.ROOT, "%5s  %20s  %10s  %s%n", "ID", "UTC", "MB", "ON THE VEHICLE");
        }
        for (RemoteLog log : logs) {
            String time = FetchedLogName.isTime(log.utcS())
                    ? Instant.ofEpochSecond(log.utcS()).toString()
                    : "-";
            out().printf(
                            Locale.ROOT,
                            "%5d  %20s  %10.3f  %s%n",
                            log.id(),
                            time,
                            log.length() / BYTES_PER_MB,
                            log.path());
        }
        long bytes = logs.stream().mapToLong(RemoteLog::length).sum();
        out().printf(
                        Locale.ROOT,
                        "%d %s, %.1f MB, by %s%n",
                        logs.size(),
                        logs.size() == 1 ? "log" : "logs",
                        bytes / BYTES_PER_MB,
                        way.text());
        out().flush();
    }
}
