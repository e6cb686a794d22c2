package org.mavlogd.wiring;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.control.Endpoint;
import org.mavlogd.control.HttpSettings;
import org.mavlogd.control.StatusServer;
import org.mavlogd.memory.Requester;

/**
 * The last stage: pages about all others, if any are wanted. Recording matters more than they do, so an error while they start is
 * contained. Started and closed by one thread.
 */
final class Pages implements AutoCloseable {
    private final HttpSettings settings;
    private final SharedParts shared;
    private final ContainedPart part;
    private final Supplier<List<Endpoint>> content;
    private @Nullable StatusServer server;

    Pages(HttpSettings settings, SharedParts shared, ContainedPart part, Supplier<List<Endpoint>> content) {
        this.settings = settings;
        this.shared = shared;
        this.part = part;
        this.content = content;
    }

    void start() {
        settings.listen().ifPresent(this::start);
    }

    private void start(InetSocketAddress address) {
        try {
            StatusServer started = new StatusServer(
                    address.getHostString(),
                    address.getPort(),
                    settings.token(),
                    content.get(),
                    shared.metrics(),
                    shared.memory().share(Requester.HTTP_CLIENT));
            server = started;
            started.start();
        } catch (Throwable e) {
            part.contain(e);
        }
    }

    /** Empty while there are none. */
    Optional<InetSocketAddress> address() {
        StatusServer running = server;
        return running == null ? Optional.empty() : running.address();
    }

    @Override
    public void close() {
        StatusServer running = server;
        if (running != null) {
            running.close();
        }
    }
}
