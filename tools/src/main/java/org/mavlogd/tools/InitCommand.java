package org.mavlogd.tools;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mavlogd.app.DirectoryLock;
import org.mavlogd.cli.ExitCode;
import org.mavlogd.cli.LoggingSetup;
import org.mavlogd.cli.Terminal;
import org.mavlogd.config.ConfigException;
import org.mavlogd.config.RecorderAddress;
import org.mavlogd.config.Settings;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.setup.Advice;
import org.mavlogd.setup.Computer;
import org.mavlogd.setup.ConfigPlace;
import org.mavlogd.setup.ConfigText;
import org.mavlogd.setup.Finding;
import org.mavlogd.setup.PortCheck;
import org.mavlogd.setup.PortTest;
import org.mavlogd.setup.Questions;
import org.mavlogd.setup.SerialPorts;
import org.mavlogd.setup.SetupText;
import org.mavlogd.setup.Vehicle;
import org.mavlogd.status.StatusClient;
import org.mavlogd.status.StatusView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code mavlogd init}: creates the configuration of a computer with one vehicle, after a test of the port. */
@Command(
        name = "init",
        description = {
            "Ask which autopilot, which port and where to store logs, test the port, and write the configuration.",
            "The test listens for the autopilot, asks for its log as the recorder does, and stops the stream after one or two "
                    + "seconds. It never arms, moves or configures a vehicle, and does not ask an armed one for its log. "
                    + "Each problem with the port is reported with a fix."
        },
        exitCodeList = {
            "0:the configuration is written, and the log came (from an armed vehicle, or with --untested: was not asked for)",
            "1:failed: the file exists or cannot be written, or the running recorder uses the port; nothing is written",
            "2:wrong usage",
            "3:the test found a problem; nothing is written, unless you agreed to it",
            "78:the configuration would be wrong, because of a file in conf.d or an environment variable; nothing is written",
            "130, 143:ended by SIGINT or SIGTERM; nothing is written"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  sudo mavlogd init",
            "  sudo mavlogd init --autopilot px4 --port /dev/ttyAMA0 --yes --force",
            "  mavlogd init --port udp:14550 --config mavlogd.toml"
        })
final class InitCommand extends LogCommand {
    private static final String SERVICE_CONFIG = "/etc/mavlogd/mavlogd.toml";
    private static final String LOG_DIRECTORY = "/var/lib/mavlogd/logs";
    private static final String LINK = "autopilot";
    private static final int MAX_PORT = 65_535;
    private static final int MIN_BAUD = 1200;
    private static final int MAX_BAUD = 4_000_000;
    private static final int WIDTH = 120;
    private static final long STOP_WAIT_MS = 6000;
    /** The usual targets of mavlink-router, a simulator or an autopilot on Ethernet. */
    private static final List<String> UDP_PORTS = List.of("udp:14550", "udp:14540", "udp:14600");

