package org.mavlogd.foxglove;

import io.vertx.core.Vertx;
import io.vertx.core.http.ServerWebSocket;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** The clients that view logs by WebSocket. Owned by the event loop, except for the end of a client's thread. */
public final class FoxgloveServer implements AutoCloseable {
    /** The protocol that clients must offer, perhaps among others. */
    public static final String PROTOCOL = "foxglove.websocket.v1";

    public static final int MAX_CLIENTS = 4;

    private static final short TRY_LATER = 1013;
    private static final short GOING_AWAY = 1001;

    private final Vertx vertx;
    private final String name;
    private final Logs logs;
    private final Set<Client> clients = ConcurrentHashMap.newKeySet();

    /** A connected client. */
    private record Client(Outbox out, Session session) {
        void close() {
            out.close();
            session.ring();
        }
    }

    /** @param name name and version of this program */
    public FoxgloveServer(Vertx vertx, String name, Logs logs) {
        this.vertx = vertx;
        this.name = name;
        this.logs = logs;
    }

    /** Whether the maximum of clients is reached. */
    public boolean isFull() {
        return clients.size() >= MAX_CLIENTS;
    }

    /** Starts to show a log. */
    public void accept(ServerWebSocket socket, Opening opening) {
        if (isFull()) {
            socket.close(TRY_LATER, "there are " + MAX_CLIENTS + " clients already");
            return;
        }
        Outbox out = new Outbox(socket, vertx.getOrCreateContext());
        Subscriptions subscriptions = new Subscriptions();
        Client client = new Client(out, new Session(logs, opening, out, subscriptions));
        clients.add(client);
        ClientMessages messages = new ClientMessages(subscriptions, out::answer, client.session()::ring);
        socket.textMessageHandler(messages::onText);
        socket.binaryMessageHandler(bytes -> messages.onBinary());
        socket.exceptionHandler(broken -> client.close());
        socket.closeHandler(closed -> client.close());
        out.text(Protocol.serverInfo(name, opening.log(), UUID.randomUUID().toString()));
        Thread thread = new Thread(() -> run(client), "page-foxglove");
        thread.setDaemon(true);
        thread.start();
    }

    private void run(Client client) {
        try {
            client.session().run();
        } finally {
            clients.remove(client);
        }
    }

    @Override
    public void close() {
        for (Client client : clients) {
            client.out().end(GOING_AWAY, "the page ends");
            client.session().ring();
        }
    }
}
