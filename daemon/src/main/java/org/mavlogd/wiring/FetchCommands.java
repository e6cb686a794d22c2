package org.mavlogd.wiring;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.mavlogd.control.Endpoint;
import org.mavlogd.fetch.FetchChannel;
import org.mavlogd.fetch.FetchChannels;
import org.mavlogd.fetch.FetchStatus;
import org.mavlogd.fetch.FetchStore;
import org.mavlogd.fetch.FetchTarget;
import org.mavlogd.fetch.FetchedLogName;
import org.mavlogd.fetch.RemoteLog;

/**
 * The logs on vehicles' cards for clients with the command token, such as {@code mavlogd page}: their list, the state
 * of fetching, and the commands to list, fetch and cancel. Documented in {@code docs/fetch.md}. Control thread; it only
 * reads the status of other threads, and passes on requests.
 */
final class FetchCommands {
    static final String PATH = "/api/v1/fetch";

    private static final Pattern IDS = Pattern.compile("\\d{1,5}(,\\d{1,5}){0," + (FetchChannel.MAX_CHOSEN - 1) + "}");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
    private static final int CONFLICT = 409;

    private final FetchChannels channels;
    private final FetchStore store;

    /** @param store shows which logs are stored already */
    FetchCommands(FetchChannels channels, FetchStore store) {
        this.channels = channels;
        this.store = store;
    }

    List<Endpoint> endpoints() {
        return List.of(
                new Command(PATH, Endpoint.Access.COMMAND_STATUS, request -> Endpoint.Response.json(200, overview())),
                new Command(PATH + "/logs", Endpoint.Access.COMMAND_STATUS, request -> with(request, this::logs)),
                new Command(
                        PATH + "/list",
                        Endpoint.Access.COMMAND,
                        request -> with(request, (channel, asked) -> answer(channel.list()))),
                new Command(PATH + "/start", Endpoint.Access.COMMAND, request -> with(request, this::start)),
                new Command(
                        PATH + "/cancel",
                        Endpoint.Access.COMMAND,
                        request -> with(request, (channel, asked) -> answer(channel.cancel()))));
    }

    private record Command(String path, Access access, Function<Endpoint.Request, Endpoint.Response> content)
            implements Endpoint {
        @Override
        public Response respond() {
            return respond(Request.PLAIN);
        }

        @Override
        public Response respond(Request request) {
            return content.apply(request);
        }
    }

    /** Finds the vehicle that a request names by {@code link}, {@code system_id} and {@code component_id}. */
    private Endpoint.Response with(
            Endpoint.Request request, BiFunction<FetchChannel, Endpoint.Request, Endpoint.Response> then) {
        String link = request.parameters().getOrDefault("link", "");
        int system = number(request, "system_id");
        int component = number(request, "component_id");
        if (link.isEmpty() || system < 0 || component < 0) {
            return error(400, "link, system_id and component_id must name a vehicle");
        }
        Optional<FetchChannel> channel = channels.find(link, system, component);
        return channel.isPresent()
                ? then.apply(channel.get(), request)
                : error(404, "vehicle " + system + " is not heard on that link; it must have been heard once");
    }

    /** -1 if it is missing or not a number. */
    private static int number(Endpoint.Request request, String name) {
        String text = request.parameters().getOrDefault(name, "");
        return NUMBER.matcher(text).matches() ? Integer.parseInt(text) : -1;
    }

    private Endpoint.Response start(FetchChannel channel, Endpoint.Request request) {
        String text = request.parameters().getOrDefault("ids", "");
        int listing = number(request, "list");
        if (!IDS.matcher(text).matches() || listing < 0) {
            return error(
                    400,
                    "ids must be 1 to " + FetchChannel.MAX_CHOSEN
                            + " numbers separated by commas, and list the number of their list");
        }
        List<Integer> ids = new ArrayList<>();
        for (String id : text.split(",", -1)) {
            ids.add(Integer.parseInt(id));
        }
        return answer(channel.fetch(listing, ids));
    }

