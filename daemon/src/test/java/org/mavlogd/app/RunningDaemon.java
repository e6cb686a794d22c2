package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.mavlogd.config.LocalSettings;
import org.mavlogd.config.Settings;
import org.mavlogd.config.TextsSettings;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.control.AccessToken;
import org.mavlogd.control.StatusServer;
import org.mavlogd.fetch.CardFetch;
import org.mavlogd.forward.ForwardSettings;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.local.TextLimiter;
import org.mavlogd.local.TextOutlet;
import org.mavlogd.local.heard.HeardSettings;
import org.mavlogd.local.syslog.SyslogSource;
import org.mavlogd.local.system.SystemSettings;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.record.telemetry.TelemetryLogs;
import org.mavlogd.signing.Signing;
import org.mavlogd.signing.SigningKey;
import org.mavlogd.store.SpaceLimits;
import org.mavlogd.store.StoreSettings;
import org.mavlogd.tags.TagMap;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.vehicle.ConversationSettings;
import org.mavlogd.vehicle.VehicleStatus;
import org.mavlogd.whole.LogContent;
import org.mavlogd.wiring.Daemon;

/** The real daemon in this process, with its files in a directory of the test. */
public final class RunningDaemon implements AutoCloseable {
    private static final LocalSettings NOTHING_LOCAL = new LocalSettings(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            new LocalSettings.LinkedSource<>(List.of(), new LocalSettings.PublishSettings(true, 1 << 20, List.of())),
            new TextsSettings(
                    new TextOutlet.Settings(TagMap.DEFAULT, new TextLimiter.Limits(20, 200)),
                    Optional.empty(),
                    Optional.empty(),
                    new LocalSettings.LinkedSource<>(
                            List.of(), new SyslogSource.Settings(Map.of(), OptionalInt.empty(), LogLevel.INFO))),
            HeardSettings.OFF);

    private static final Duration HTTP_TIMEOUT = Duration.ofSeconds(50);

    private final Daemon daemon;
    private final Path directory;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(HTTP_TIMEOUT).build();
    private boolean closed;

    /** A page of the status server. */
    public record Page(int code, String text) {}

    /** The settings of a test; all others have their defaults. */
    public static final class Setup {
        private final Path directory;
        private final List<LinkSettings> links = new ArrayList<>();
        private ConversationSettings.Mode mode = ConversationSettings.Mode.ALWAYS;
        private int leadOutS = 10;
        private int silenceS = 5;
        private int systemId;
        private int httpPort;
        private Optional<String> commandToken = Optional.empty();
        private Optional<AccessToken> token = Optional.empty();
        private CardFetch.Settings fetch = new CardFetch.Settings(false, TimeUnit.SECONDS.toNanos(20), 0);
        private LocalSettings local = NOTHING_LOCAL;
        private RecordSettings.BlockFiles blocks = RecordSettings.BlockFiles.BOTH;
        private RecordSettings.Standalone standalone = RecordSettings.Standalone.OFF;
        // Tests also run on machines with little free space: only the tests of retention delete logs.
        private SpaceLimits space = new SpaceLimits(0, 0, 0, 1 << 20);
        private ForwardSettings forwarding = ForwardSettings.NONE;
        private Optional<TelemetryLogs.Limits> telemetry = Optional.empty();
        private Signing.Settings signing =
                new Signing.Settings(Optional.empty(), Signing.Policy.SIGNED_ONLY, Path.of("unused"));

        private Setup(Path directory) {
            this.directory = directory;
        }

        public Setup link(LinkSettings link) {
            links.add(link);
            return this;
        }

        public Setup udpListen(String name, int port) {
            return link(new LinkSettings.UdpListen(name, "127.0.0.1", port, true));
        }

        public Setup fetchingAfterDisarm(int delayS) {
            fetch = new CardFetch.Settings(true, TimeUnit.SECONDS.toNanos(delayS), 0);
            return this;
        }

        public Setup armedMode(int leadOut) {
            mode = ConversationSettings.Mode.ARMED;
            leadOutS = leadOut;
            return this;
        }

        public Setup silenceS(int value) {
            silenceS = value;
            return this;
        }

        public Setup signing(SigningKey key, Signing.Policy policy, Path stateFile) {
            signing = new Signing.Settings(Optional.of(key), policy, stateFile);
            return this;
        }

        public Setup messages(HeardSettings value) {
            local = new LocalSettings(
                    local.system(), local.iio(), local.gpsd(), local.nmea(), local.publish(), local.texts(), value);
            return this;
        }

        public Setup systemId(int value) {
            systemId = value;
            return this;
        }

        /** Records this computer's state every 100 ms. */
        public Setup measuring() {
            local = new LocalSettings(
                    Optional.of(
                            new SystemSettings(Path.of("/"), directory, TimeUnit.MILLISECONDS.toNanos(100), Set.of())),
                    local.iio(),
                    local.gpsd(),
                    local.nmea(),
                    local.publish(),
                    local.texts(),
                    local.messages());
            return this;
        }

        /** Lets other programs publish through this socket. */
        public Setup publishing(Path socket) {
            LocalSettings.LinkedSource<LocalSettings.PublishSettings> publish = new LocalSettings.LinkedSource<>(
                    List.of(new LinkSettings.UnixDatagram("publish.unix", socket.toString(), 0600, "")),
                    new LocalSettings.PublishSettings(true, 1 << 20, List.of()));
            local = new LocalSettings(
                    local.system(), local.iio(), local.gpsd(), local.nmea(), publish, local.texts(), local.messages());
            return this;
        }

