package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.app.FlyingVehicle;
import org.mavlogd.app.JsonTree;
import org.mavlogd.app.RunningDaemon;
import org.mavlogd.app.VehicleWire;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.status.StatusClient;
import org.mavlogd.status.StatusView;

/** {@code mavlogd status} with a running recorder, one with problems, and none. */
@Timeout(120)
class StatusCommandSystemTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final int port = FreePorts.udp();
    private final Shell shell = new Shell("status");

    private RunningDaemon daemon() {
        RunningDaemon daemon = RunningDaemon.in(directory.resolve("logs"))
                .udpListen("air", port)
                .silenceS(2)
                .start();
        await("status server", () -> daemon.httpPort().isPresent());
        return daemon;
    }

    @Test
    void tellsPeopleAndScriptsHowRecordingGoes() throws Exception {
        try (RunningDaemon daemon = daemon();
                FlyingVehicle vehicle =
                        fly(VehicleWire.udpTo(port), fastVehicle().loops(true).startsArmed(true))) {
            String at = "127.0.0.1:" + daemon.httpPort().orElseThrow();
            // The vehicle's state is published shortly after its first chunks are stored.
            await(
                    "data",
                    () -> daemon.chunks() > 500
                            && shell.run("--at", at) == 0
                            && shell.out().contains("  recording  heard "));

            assertThat(shell.out().lines().toList())
                    .satisfiesExactly(
                            line -> assertThat(line).startsWith("mavlogd ").endsWith(", no problems"),
                            line -> assertThat(line).startsWith("link       air  up  udp 127.0.0.1:"),
                            line -> assertThat(line).startsWith("vehicle    PX4 1 on air  armed  recording  heard "),
                            line -> assertThat(line)
                                    .startsWith("recording  vehicle 1  ")
                                    .contains("lost 0  ")
                                    .endsWith(".ulg"),
                            line -> assertThat(line)
                                    .startsWith("disk       ok  ")
                                    .endsWith(directory.resolve("logs").toString()));
            assertThat(shell.err()).isEmpty();

            assertThat(shell.run("--json", "--at", at)).isZero();
            assertThat(JsonTree.read(shell.out())).containsEntry("schema", 1L).containsEntry("health", "ok");

            vehicle.losesAll(true);

            await("problem", () -> shell.run("--at", at) == 3);
            assertThat(shell.out())
                    .contains("armed  silent", "1 problem\n", "problem    vehicle 1 on air: no longer heard");
            assertThat(shell.run("--json", "--at", at)).isEqualTo(3);
        }
    }

    /** The command watches until the recorder ends, and reports its end. */
    @Test
    void watchesUntilTheRecorderEnds() throws Exception {
        try (RunningDaemon daemon = daemon()) {
            String at = "127.0.0.1:" + daemon.httpPort().orElseThrow();
            int[] code = {-1};
            Thread watching = new Thread(() -> code[0] = shell.run("--json", "--watch", "--at", at));
            watching.start();
            await("two documents", () -> shell.out().lines().count() >= 2);

            daemon.stop();

            watching.join(50_000);
            assertThat(code[0]).isEqualTo(1);
            assertThat(shell.err()).contains("no recorder answers at http://" + at);
            for (String line : shell.out().lines().toList()) {
                assertThat(JsonTree.read(line)).containsEntry("schema", 1L);
            }
        }
    }

    @Test
    void findsTheRecorderByItsConfiguration() throws Exception {
        try (RunningDaemon daemon = daemon()) {
            Path config = Files.writeString(
                    directory.resolve("mavlogd.toml"),
                    "[http]\nlisten = \"0.0.0.0:" + daemon.httpPort().orElseThrow() + "\"\n");

            assertThat(shell.run("--config", config)).isZero();
        }
        Path silent = Files.writeString(directory.resolve("silent.toml"), "[http]\nlisten = \"\"\n");
        assertThat(shell.run("--config", silent)).isEqualTo(1);
        assertThat(shell.err()).contains("serves no status");
        Path wrong = Files.writeString(directory.resolve("wrong.toml"), "[http]\nlisten = 5\n");
        assertThat(shell.run("--config", wrong)).isEqualTo(78);
        assertThat(shell.err()).contains("wrong.toml:2:1: http.listen");
    }

    /** The token of the configuration opens the status; without it, or with another one, only the reason is shown. */
    @Test
    void showsTheTokenOfTheConfigurationToTheRecorder() throws Exception {
        String secret = "0123456789abcdef-recorder";
        try (RunningDaemon daemon = RunningDaemon.in(directory.resolve("logs"))
                .udpListen("air", port)
                .token(secret)
                .start()) {
            await("status server", () -> daemon.httpPort().isPresent());
            int httpPort = daemon.httpPort().orElseThrow();

            assertThat(shell.run("--config", config("right", httpPort, secret + "\n")))
                    .as(shell.err())
                    .isZero();
            assertThat(shell.out()).startsWith("mavlogd ").contains("link       air  ");

            for (Object[] words : List.of(
                    new Object[] {"--config", config("wrong", httpPort, "fedcba9876543210-another")},
                    new Object[] {"--config", config("none", httpPort, "")},
                    new Object[] {"--at", "127.0.0.1:" + httpPort})) {
                assertThat(shell.run(words)).isEqualTo(1);
                assertThat(shell.out()).isEmpty();
                assertThat(shell.err())
                        .contains("status 401: the token of [http] token_file is missing or wrong")
                        .doesNotContain(secret, "fedcba9876543210")
                        .hasLineCount(1);
            }
        }
    }

    /** A token file that others can read, or that does not exist, is refused before the recorder is asked. */
    @Test
    void refusesATokenFileThatIsNoSecretOrNotThere() throws Exception {
        Path open = config("open", FreePorts.tcp(), "0123456789abcdef-recorder");
        Files.setPosixFilePermissions(directory.resolve("open.token"), PosixFilePermissions.fromString("rw-r--r--"));
        Path missing = config("missing", FreePorts.tcp(), "0123456789abcdef-recorder");
        Files.delete(directory.resolve("missing.token"));

        assertThat(shell.run("--config", open)).isEqualTo(78);
        assertThat(shell.err())
                .contains("open.toml:3:1: http.token_file", "open.token")
                .doesNotContain("0123456789abcdef");
        assertThat(shell.run("--config", missing)).isEqualTo(1);
        assertThat(shell.err()).contains("missing.token: no such file");
    }

    /** @param token empty for a configuration without a token */
    private Path config(String name, int httpPort, String token) throws IOException {
        String text = "[http]\nlisten = \"127.0.0.1:" + httpPort + "\"\n";
        if (!token.isEmpty()) {
            Path file = Files.writeString(directory.resolve(name + ".token"), token);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            text += "token_file = \"" + file + "\"\n";
        }
        return Files.writeString(directory.resolve(name + ".toml"), text);
    }

    @Test
    void wrongUsageIsToldInOneLine() {
        for (List<String> words : List.of(
                List.of("--watch", "0"),
                List.of("--watch", "3601"),
                List.of("--at", "nowhere"),
                List.of("--at", "127.0.0.1:9", "--config", "x"))) {
            assertThat(shell.run(words.toArray())).as("%s", words).isEqualTo(2);
            assertThat(shell.err().lines()).hasSize(1);
        }
    }

    @Test
    void whatIsNoRecorderIsRefusedWithAReason() throws Exception {
        int dead = FreePorts.tcp();
        assertThat(shell.run("--at", "127.0.0.1:" + dead)).isEqualTo(1);
        assertThat(shell.err()).contains("no recorder answers at http://127.0.0.1:" + dead, "systemctl status mavlogd");

        Map<String, String> answers = Map.of(
                "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
                        "status 404: it is not mavlogd, or an older version",
                "HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n", "status 401: the token",
                "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n<htm", "the answer is not a status",
                "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{\"schema\":", "the answer is not a status");
        for (Map.Entry<String, String> answer : answers.entrySet()) {
            try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
                Thread answering = new Thread(() -> answer(server, answer.getKey()));
                answering.start();
                assertThat(shell.run("--at", "127.0.0.1:" + server.getLocalPort()))
                        .isEqualTo(1);
                assertThat(shell.err()).contains(answer.getValue());
                answering.join(50_000);
            }
        }
    }

    private static void answer(ServerSocket server, String text) {
        try (Socket client = server.accept()) {
            byte[] request = new byte[4096];
            assertThat(client.getInputStream().read(request)).isPositive();
            client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void linesFitTheTerminalAndMissingFieldsDoNoHarm() throws Exception {
        StatusView view = new StatusView();
        String first =
                "{\"time\":{\"epoch_ms\":1000},\"recordings\":[{\"source\":\"vehicle\",\"system_id\":7,\"link\":\"a\","
                        + "\"duration_ms\":5000,\"files\":[{\"kind\":\"ulg\",\"file\":\"f.ulg\",\"vehicle_bytes\":1000}]}]}";
        String second = first.replace("epoch_ms\":1000", "epoch_ms\":3000").replace("bytes\":1000", "bytes\":9000");

        assertThat(view.lines(StatusClient.parse(first), 200))
                .anyMatch(line -> line.startsWith("recording  vehicle 7  1"));
        assertThat(view.lines(StatusClient.parse(second), 200))
                .anyMatch(line -> line.startsWith("recording  vehicle 7  4.0 KB/s  9"));
        assertThat(view.lines(StatusClient.parse(second.replace("f.ulg", "")), 200))
                .anyMatch(line -> line.endsWith("  lost 0  no file"));
        assertThat(view.lines(StatusClient.parse(second.replace("\"f.ulg\"", "\"f.ulg\",\"duration_ms\":2000")), 200))
                .as("of a file that began later than its log")
                .anyMatch(line -> line.contains(" in 2.0 s  lost 0  f.ulg"));
        assertThat(view.lines(StatusClient.parse(second), 30))
                .allMatch(line -> line.length() <= 30)
                .anyMatch(line -> line.endsWith("…"));
        assertThat(view.lines(StatusClient.parse("{}"), 80)).hasSize(3);
    }

    @Test
    void aVehicleIsNotRecordingWhileTheDiskIsFull() throws IOException {
        String status =
                "{\"vehicles\":[{\"autopilot\":\"PX4\",\"system_id\":1,\"link\":\"a\",\"state\":\"recording\"}],"
                        + "\"disk\":{\"state\":\"STATE\"}}";

        assertThat(vehicleLine(status.replace("STATE", "ok"))).contains("  recording  heard ");
        assertThat(vehicleLine(status.replace("STATE", "paused"))).contains("  paused  heard ");
    }

    private static String vehicleLine(String status) throws IOException {
        return new StatusView()
                .lines(StatusClient.parse(status), 200).stream()
                        .filter(line -> line.startsWith("vehicle "))
                        .findAny()
                        .orElseThrow();
    }
}
