package org.mavlogd.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mavlogd.contain.UncaughtErrors;
import org.mavlogd.link.Link;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.LogEntryLayout;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.peer.LinkListener;
import org.mavlogd.peer.Peer;
import org.mavlogd.signing.Signing;

/** One conversation about logs over a link simulated by the test, with a vehicle at its far end. */
@Timeout(120)
class FetchLinkTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final LinkSettings SETTINGS = new LinkSettings.UdpConnect("fetch", "127.0.0.1", 1, true);

    /** A vehicle with empty logs only. */
    private static final class FakeVehicle implements Peer {
        private final FrameEncoder encoder = new FrameEncoder(1);
        private final byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        private final FrameDecoder decoder = new FrameDecoder(this::onFrame, FrameCounters.unregistered());
        private final Queue<byte[]> answers = new ConcurrentLinkedQueue<>();
        private final boolean isArmed;
        private final int logs;

        FakeVehicle(boolean isArmed, int logs) {
            this.isArmed = isArmed;
            this.logs = logs;
        }

        void sendHeartbeat() {
            byte[] payload = new byte[255];
            int length = new Heartbeat(2, Heartbeat.AUTOPILOT_PX4, isArmed ? 128 : 0, 0, Heartbeat.STATE_ACTIVE)
                    .encodePayload(payload);
            answer(MessageIds.HEARTBEAT, payload, length);
        }

        private void onFrame(FrameView request, long nowNs) {
            if (request.messageId() == MessageIds.LOG_REQUEST_LIST) {
                for (int id = 0; id < logs; id++) {
                    byte[] entry = new byte[LogEntryLayout.FULL_LENGTH];
                    LogEntryLayout.putId(entry, id);
                    LogEntryLayout.putNumLogs(entry, logs);
                    answer(MessageIds.LOG_ENTRY, entry, entry.length);
                }
            }
        }

        private void answer(int messageId, byte[] payload, int length) {
            int frameLength = encoder.encode(1, messageId, payload, length, frame, 0);
            answers.add(java.util.Arrays.copyOf(frame, frameLength));
        }

        @Override
        public String address() {
            return "fake";
        }

        @Override
        public boolean isDatagram() {
            return true;
        }

        @Override
        public boolean isExpected() {
            return true;
        }

        @Override
        public void send(byte[] buffer, int offset, int length) {
            decoder.decodeDatagram(buffer, offset, length, System.nanoTime());
        }
    }

    /** Ends like a real link if its listener throws. */
    private static final class FakeLink implements Link {
        private final LinkListener listener;
        private final FakeVehicle vehicle;
        private final long startNs;
        private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean closed = new AtomicBoolean();
        private final CountDownLatch ended = new CountDownLatch(1);
        private volatile Link.Status status = new Link.Status("fetch", "udp", "fake", Link.Status.State.CLOSED, "", 0);

        /** @param startNs how long the link takes to start */
        FakeLink(LinkListener listener, FakeVehicle vehicle, long startNs) {
            this.listener = listener;
            this.vehicle = vehicle;
            this.startNs = startNs;
        }

        @Override
        public String name() {
            return "fetch";
        }

        @Override
        public void start() {
            Thread thread = new Thread(null, this::run, "fake-link", 256 << 10);
            thread.setDaemon(true);
            thread.start();
        }

        private void run() {
            status = new Link.Status("fetch", "udp", "fake", Link.Status.State.WAITING, "starting", 0);
            LockSupport.parkNanos(startNs);
            status = new Link.Status("fetch", "udp", "fake", Link.Status.State.UP, "", 1);
            String why = "";
            try {
                listener.onPeerUp(vehicle, System.nanoTime());
                while (!closed.get()) {
                    round();
                }
            } catch (RuntimeException | StackOverflowError e) {
                why = "stopped by an internal error";
            }
            status = new Link.Status("fetch", "udp", "fake", Link.Status.State.CLOSED, why, 0);
            ended.countDown();
        }

        private void round() {
            vehicle.sendHeartbeat();
            for (byte[] bytes = vehicle.answers.poll(); bytes != null; bytes = vehicle.answers.poll()) {
                listener.onBytes(vehicle, bytes, 0, bytes.length, System.nanoTime());
            }
            listener.onTick(System.nanoTime());
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
            LockSupport.parkNanos(1_000_000);
        }

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        @Override
        public Link.Status status() {
            return status;
        }

        @Override
        public void close() {
            closed.set(true);
            try {
                ended.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static String run(FakeVehicle vehicle, int systemId, Function<FetchTarget, FetchClient> clients) {
        return run(SETTINGS, systemId, clients, listener -> new FakeLink(listener, vehicle, 0));
    }

    private static String run(
            LinkSettings settings,
            int systemId,
            Function<FetchTarget, FetchClient> clients,
            Function<LinkListener, Link> links) {
        FetchLink.Settings wish = new FetchLink.Settings(
                systemId,
                191,
                SECOND_NS / 2,
                false,
                new FetchSession.Wish(List.of(FetchClient.Way.MESSAGES), 20 * SECOND_NS, false));
        return new FetchLink(settings, wish, Signing.LinkParts.OFF, clients, links).run(() -> false);
    }

    @Test
    void waitsForALinkThatIsSlowToBegin() {
        FakeVehicle vehicle = new FakeVehicle(false, 3);
        MemoryClient client = MemoryClient.ofAll();
        LinkSettings listening = new LinkSettings.UdpListen("fetch", "127.0.0.1", 1, true);

        String problem =
                run(listening, 1, target -> client, listener -> new FakeLink(listener, vehicle, 3 * SECOND_NS));

        assertThat(problem).isEmpty();
        assertThat(client.whole()).hasSize(3);
    }

    @Test
    void endsWithAnErrorWhenTheLinkClosedItself() {
        String problem = run(new FakeVehicle(false, 3), 1, vehicle -> {
            throw new IllegalStateException("test: no client");
        });

        assertThat(problem).startsWith("link \"fetch\": stopped by an internal error");
    }

    @Test
    void fetchesThousandsOfEmptyLogs() {
        MemoryClient client = MemoryClient.ofAll();

        String problem = run(new FakeVehicle(false, MessageListing.MAX_LOGS), 1, vehicle -> client);

        assertThat(problem).isEmpty();
        assertThat(client.list()).hasSize(MessageListing.MAX_LOGS);
        assertThat(client.whole()).hasSize(MessageListing.MAX_LOGS);
    }

    @Test
    void refusesAnArmedVehicle() {
        String problem = run(new FakeVehicle(true, 0), 1, vehicle -> MemoryClient.ofAll());

        assertThat(problem).contains("is armed: logs are fetched only while it is disarmed");
    }

    @Test
    void refusesWhenTheWantedVehicleIsNotThere() {
        String problem = run(new FakeVehicle(false, 0), 7, vehicle -> MemoryClient.ofAll());

        assertThat(problem).startsWith("no vehicle was heard on link \"fetch\"");
    }

    @Test
    void endsWhenAskedToStop() {
        FetchLink.Settings wish = new FetchLink.Settings(
                7, 191, 60 * SECOND_NS, false, new FetchSession.Wish(List.of(FetchClient.Way.FTP), SECOND_NS, false));
        FetchLink fetch = new FetchLink(
                SETTINGS,
                wish,
                Signing.LinkParts.OFF,
                vehicle -> MemoryClient.ofAll(),
                listener -> new FakeLink(listener, new FakeVehicle(false, 0), 0));

        assertThat(UncaughtErrors.of(() -> fetch.run(() -> true))).isEmpty();
    }
}
