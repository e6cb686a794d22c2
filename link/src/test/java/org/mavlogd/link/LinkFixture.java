package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.mavlogd.computer.PromisedTime;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.Peer;

/** A started link with its listener and counters. */
final class LinkFixture implements AutoCloseable {
    /** The promised time within which a returning peer or device is used again. */
    static final Duration RETURN_LIMIT = PromisedTime.of(Duration.ofSeconds(1));

    final RecordingListener listener = new RecordingListener();
    final LinkCounters counters;
    final Link link;

    LinkFixture(LinkSettings settings, NetworkIo io) {
        counters = LinkCounters.register(new Metrics(), settings.name());
        link = Links.create(settings, listener, counters, io);
    }

    LinkFixture started() {
        link.start();
        return this;
    }

    /** Sends from the link's thread to its first peer. */
    void send(String text) {
        link.execute(() -> listener.peers.get(0).send(bytes(text), 0, text.length()));
    }

    /** Ranks the peer as a listener does, and returns when the link has applied it. */
    void rank(Peer peer, Peer.Rank rank) {
        CountDownLatch told = new CountDownLatch(1);
        link.execute(() -> {
            peer.rank(rank);
            told.countDown();
        });
        await(() -> told.getCount() == 0);
    }

    @Override
    public void close() {
        long startNs = System.nanoTime();
        link.close();
        // It must not hang. Threads that wait for a busy processor may take seconds.
        assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(PromisedTime.of(Duration.ofSeconds(5)));
        assertThat(link.status().state()).isEqualTo(Link.Status.State.CLOSED);
        assertThat(listener.brokenRule).isEmpty();
        assertThat(listener.ups.get()).isEqualTo(listener.downs.get());
        // That which sends through a serial port acts for the other while that cannot.
        assertThat(listener.threads).isSubsetOf("link-" + link.name(), "link-" + link.name() + "-tx");
    }

    static void await(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(50))
                .pollInterval(Duration.ofMillis(2))
                .until(condition);
    }

    /** Waits at most the time within which a link must recover. */
    static void awaitReturn(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(RETURN_LIMIT)
                .pollInterval(Duration.ofMillis(2))
                .until(condition);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static InetAddress loopback() {
        return InetAddress.getLoopbackAddress();
    }
}