    private static Endpoint.Response answer(String refusal) {
        return refusal.isEmpty()
                ? Endpoint.Response.json(202, JsonDocument.of(json -> json.writeBooleanField("accepted", true)))
                : error(CONFLICT, refusal);
    }

    private static Endpoint.Response error(int status, String why) {
        return Endpoint.Response.json(status, JsonDocument.of(json -> json.writeStringField("error", why)));
    }

    private String overview() {
        return JsonDocument.of(json -> {
            json.writeArrayFieldStart("vehicles");
            for (FetchChannel channel : channels.all()) {
                FetchStatus status = channel.status();
                if (status.isOurs()) {
                    vehicle(json, status);
                }
            }
            json.writeEndArray();
        });
    }

    private void vehicle(JsonGenerator json, FetchStatus status) throws IOException {
        FetchTarget vehicle = status.vehicle();
        FetchStatus.Run run = status.run();
        json.writeStartObject();
        json.writeStringField("link", status.link());
        json.writeNumberField("system_id", vehicle.systemId());
        json.writeNumberField("component_id", vehicle.componentId());
        json.writeStringField("autopilot", vehicle.isArduPilot() ? "ArduPilot" : "PX4");
        json.writeBooleanField("armed", status.isArmed());
        json.writeBooleanField("heard", status.isHeard());
        json.writeNumberField("list", status.listing().number());
        json.writeStringField("state", !status.isRunning() ? "idle" : run.isListed() ? "fetching" : "listing");
        json.writeStringField("reason", run.isRequested() ? "request" : "flight");
        json.writeStringField("problem", run.problem());
        json.writeNumberField("bytes_per_s", run.bytesPerS());
        json.writeArrayFieldStart("items");
        for (FetchStatus.Item item : run.items()) {
            item(json, vehicle, item);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void item(JsonGenerator json, FetchTarget vehicle, FetchStatus.Item item) throws IOException {
        FetchStore.Stored stored = store.stored(vehicle, item.log());
        boolean hasArrived = item.phase() == FetchStatus.Phase.ARRIVED;
        boolean hasFailed = hasArrived && !stored.problem().isEmpty();
        String state = hasArrived && stored.isWhole()
                ? "complete"
                : hasFailed
                        ? "incomplete"
                        : hasArrived ? "storing" : item.phase().name().toLowerCase(Locale.ROOT);
        json.writeStartObject();
        json.writeNumberField("id", item.log().id());
        json.writeStringField("name", stored.name());
        json.writeNumberField("size", item.log().length());
        json.writeNumberField("done", item.doneBytes());
        json.writeStringField("state", state);
        json.writeStringField("problem", hasFailed ? stored.problem() : item.why());
        json.writeEndObject();
    }

    private Endpoint.Response logs(FetchChannel channel, Endpoint.Request request) {
        FetchStatus status = channel.status();
        return Endpoint.Response.json(200, JsonDocument.of(json -> {
            json.writeNumberField("list", status.listing().number());
            json.writeNumberField("omitted", status.listing().omitted());
            json.writeArrayFieldStart("logs");
            for (RemoteLog log : status.listing().logs()) {
                log(json, status.vehicle(), log);
            }
            json.writeEndArray();
        }));
    }

    private void log(JsonGenerator json, FetchTarget vehicle, RemoteLog log) throws IOException {
        FetchStore.Stored stored = store.stored(vehicle, log);
        json.writeStartObject();
        json.writeNumberField("id", log.id());
        json.writeNumberField("size", log.length());
        if (FetchedLogName.isTime(log.utcS())) {
            json.writeStringField("utc", Instant.ofEpochSecond(log.utcS()).toString());
        }
        json.writeStringField("path", log.path());
        json.writeStringField("name", stored.name());
        json.writeStringField("here", stored.isWhole() ? "complete" : stored.isPart() ? "part" : "no");
        json.writeEndObject();
    }
}