        /** Sets which files an ArduPilot's log is stored in. */
        public Setup arduPilotFiles(boolean bin, boolean ulg) {
            blocks = new RecordSettings.BlockFiles(bin, ulg, false);
            return this;
        }

        /** Starts a log of this computer alone after this time without a vehicle's log. */
        public Setup standaloneAfterS(int seconds) {
            standalone = new RecordSettings.Standalone(true, TimeUnit.SECONDS.toNanos(seconds), ZoneId.systemDefault());
            return this;
        }

        public Setup retention(SpaceLimits value) {
            space = value;
            return this;
        }

        public Setup forwarding(ForwardSettings value) {
            forwarding = value;
            return this;
        }

        /** Writes telemetry logs beside the logs. */
        public Setup telemetry(TelemetryLogs.Limits value) {
            telemetry = Optional.of(value);
            return this;
        }

        /** The HTTP port; by default the system chooses one. */
        public Setup httpPort(int value) {
            httpPort = value;
            return this;
        }

        /** Accepts commands with this token. */
        public Setup commandToken(String token) {
            commandToken = Optional.of(token);
            return this;
        }

        /** Requires this token for every page. */
        public Setup token(String value) {
            token = Optional.of(AccessToken.of(value));
            return this;
        }

        public RunningDaemon start() {
            Settings settings = new Settings(
                    directory,
                    new StoreSettings(
                            64 << 10, StoreSettings.Durability.ofMs(500), new StoreSettings.RotationPolicy(1 << 30, 0)),
                    space,
                    blocks,
                    standalone,
                    RecordSettings.Merge.DEFAULT,
                    new ConversationSettings(
                            systemId,
                            191,
                            mode,
                            TimeUnit.SECONDS.toNanos(leadOutS),
                            TimeUnit.SECONDS.toNanos(silenceS),
                            ConversationSettings.Timesync.OFF),
                    signing,
                    links,
                    forwarding,
                    telemetry,
                    4 << 20,
                    new StatusServer.Settings(
                            Optional.of(InetSocketAddress.createUnresolved("127.0.0.1", httpPort)),
                            new StatusServer.Tokens(token, commandToken.map(AccessToken::of))),
                    fetch,
                    local,
                    directory.resolve("uploads"));
            Daemon daemon = new Daemon(settings);
            daemon.start();
            return new RunningDaemon(daemon, directory);
        }
    }

    private final LiveLine live;

    private RunningDaemon(Daemon daemon, Path directory) {
        this.daemon = daemon;
        this.directory = directory;
        this.live = new LiveLine(
                daemon.status(),
                new PrintWriter(Writer.nullWriter()),
                false,
                ContainedPart.unlisted("live.line", Recovery.PAUSES));
    }

    /** The line of {@code --live}, with rates since the previous call. */
    public String live() {
        return live.text();
    }

    /** The same on a terminal of this width. */
    public String live(int columns) {
        return live.text(columns);
    }

    public static Setup in(Path directory) {
        return new Setup(directory);
    }

    public List<RecordingStatus> recordings() {
        return daemon.status().recordings();
    }

    public List<VehicleStatus> vehicles() {
        return daemon.status().vehicles();
    }

    /** Chunks of all current recordings. */
    public long chunks() {
        return recordings().stream()
                .mapToLong(recording -> recording.figures().chunks())
                .sum();
    }

    public int finishedCount() {
        return daemon.status().finishedLogs().size();
    }

    public Page get(String path) throws IOException, InterruptedException {
        SystemTests.await("status server", () -> daemon.httpAddress().isPresent());
        int port = daemon.httpAddress().orElseThrow().getPort();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(HTTP_TIMEOUT)
                .build();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        return new Page(response.statusCode(), response.body());
    }

    public Map<String, Object> status() throws IOException, InterruptedException {
        Page page = get("/status");
        assertThat(page.code()).isEqualTo(200);
        return JsonTree.read(page.text());
    }

    /** The port of the pages; empty while they are not served. */
    public OptionalInt httpPort() {
        return daemon.httpAddress()
                .map(address -> OptionalInt.of(address.getPort()))
                .orElse(OptionalInt.empty());
    }

    /** The value of one line of the metrics. */
    public long metric(String name) throws IOException, InterruptedException {
        return get("/metrics")
                .text()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .map(line -> line.substring(name.length() + 1))
                .mapToLong(value -> (long) Double.parseDouble(value))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no metric " + name));
    }

    /** One array of the status document. */
    @SuppressWarnings("unchecked")
    public List<Map<String, Object>> status(String array) throws IOException, InterruptedException {
        return (List<Map<String, Object>>) (List<?>) (List<Object>) status().getOrDefault(array, List.of());
    }

    /** The finished logs in the order of their names; the directory may contain only them and their telemetry logs. */
    public List<LogContent> logs() {
        List<LogContent> logs = new ArrayList<>();
        for (Path file : files()) {
            if (file.toString().endsWith(".tlog")) {
                continue;
            }
            assertThat(file.toString()).endsWith(".ulg");
            try {
                logs.add(LogContent.of(file.toString(), Files.readAllBytes(file)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return logs;
    }

    public List<Path> files() {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            // Hidden: the lock, and the notes beside files being written.
            return entries.filter(file -> !String.valueOf(file.getFileName()).startsWith("."))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops as SIGTERM does; returns the time that it took. */
    public Duration stop() {
        long startNs = System.nanoTime();
        closed = true;
        daemon.close();
        return Duration.ofNanos(System.nanoTime() - startNs);
    }

    @Override
    public void close() {
        if (!closed) {
            stop();
        }
    }
}
