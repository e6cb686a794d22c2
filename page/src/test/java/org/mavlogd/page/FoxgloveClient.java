package org.mavlogd.page;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.mavlogd.foxglove.FoxgloveServer;

/** A client of {@code foxglove.websocket.v1} that stores everything it receives. */
final class FoxgloveClient implements AutoCloseable, WebSocket.Listener {
    private static final Duration DEADLINE = Duration.ofSeconds(50);

    /** A message as received. */
    record Message(long subscription, long timeNs, ByteBuffer content) {}

    private final List<JsonObject> objects = new ArrayList<>();
    private final List<Message> messages = new ArrayList<>();
    private final List<Long> times = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private final java.io.ByteArrayOutputStream binary = new java.io.ByteArrayOutputStream();
    private final WebSocket socket;
    private long nextSubscription = 100;
    private boolean isClosed;

    FoxgloveClient(int port, String query, String... headers) {
        WebSocket.Builder builder = HttpClient.newHttpClient().newWebSocketBuilder();
        for (int i = 0; i < headers.length; i += 2) {
            builder.header(headers[i], headers[i + 1]);
        }
        socket = builder.subprotocols("something.else", FoxgloveServer.PROTOCOL)
                .buildAsync(URI.create("ws://127.0.0.1:" + port + "/foxglove" + query), this)
                .orTimeout(DEADLINE.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        text.append(data);
        if (last) {
            synchronized (this) {
                objects.add(new JsonObject(text.toString()));
            }
            text.setLength(0);
        }
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        binary.writeBytes(bytes);
        if (last) {
            take(ByteBuffer.wrap(binary.toByteArray()).order(ByteOrder.LITTLE_ENDIAN));
            binary.reset();
        }
        from.request(1);
        return null;
    }

    private synchronized void take(ByteBuffer frame) {
        switch (frame.get()) {
            case 1 -> messages.add(new Message(frame.getInt() & 0xFFFF_FFFFL, frame.getLong(), frame.slice()));
            case 2 -> times.add(frame.getLong());
            default -> throw new AssertionError("unknown frame");
        }
    }

    @Override
    public synchronized @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        isClosed = true;
        return null;
    }

    @Override
    public synchronized void onError(WebSocket from, Throwable error) {
        isClosed = true;
    }

    String subProtocol() {
        return socket.getSubprotocol();
    }

    void await(BooleanSupplier condition) {
        Awaitility.await().atMost(DEADLINE).pollInterval(Duration.ofMillis(5)).until(condition::getAsBoolean);
    }

    void send(String object) {
        socket.sendText(object, true).join();
    }

    void sendBinary(byte[] bytes) {
        socket.sendBinary(ByteBuffer.wrap(bytes), true).join();
    }

    /** Subscribes to channels by their topics. The first of all gets subscription id 100, the next 101, and so on. */
    void subscribe(String... topics) {
        JsonArray list = new JsonArray();
        for (String topic : topics) {
            list.add(new JsonObject()
                    .put("id", nextSubscription++)
                    .put("channelId", channel(topic).getLong("id")));
        }
        send(new JsonObject().put("op", "subscribe").put("subscriptions", list).encode());
    }

    JsonObject channel(String topic) {
        AtomicReference<@Nullable JsonObject> found = new AtomicReference<>();
        await(() -> {
            found.set(channels().get(topic)); // the next call may no longer find it
            return found.get() != null;
        });
        return Objects.requireNonNull(found.get());
    }

    /** The channels that are advertised now, by topic. */
    synchronized Map<String, JsonObject> channels() {
        Map<String, JsonObject> channels = new HashMap<>();
        for (JsonObject object : objects) {
            if ("advertise".equals(object.getString("op"))) {
                object.getJsonArray("channels").forEach(item -> {
                    JsonObject channel = (JsonObject) item;
                    channels.put(channel.getString("topic"), channel);
                });
            } else if ("unadvertise".equals(object.getString("op"))) {
                JsonArray gone = object.getJsonArray("channelIds");
                channels.values().removeIf(channel -> gone.contains(channel.getValue("id")));
            }
        }
        return channels;
    }

    synchronized List<JsonObject> objects() {
        return List.copyOf(objects);
    }

    /** Texts of the status messages of a level. */
    List<String> statuses(int level) {
        return objects().stream()
                .filter(object -> "status".equals(object.getString("op")) && object.getInteger("level") == level)
                .map(object -> object.getString("message"))
                .toList();
    }

    synchronized List<Message> messages(long subscription) {
        return messages.stream()
                .filter(message -> message.subscription() == subscription)
                .toList();
    }

    synchronized List<Long> times() {
        return List.copyOf(times);
    }

    synchronized boolean isClosed() {
        return isClosed;
    }

    @Override
    public void close() {
        socket.abort();
    }
}
