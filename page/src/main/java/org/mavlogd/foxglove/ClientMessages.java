package org.mavlogd.foxglove;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.function.Consumer;
import org.mavlogd.foxglove.Protocol.Level;
import org.mavlogd.text.Words;

/** Handles the requests of a client, and reports errors to it. Owned by the event loop. */
final class ClientMessages {
    private static final long MAX_ID = 0xFFFF_FFFFL;
    private static final int MAX_TEXT = 100;

    private final Subscriptions subscriptions;
    private final Consumer<String> answer;
    private final Runnable changed;

    /** @param changed called after each subscription */
    ClientMessages(Subscriptions subscriptions, Consumer<String> answer, Runnable changed) {
        this.subscriptions = subscriptions;
        this.answer = answer;
        this.changed = changed;
    }

    void onText(String text) {
        JsonObject message;
        try {
            message = new JsonObject(text);
        } catch (DecodeException e) {
            refuse("a message must be an object in JSON");
            return;
        }
        Object op = message.getValue("op");
        if ("subscribe".equals(op)) {
            each(message, "subscriptions", this::subscribe);
        } else if ("unsubscribe".equals(op)) {
            each(message, "subscriptionIds", this::unsubscribe);
        } else {
            refuse("\"" + Words.line(String.valueOf(op), MAX_TEXT)
                    + "\" is not supported: this server only shows logs");
            return;
        }
        changed.run();
    }

    void onBinary() {
        refuse("messages and calls of clients are not supported: this server only shows logs");
    }

    private void each(JsonObject message, String list, Consumer<Object> action) {
        if (message.getValue(list) instanceof JsonArray items) {
            for (int i = 0; i < items.size(); i++) {
                action.accept(items.getValue(i));
            }
        } else {
            refuse(list + " must be an array");
        }
    }

    private void subscribe(Object item) {
        if (item instanceof JsonObject wish) {
            long id = id(wish.getValue("id"));
            long channel = id(wish.getValue("channelId"));
            if (id >= 0 && channel >= 0) {
                refuse(subscriptions.subscribe(id, channel));
                return;
            }
        }
        refuse("a subscription must have id and channelId, numbers from 0 to " + MAX_ID);
    }

    private void unsubscribe(Object item) {
        long id = id(item);
        if (id >= 0) {
            refuse(subscriptions.unsubscribe(id));
        } else {
            refuse("a subscription's id must be a number from 0 to " + MAX_ID);
        }
    }

    /** The id; -1 if it is invalid. */
    private static long id(Object value) {
        if (value instanceof Number number && number.doubleValue() == number.longValue()) {
            long id = number.longValue();
            return id >= 0 && id <= MAX_ID ? id : -1;
        }
        return -1;
    }

    private void refuse(Optional<String> problem) {
        problem.ifPresent(this::refuse);
    }

    private void refuse(String problem) {
        answer.accept(Protocol.status(Level.ERROR, problem));
    }
}
