package org.mavlogd.page;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mavlogd.config.PageSettings;
import org.mavlogd.text.Words;

/**
 * The logs on vehicles' cards: forwards the operator's requests to the recorder, which has the link and fetches the
 * logs. This process needs no link and writes nothing. Event loop.
 */
final class CardLogs {
    private static final String PATH = "/api/v1/fetch";
    private static final int BAD_REQUEST = 400;
    private static final int BAD_GATEWAY = 502;
    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;
    private static final int MAX_REASON = 200;
    private static final int MAX_LINK = 100;
    private static final int MAX_IDS = 100;
    private static final int MAX_ID = 65_535;

    private final RecorderClient client;
    private final Optional<PageSettings.Recorder> recorder;

    CardLogs(RecorderClient client, Optional<PageSettings.Recorder> recorder) {
        this.client = client;
        this.recorder = recorder;
    }

    /** The reason why logs cannot be fetched at all; empty if they can. */
    String refusal() {
        if (recorder.isEmpty()) {
            return "no recorder is configured for this page";
        }
        return recorder.get().commandToken().isEmpty()
                ? "the recorder takes no commands: set command_token_file in [http], and restart mavlogd and mavlogd-page"
                : "";
    }

    /** The vehicles, and their current downloads. */
    void overview(RoutingContext request) {
        pass(request, HttpMethod.GET, PATH);
    }

    /** The latest list of one vehicle. */
    void logs(RoutingContext request) {
        Vehicle vehicle = new Vehicle(
                request.request().getParam("link", ""),
                number(request.request().getParam("system_id", "")),
                number(request.request().getParam("component_id", "")));
        pass(request, HttpMethod.GET, PATH + "/logs?" + vehicle.query());
    }

    /** Requests a new list of a vehicle. */
    void list(RoutingContext request) {
        pass(request, HttpMethod.POST, PATH + "/list?" + vehicle(body(request)).query());
    }

    void cancel(RoutingContext request) {
        pass(
                request,
                HttpMethod.POST,
                PATH + "/cancel?" + vehicle(body(request)).query());
    }

    /** Fetches some logs of a list. */
    void start(RoutingContext request) {
        JsonObject body = body(request);
        String query = vehicle(body).query() + "&list=" + integer(body, "list") + "&ids=" + ids(body);
        pass(request, HttpMethod.POST, PATH + "/start?" + query);
    }

    /** A vehicle as the recorder names it; validated, so that it adds only numbers and encoded words to a query. */
    private record Vehicle(String link, int systemId, int componentId) {
        Vehicle {
            if (link.isEmpty() || link.length() > MAX_LINK || systemId < 0 || componentId < 0) {
                throw new Problem(BAD_REQUEST, "link, system_id and component_id must name a vehicle");
            }
        }

        String query() {
            return "link=" + URLEncoder.encode(link, StandardCharsets.UTF_8) + "&system_id=" + systemId
                    + "&component_id=" + componentId;
        }
    }

    private static Vehicle vehicle(JsonObject body) {
        Object link = body.getValue("link");
        return new Vehicle(
                link instanceof String text ? text : "", integer(body, "system_id"), integer(body, "component_id"));
    }

    private static JsonObject body(RoutingContext request) {
        try {
            JsonObject body = request.body().asJsonObject();
            if (body != null) {
                return body;
            }
        } catch (RuntimeException e) {
            // not JSON, or not an object
        }
        throw new Problem(BAD_REQUEST, "the body must be a JSON object");
    }

    /** The value; -1 if it is missing or out of range. */
    private static int integer(JsonObject body, String name) {
        return body.getValue(name) instanceof Integer number && number >= 0 ? number : -1;
    }

    private static int number(String text) {
        return text.matches("\\d{1,9}") ? Integer.parseInt(text) : -1;
    }

    private static String ids(JsonObject body) {
        List<String> ids = new ArrayList<>();
        if (body.getValue("ids") instanceof JsonArray array && array.size() <= MAX_IDS) {
            for (Object id : array) {
                if (id instanceof Integer number && number >= 0 && number <= MAX_ID) {
                    ids.add(number.toString());
                }
            }
            if (!ids.isEmpty() && ids.size() == array.size()) {
                return String.join(",", ids);
            }
        }
        throw new Problem(BAD_REQUEST, "ids must be 1 to " + MAX_IDS + " numbers from 0 to " + MAX_ID);
    }

    private void pass(RoutingContext request, HttpMethod method, String path) {
        String refusal = refusal();
        if (!refusal.isEmpty()) {
            throw new Problem(409, refusal);
        }
        PageSettings.Recorder to = recorder.orElseThrow();
        client.send(to, method, path, to.commandToken())
                .onSuccess(answer -> answer(request, answer))
                .onFailure(failure -> request.fail(new Problem(
                        BAD_GATEWAY,
                        "the recorder does not answer: "
                                + Words.line(String.valueOf(failure.getMessage()), MAX_REASON))));
    }

    private static void answer(RoutingContext request, RecorderClient.Answer answer) {
        boolean isJson = answer.body().length() > 0 && answer.body().getByte(0) == '{';
        if (answer.status() == UNAUTHORIZED || (answer.status() == NOT_FOUND && !isJson)) {
            request.fail(new Problem(
                    BAD_GATEWAY,
                    "the recorder refuses the page's commands: restart mavlogd after command_token_file was changed"));
        } else if (!isJson) {
            request.fail(new Problem(BAD_GATEWAY, "the recorder answers with status " + answer.status()));
        } else {
            Answers.json(request, answer.status(), answer.body().getBytes());
        }
    }
}
