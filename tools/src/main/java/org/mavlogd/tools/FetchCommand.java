package org.mavlogd.tools;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.agrona.concurrent.SystemEpochClock;
import org.jspecify.annotations.Nullable;
import org.mavlogd.app.DirectoryLock;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.cli.LoggingSetup;
import org.mavlogd.cli.Terminal;
import org.mavlogd.config.ConfigException;
import org.mavlogd.config.Settings;
import org.mavlogd.fetch.FetchClient;
import org.mavlogd.fetch.FetchDisk;
import org.mavlogd.fetch.FetchLink;
import org.mavlogd.fetch.FetchSession;
import org.mavlogd.fetch.FetchTarget;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.signing.Signing;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code mavlogd fetch}: downloads the logs that a vehicle keeps itself. */
@Command(
        name = "fetch",
        customSynopsis = {
            "mavlogd fetch [-h] [--link LINK] [--by WAY] --list",
            "       mavlogd fetch [-h] [--link LINK] [--by WAY] [-o DIR] LAST|ID..."
        },
        description = {
            "Fetch the logs that a PX4 or ArduPilot keeps on its own SD card, while it is disarmed.",
            "A log appears under its name when it is complete. The received part of an interrupted fetch is kept (.part), and the "
                    + "next run continues it.",
            "A serial port, and a link on which mavlogd listens, cannot be used while mavlogd runs: stop it first, or let it "
                    + "fetch logs itself ([fetch] after_disarm). Details: docs/fetch.md."
        },
        exitCodeList = {
            "0:all logs are complete",
            "3:something is missing: a line on standard error for each log reports what; received parts are kept",
            "1:failed, and nothing was received: there is no vehicle, it is armed, or it does not answer",
            "2:wrong usage, or there is no such log or link",
            "78:wrong configuration",
            "130, 143:ended by SIGINT or SIGTERM; received parts are kept"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  mavlogd fetch --list",
            "  mavlogd fetch LAST -o /data/logs",
            "  mavlogd fetch 12 13 --link tcp:192.168.1.10:5760 --by messages"
        })
final class FetchCommand extends LogCommand {
    private static final String DEFAULT_CONFIG_FILE = "/etc/mavlogd/mavlogd.toml";
    private static final Path DEFAULT_CONFIG = Path.of(DEFAULT_CONFIG_FILE);
    private static final int MAX_ID = 0xFFFF;
    private static final int MAX_IDS = 4096;
    private static final int DEFAULT_COMPONENT = 191; // MAV_COMP_ID_ONBOARD_COMPUTER
    // Different from all links of a running mavlogd: the vehicle tracks the signed frames of each link separately.
    private static final int SIGNING_LINK = 255;

