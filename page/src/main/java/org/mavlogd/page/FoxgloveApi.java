package org.mavlogd.page;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.mavlogd.foxglove.FoxgloveServer;
import org.mavlogd.foxglove.Logs;
import org.mavlogd.foxglove.Opening;
import org.mavlogd.page.Catalogue.Entry;
import org.mavlogd.page.Catalogue.State;
import org.mavlogd.series.SeriesStore.Source;
import org.mavlogd.series.SeriesStore.Wanted;
import org.mavlogd.store.LogKind;

/** The address {@code /foxglove}: upgrades a request to a WebSocket that shows a log. */
final class FoxgloveApi implements AutoCloseable {
    private static final double SLOWEST = 0.01;
    private static final double FASTEST = 100;
    private static final String SUB_PROTOCOLS = "Sec-WebSocket-Protocol";

    private final Catalogue catalogue;
    private final LogReader reader;
    private final Workers plots;
    private final FoxgloveServer server;

    /** @param plots owns the reader */
    FoxgloveApi(Catalogue catalogue, LogReader reader, Workers plots, FoxgloveServer server) {
        this.catalogue = catalogue;
        this.reader = reader;
        this.plots = plots;
        this.server = server;
    }

    /** ULogs of a catalogue while they are being written; ArduPilot's can only be converted when they are finished. */
    static Logs growing(Catalogue catalogue) {
        return new Logs() {
            @Override
            public Optional<String> recording() throws IOException {
                return catalogue.recording(LogKind.ULG);
            }

            @Override
            public Source source(String name) throws IOException {
                try {
                    Entry log = catalogue.find(name);
                    return new Source(log.file(), log.state() == State.RECORDING);
                } catch (Problem e) {
                    throw new NoSuchFileException(name);
                }
            }
        };
    }

    void open(RoutingContext context) {
        HttpServerRequest request = context.request();
        if (!isWanted(request)) {
            throw new Problem(400, "this address needs a WebSocket of sub-protocol " + FoxgloveServer.PROTOCOL);
        }
        if (server.isFull()) {
            throw new Problem(503, "there are " + FoxgloveServer.MAX_CLIENTS + " clients already");
        }
        String name = parameter(context, "log").orElse("");
        double speed = speed(parameter(context, "speed").orElse("1"));
        // Data that the client sends meanwhile must wait.
        request.pause();
        context.addEndHandler(answered -> request.resume());
        if (name.isEmpty()) {
            accept(context, new Opening("", Optional.empty(), speed));
        } else {
            plots.run(context, wanted -> opening(name, speed, wanted), opening -> accept(context, opening));
        }
    }

    private static boolean isWanted(HttpServerRequest request) {
        String protocols = String.join(",", request.headers().getAll(SUB_PROTOCOLS));
        return "websocket".equalsIgnoreCase(request.getHeader("Upgrade"))
                && Arrays.stream(protocols.split(",", -1)).map(String::strip).anyMatch(FoxgloveServer.PROTOCOL::equals);
    }

    private Opening opening(String name, double speed, Wanted wanted) throws IOException {
        Entry log = catalogue.find(name);
        boolean isLive = log.state() == State.RECORDING && log.kind() == LogKind.ULG;
        return new Opening(name, isLive ? Optional.empty() : Optional.of(reader.plain(log, wanted)), speed);
    }

    private void accept(RoutingContext context, Opening opening) {
        context.request()
                .toWebSocket()
                .onSuccess((ServerWebSocket socket) -> server.accept(socket, opening))
                .onFailure(context::fail);
    }

    private static Optional<String> parameter(RoutingContext context, String name) {
        List<String> values = context.queryParam(name);
        if (values.size() > 1) {
            throw new Problem(400, name + " is there " + values.size() + " times; give it once");
        }
        return values.stream().findFirst();
    }

    private static double speed(String text) {
        if (text.matches("[0-9]{1,3}(\\.[0-9]{1,3})?")) {
            double speed = Double.parseDouble(text);
            if (speed >= SLOWEST && speed <= FASTEST) {
                return speed;
            }
        }
        throw new Problem(400, "speed must be a number from 0.01 to 100");
    }

    @Override
    public void close() {
        server.close();
    }
}
