package org.mavlogd.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.config.RecorderAddress;
import org.mavlogd.config.UploadSettings.Order;

/** Nothing is sent while a vehicle is armed, or while its state is unknown. */
class PermissionTest {
    @TempDir
    private Path directory = Path.of(".");

    private final AtomicLong nowNs = new AtomicLong();
    private HttpServer recorder;
    private volatile String answer = "";
    private volatile int status = 200;

    @SuppressWarnings("NullAway.Init")
    PermissionTest() {}

    @BeforeEach
    void start() throws IOException {
        recorder = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
        recorder.createContext("/api/v1/status", exchange -> {
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        recorder.start();
    }

    @AfterEach
    void stop() {
        recorder.stop(0);
    }

    private String problem(boolean whileArmed, int port) {
        Permission permission = new Permission(
                whileArmed,
                Optional.of(new RecorderAddress("127.0.0.1", port, Optional.empty())),
                new FinishedLogs(directory, Order.NEWEST, true),
                nowNs::get);
        assertThat(permission.problem()).isNotEmpty();
        permission.look();
        String problem = permission.problem();
        nowNs.addAndGet(TimeUnit.SECONDS.toNanos(40));
        assertThat(permission.problem().isEmpty()).isEqualTo(whileArmed);
        return problem;
    }

    private String problem() {
        return problem(false, recorder.getAddress().getPort());
    }

    @Test
    void onlyDisarmedVehiclesAllowIt() {
        answer = "{\"vehicles\":[{\"system_id\":1,\"armed\":false},{\"system_id\":2,\"armed\":true}]}";
        assertThat(problem()).isEqualTo("vehicle 2 is armed");

        answer = "{\"vehicles\":[{\"system_id\":1,\"armed\":false}]}";
        assertThat(problem()).isEmpty();

        answer = "{\"vehicles\":[]}";
        assertThat(problem()).isEmpty();
    }

    @Test
    void whatIsNoStatusForbidsIt() {
        for (String other : new String[] {"", "{}", "[]", "{\"vehicles\":7}", "{\"vehicles\":[{\"armed\":tr"}) {
            answer = other;
            assertThat(problem()).as(other).isNotEmpty();
        }
        status = 401;
        assertThat(problem()).contains("token");
    }

    @Test
    void noRecorderAllowsItAndAllMayBeAllowed() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }
        assertThat(problem(false, free)).isEmpty();

        answer = "{\"vehicles\":[{\"system_id\":1,\"armed\":true}]}";
        assertThat(problem(true, recorder.getAddress().getPort())).isEmpty();
    }
}