    /** The way to download. */
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
            description = "The directory to write to (default: the working directory).")
    private Path directory = Path.of("");

    @Option(
            names = "--link",
            paramLabel = "LINK",
            description =
                    "A link of the configuration by its name, or udp-listen:HOST:PORT, udp:HOST:PORT, tcp:HOST:PORT "
                            + "or serial:DEVICE[:BAUD]. May be left out if the configuration has only one link.")
    private String link = "";

    @Option(
            names = "--by",
            paramLabel = "WAY",
            description =
                    "ftp, messages, or auto (default): MAVLink FTP, or log messages if FTP is not answered. Ids of the two "
                            + "may differ.")
    private By by = By.AUTO;

    @Option(
            names = "--vehicle",
            paramLabel = "N",
            description = "MAVLink system id of the vehicle, if there are several.")
    private @Nullable Integer systemId;

    @Option(
            names = "--wait",
            paramLabel = "S",
            description =
                    "Seconds to wait for a vehicle, or for a lost link to return, 2 to 3600 (default: ${DEFAULT-VALUE}).")
    private int waitS = 30;

    @Option(names = "--no-checksum", description = "Do not ask the vehicle for checksums to compare (FTP only).")
    private boolean withoutChecksum;

    @Option(names = "--force", description = "Replace files that exist.")
    private boolean force;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The configuration that names the links (default: " + DEFAULT_CONFIG_FILE + ").")
    private @Nullable Path config;

    @Override
    protected int execute() {
        LoggingSetup.install(LoggingSetup.Level.ERROR, System.getenv());
        checkWords();
        try {
            return FetchAddress.isAddress(link) && config == null
                    ? fetchAt(FetchAddress.parse(link))
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
            throw usage(list ? "--list takes no ids" : "LAST, ids of logs, or --list is missing");
        }
        if (words.size() > MAX_IDS) {
            throw usage(words.size() + " ids are too many; up to " + MAX_IDS);
        }
        for (String word : words) {
            if (!word.equals(FetchChoice.LAST) && !(word.matches("\\d{1,5}") && Integer.parseInt(word) <= MAX_ID)) {
                throw usage("'" + word + "' is not an id: LAST or 0 to " + MAX_ID);
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
        Settings settings = Settings.load(config == null ? DEFAULT_CONFIG : config);
        LinkSettings chosen =
                FetchAddress.isAddress(link) ? FetchAddress.parse(link) : FetchAddress.among(settings.links(), link);
        return fetch(chosen, Optional.of(settings), Optional.of(settings));
    }

    /** Fetches without a configuration; reads that of a mavlogd that may run here, though. */
    private int fetchAt(LinkSettings chosen) {
        Optional<Settings> installed = Optional.empty();
        try {
            installed = Files.isReadable(DEFAULT_CONFIG)
                    ? Optional.of(Settings.loadBesideService(DEFAULT_CONFIG))
                    : installed;
        } catch (ConfigException e) {
            // Then no mavlogd runs with it.
        }
        return fetch(chosen, Optional.empty(), installed);
    }

    /**
     * Fetches next to the running mavlogd, if there is one and if this is possible.
     *
     * @param settings to use
     * @param installed settings of a mavlogd that may run
     */
    private int fetch(LinkSettings chosen, Optional<Settings> settings, Optional<Settings> installed) {
        boolean isBesideRecorder =
                installed.isPresent() && DirectoryLock.isHeld(installed.get().logDirectory());
        if (isBesideRecorder) {
            Optional<LinkSettings> taken = FetchAddress.taken(installed.get().links(), chosen);
            if (taken.isPresent()) {
                return fail(inUse(taken.get()));
            }
            out().println("the running mavlogd continues to record");
            out().flush();
        }
        ProgressBar bar = Terminal.isStandardError() ? new ProgressBar(err(), System::nanoTime) : ProgressBar.nowhere();
        FetchFiles.Teller teller = teller(bar);
        FetchChoice choice = new FetchChoice(words, isBesideRecorder, teller, out());
        FetchRun run = new FetchRun(vehicle -> new FetchFiles(
                new FetchFiles.Directory(vehicle, FetchDisk.REAL, directory, force),
                choice,
                teller,
                bar,
                System::nanoTime));
        String problem = run.run(chosen, wish(settings, isBesideRecorder), signing(settings));
        bar.close();
        return problem.isEmpty() ? result(run, choice) : fail(problem);
    }

    private static String inUse(LinkSettings link) {
        return "link \"" + link.name()
                + "\" is in use by the running mavlogd: stop that first (systemctl stop mavlogd), or let it fetch"
                + " itself, with after_disarm = true in section [fetch]";
    }

    private int result(FetchRun run, FetchChoice choice) {
        if (!run.endProblem().isEmpty()) {
            warn(run.endProblem());
        }
        if (choice.isUnknown()) {
            return ExitCode.USAGE;
        }
        if (run.files().map(FetchFiles::isAllThere).orElse(false) && !choice.isWithout()) {
            return ExitCode.OK;
        }
        return run.files().map(FetchFiles::hasAnything).orElse(false) ? ExitCode.PARTIAL : ExitCode.FAILED;
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

    private FetchLink.Settings wish(Optional<Settings> settings, boolean isBesideRecorder) {
        List<FetchClient.Way> ways = switch (by) {
            case AUTO -> List.of(FetchClient.Way.FTP, FetchClient.Way.MESSAGES);
            case FTP -> List.of(FetchClient.Way.FTP);
            case MESSAGES -> List.of(FetchClient.Way.MESSAGES);
        };
        int vehicle = systemId != null
                ? systemId
                : settings.map(all -> all.vehicles().systemId()).orElse(0);
        int component = settings.map(all -> all.vehicles().ownComponentId()).orElse(DEFAULT_COMPONENT);
        long waitNs = TimeUnit.SECONDS.toNanos(waitS);
        return new FetchLink.Settings(
                vehicle, component, waitNs, isBesideRecorder, new FetchSession.Wish(ways, waitNs, !withoutChecksum));
    }

    private static Signing.LinkParts signing(Optional<Settings> settings) {
        return settings.flatMap(all -> Signing.ofGuest(all.signing(), SystemEpochClock.INSTANCE))
                .map(signing -> signing.forLink(SIGNING_LINK, "fetch", new Metrics()))
                .orElse(Signing.LinkParts.OFF);
    }

    /** One session of the command, which a signal ends properly. Used once, by the command's thread. */
    private static final class FetchRun {
        private static final long STOP_WAIT_MS = 6000;

        private final Function<FetchTarget, FetchFiles> maker;
        // Created on the link's thread; read after that has ended.
        private @Nullable FetchFiles files;
        private boolean isUnsigned;

        /** @param maker creates the place of the logs when the vehicle is known */
        FetchRun(Function<FetchTarget, FetchFiles> maker) {
            this.maker = maker;
        }

        /**
         * Runs until all logs have arrived or failed.
         *
         * @return reason why there was no session at all; empty if there was one
         */
        String run(LinkSettings link, FetchLink.Settings wish, Signing.LinkParts signing) {
            try (StopSignal stop = new StopSignal(STOP_WAIT_MS)) {
                FetchLink conversation = new FetchLink(link, wish, signing, this::client);
                String problem = conversation.run(stop::isAsked);
                isUnsigned = conversation.isSpokenToUnsigned();
                return problem;
            }
        }

        private FetchClient client(FetchTarget vehicle) {
            FetchFiles made = maker.apply(vehicle);
            files = made;
            return made;
        }

        /** The result. */
        Optional<FetchFiles> files() {
            return Optional.ofNullable(files);
        }

        /** Reason for an early end; empty if there was none. */
        String endProblem() {
            String problem = files().map(FetchFiles::endProblem).orElse("");
            return problem.isEmpty() || !isUnsigned
                    ? problem
                    : problem + "; it signs its frames and may refuse unsigned ones: set its key in section [signing]";
        }
    }
}