    @Option(
            names = "--autopilot",
            paramLabel = "KIND",
            description = "auto, px4 or ardupilot. auto takes the one that is heard (default with --yes).")
    private Advice.@Nullable Expected autopilot;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Where the autopilot is: a device such as /dev/ttyAMA0, udp:PORT to listen on, "
                    + "udp-listen:HOST:PORT, udp:HOST:PORT, tcp:HOST:PORT or serial:DEVICE[:BAUD].")
    private @Nullable String port;

    @Option(
            names = "--baud",
            paramLabel = "N",
            description = "Baud rate of a serial port, 1200 to 4000000 (default: the usual ones are tried).")
    private @Nullable Integer baud;

    @Option(
            names = "--log-dir",
            paramLabel = "DIR",
            description = "Where to store logs, an absolute path (default: " + LOG_DIRECTORY + ").")
    private @Nullable Path logDirectory;

    @Option(names = "--yes", description = "Ask nothing: use the options, and defaults for the others.")
    private boolean yes;

    @Option(names = "--force", description = "Replace a configuration that exists; a copy is kept beside it (.bak).")
    private boolean force;

    @Option(names = "--untested", description = "Write the configuration without testing the port.")
    private boolean untested;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            defaultValue = SERVICE_CONFIG,
            description = "The file to write (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path config;

    private final Computer computer;
    private final Optional<BufferedReader> answers;

    @SuppressWarnings("unused") // made by picocli
    InitCommand() {
        this(
                Computer.here(),
                Terminal.isStandardInput()
                        ? Optional.of(new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())))
                        : Optional.empty());
    }

    /** @param answers of the user; empty if nobody can be asked */
    InitCommand(Computer computer, Optional<BufferedReader> answers) {
        this.computer = computer;
        this.answers = answers;
    }

    @Override
    protected int execute() {
        LoggingSetup.install(LoggingSetup.Level.ERROR, System.getenv());
        checkOptions();
        try {
            ConfigPlace place = new ConfigPlace(config);
            Optional<String> problem = place.problem();
            if (problem.isPresent()) {
                return fail(problem.get());
            }
            if (!mayWrite(place)) {
                return fail(
                        config + " exists already and is kept; --force replaces it and keeps a copy, --config names "
                                + "another file");
            }
            return configure(place);
        } catch (ConfigException e) {
            // The messages name the temporary file instead of the configuration.
            e.problems().forEach(line -> warn(line.replaceAll("/\\.([^/]+)\\.\\d+\\.part", "/$1")));
            return ExitCode.CONFIG;
        } catch (EOFException e) {
            return fail(e.getMessage() + "; nothing is written");
        } catch (IOException e) {
            return fail(config, e);
        }
    }

    private void checkOptions() {
        if (!yes && answers.isEmpty()) {
            throw usage("standard input is not a terminal, so init cannot ask: give --port and --yes");
        }
        if (logDirectory != null && !logDirectory.isAbsolute()) {
            throw usage("--log-dir is '" + logDirectory + "', and must be an absolute path");
        }
        if (baud != null && (baud < MIN_BAUD || baud > MAX_BAUD)) {
            throw usage("--baud is " + baud + ", and must be " + MIN_BAUD + " to " + MAX_BAUD);
        }
        if (port != null) {
            checkPort(port);
        }
    }

    private void checkPort(String text) {
        try {
            boolean isSerial = link(text) instanceof LinkSettings.SerialPort;
            if (baud != null && !isSerial) {
                throw usage("--baud is for serial ports, and --port is '" + text + "'");
            }
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    private ParameterException usage(String text) {
        return new ParameterException(spec().commandLine(), text);
    }

    /** Empty if no questions are asked. */
    private Optional<Questions> questions() {
        return yes ? Optional.empty() : answers.map(reader -> new Questions(reader, out()));
    }

    private boolean mayWrite(ConfigPlace place) throws IOException {
        if (!place.isTaken() || force) {
            return true;
        }
        Optional<Questions> questions = questions();
        return questions.isPresent() && questions.get().isYes(config + " exists. Replace it? A copy is kept beside it");
    }

    private int configure(ConfigPlace place) throws IOException, ConfigException {
        Advice.Expected expected = expected();
        LinkSettings chosen = port();
        Path directory = directory();
        if (untested) {
            return write(place, chosen, directory, Optional.empty(), ExitCode.OK);
        }
        if (isRecorders(chosen)) {
            return ExitCode.FAILED;
        }
        List<Finding> findings = new ArrayList<>(new PortCheck(computer).findings(chosen));
        PortTest.Result result = new PortTest.Result(chosen, PortTest.UNHEARD);
        if (findings.stream().noneMatch(Finding::isFatal)) {
            Optional<PortTest.Result> tested = test(chosen);
            if (tested.isEmpty()) {
                return fail("stopped; nothing is written");
            }
            result = tested.get();
            findings.addAll(Advice.of(result, expected));
        }
        findings.forEach(this::print);
        boolean isGood = findings.stream().noneMatch(Finding::isFatal);
        if (!isGood && !isWantedAllTheSame()) {
            out().println("Nothing is written. Correct the problem and run this command again.");
            return ExitCode.PARTIAL;
        }
        return write(
                place, SetupText.nearest(result), directory, result.vehicle(), isGood ? ExitCode.OK : ExitCode.PARTIAL);
    }

    private boolean isWantedAllTheSame() throws IOException {
        Optional<Questions> questions = questions();
        return questions.isPresent() && questions.get().isYes("Write the configuration anyway?");
    }

    private Advice.Expected expected() throws IOException {
        Optional<Questions> questions = questions();
        if (autopilot != null) {
            return autopilot;
        }
        if (questions.isEmpty()) {
            return Advice.Expected.AUTO;
        }
        int choice = questions.get().choice("Which autopilot?", List.of("find out by listening", "PX4", "ArduPilot"));
        return List.of(Advice.Expected.AUTO, Advice.Expected.PX4, Advice.Expected.ARDUPILOT)
                .get(choice);
    }

    private LinkSettings port() throws IOException {
        if (port != null) {
            return link(port);
        }
        List<SerialPorts.Port> serial = SerialPorts.of(computer);
        Optional<Questions> questions = questions();
        if (questions.isPresent()) {
            return askedPort(questions.get(), serial);
        }
        if (serial.size() == 1) {
            return link(serial.get(0).device());
        }
        String devices = serial.stream().map(SerialPorts.Port::device).collect(Collectors.joining(", "));
        throw usage("--port is missing: this computer has " + (serial.isEmpty() ? "no serial port" : devices));
    }

    private LinkSettings askedPort(Questions questions, List<SerialPorts.Port> serial) throws IOException {
        List<String> ports = Stream.concat(serial.stream().map(SerialPorts.Port::device), UDP_PORTS.stream())
                .toList();
        questions.print(Stream.concat(
                        serial.stream().map(one -> one.device() + "  (" + one.kind() + ')'),
                        UDP_PORTS.stream().map(one -> one + "  (network: listen on this port)"))
                .toList());
        String answer = questions.text("Which port? A number, or as --port takes it", "1", text -> {
            try {
                return Questions.isNumber(text, ports.size()) || link(text) != null ? "" : "unknown";
            } catch (IllegalArgumentException e) {
                return String.valueOf(e.getMessage());
            }
        });
        return link(Questions.isNumber(answer, ports.size()) ? ports.get(Integer.parseInt(answer) - 1) : answer);
    }

    /** @throws IllegalArgumentException with a text for the user */
    private LinkSettings link(String text) {
        int rate = baud == null ? PortTest.BAUDS.get(0) : baud;
        if (text.startsWith("/")) {
            return new LinkSettings.SerialPort(LINK, text, rate, false);
        }
        if (text.matches("udp:\\d{1,5}")) {
            int number = Integer.parseInt(text.substring("udp:".length()));
            if (number >= 1 && number <= MAX_PORT) {
                return new LinkSettings.UdpListen(LINK, "0.0.0.0", number, true);
            }
        }
        return FetchAddress.parse("--port", text, LINK);
    }

    private Path directory() throws IOException {
        Optional<Questions> questions = questions();
        if (logDirectory != null) {
            return logDirectory;
        }
        return questions.isEmpty()
                ? Path.of(LOG_DIRECTORY)
                : Path.of(questions
                        .get()
                        .text(
                                "Where to store logs?",
                                LOG_DIRECTORY,
                                text -> text.startsWith("/") && text.indexOf('\0') < 0 ? "" : "an absolute path"));
    }

    /** Whether the running recorder uses the port; if so, prints its status. */
    private boolean isRecorders(LinkSettings chosen) {
        for (Path file : List.of(config, computer.path(SERVICE_CONFIG))) {
            Optional<Settings> settings = settings(file);
            if (settings.isPresent()
                    && DirectoryLock.isHeld(settings.get().logDirectory())
                    && FetchAddress.taken(settings.get().links(), chosen).isPresent()) {
                warn("the running recorder uses this port, so it is not tested; the recorder's status:");
                status(file).forEach(line -> out().println("  " + line));
                out().println("To test the port: sudo systemctl stop mavlogd, and run this command again. To write the "
                        + "configuration without a test: --untested");
                return true;
            }
        }
        return false;
    }

    private static Optional<Settings> settings(Path file) {
        try {
            return Files.isReadable(file) ? Optional.of(Settings.loadBesideService(file)) : Optional.empty();
        } catch (ConfigException e) {
            return Optional.empty(); // no recorder runs with it
        }
    }

    private static List<String> status(Path file) {
        try {
            RecorderAddress recorder =
                    RecorderAddress.load(file).orElseThrow(() -> new IOException("[http] listen is \"\": no status"));
            String document = new StatusClient(recorder.url(), recorder.token()).ask();
            return new StatusView().lines(StatusClient.parse(document), WIDTH);
        } catch (ConfigException | IOException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
    }

    /** Tests the port; empty if the user stopped it. */
    private Optional<PortTest.Result> test(LinkSettings chosen) {
        out().println("Testing " + SetupText.name(chosen) + " ...");
        out().flush();
        try (StopSignal stop = new StopSignal(STOP_WAIT_MS)) {
            PortTest test = new PortTest(computer, stop::isAsked, line -> {
                out().println("  " + line);
                out().flush();
            });
            PortTest.Result result = test.run(chosen, bauds());
            if (stop.isAsked()) {
                return Optional.empty();
            }
            result.vehicle().ifPresent(vehicle -> out().println(SetupText.found(vehicle, result)));
            return Optional.of(result);
        }
    }

    private List<Integer> bauds() {
        boolean isNamed = baud != null || (port != null && port.matches("serial:.+:\\d+"));
        return isNamed && link(String.valueOf(port)) instanceof LinkSettings.SerialPort serial
                ? List.of(serial.baud())
                : baud == null ? PortTest.BAUDS : List.of(baud);
    }

    private void print(Finding finding) {
        out().println((finding.isFatal() ? "problem: " : "warning: ") + finding.problem());
        finding.remedies().forEach(remedy -> out().println("    fix: " + remedy));
    }

    private int write(ConfigPlace place, LinkSettings link, Path directory, Optional<Vehicle> vehicle, int code)
            throws IOException, ConfigException {
        String text = ConfigText.of(link, directory.toString(), vehicle);
        Optional<Path> backup = place.write(text, Settings::loadBesideService);
        out().println("Wrote " + config
                + backup.map(file -> "; the one before it is " + file).orElse(""));
        SetupText.next(config, directory).forEach(out()::println);
        return code;
    }
}
