package org.mavlogd.forward;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.mavlogd.contain.Thrown;
import org.mavlogd.contain.UncaughtErrors;
import org.mavlogd.mavlink.Dialect;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.Peer;

/** Errors of forwarding do not reach a link's thread, which records. */
final class ForwardContainmentTest {
    private static final int ATTITUDE = 30;

    private final FrameEncoder encoder = new FrameEncoder(1);
    private final byte[] frame = new byte[300];
    private long nowNs;
    private final Metrics metrics = new Metrics(() -> nowNs);
    private final Forwarder forwarder = new Forwarder(false, () -> nowNs, metrics, MemoryShare.unlimited(), 1);

    private LinkPort port(String name) {
        LinkPort port = forwarder.add(ForwardRules.of(name), Dialect.standard());
        port.connect(Runnable::run);
        return port;
    }

    private void say(FakePeer peer, int value) {
        byte[] payload = new byte[28];
        payload[0] = (byte) value;
        payload[27] = 1;
        peer.say(frame, encoder.encode(1, ATTITUDE, payload, payload.length, frame, 0));
        for (int i = 0; i < 10; i++) {
            nowNs += TimeUnit.MILLISECONDS.toNanos(1);
            forwarder.doWork();
        }
    }

    /** The router would wait for the rest of this frame before it takes later ones of the link. */
    @Test
    void aFrameThatCannotBeCopiedHoldsUpNoOther() {
        FakePeer vehicle = new FakePeer(port("vehicle"), true, true);
        FakePeer other = new FakePeer(port("other"), true, true);
        vehicle.beforeFrame = ForwardContainmentTest::breakView;
        say(vehicle, 1);
        vehicle.beforeFrame = view -> {};
        assertThat(metrics.scrape()).contains("mavlogd_contained_errors_total{part=\"forward.vehicle\"} 1.0");

        nowNs += TimeUnit.SECONDS.toNanos(61);
        say(vehicle, 2);

        assertThat(other.sends).isOne();
    }

    private static void breakView(FrameView frame) {
        try {
            Field offset = FrameView.class.getDeclaredField("offset");
            offset.setAccessible(true);
            offset.setInt(frame, 1 << 20);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A peer is what the link's library gives: any of its methods may throw, on the link's thread or the router's. */
    @Test
    void whateverAPeerThrowsStaysWithItsLink() {
        int number = 0;
        for (Method faulty : Thrown.methods(Peer.class)) {
            for (Supplier<Throwable> error : Thrown.CONTAINABLE) {
                String name = "broken" + number++;
                FakePeer vehicle = new FakePeer(port("vehicle" + number), true, true);
                FakePeer other = new FakePeer(port("other" + number), true, true);
                LinkPort port = port(name);
                List<Throwable> uncaught = UncaughtErrors.of(() -> {
                    FarEnd broken = port.open(Thrown.from(Peer.class, new Quiet(), faulty, error));
                    say(vehicle, 1);
                    if (broken != null) {
                        port.close(broken);
                    }
                    say(vehicle, 2);
                });

                assertThat(uncaught).as(faulty.getName()).isEmpty();
                assertThat(other.sends).as(faulty.getName()).isEqualTo(2);
                other.leave();
                vehicle.leave();
            }
        }
    }

    /** Takes everything. */
    private static final class Quiet implements Peer {
        @Override
        public String address() {
            return "quiet";
        }

        @Override
        public boolean isDatagram() {
            return false;
        }

        @Override
        public void send(byte[] buffer, int offset, int length) {}
    }

    /** As when too many tasks wait for the link's thread. */
    @Test
    void aLinkThatTakesNoTaskIsAskedAgain() {
        FakePeer vehicle = new FakePeer(port("vehicle"), true, true);
        LinkPort port = port("busy");
        boolean[] isBusy = {true};
        port.connect(task -> {
            if (isBusy[0]) {
                throw new IllegalStateException("test: no room for tasks");
            }
            task.run();
        });
        FakePeer busy = new FakePeer(port, false, true);
        say(vehicle, 1);
        assertThat(metrics.scrape()).contains("mavlogd_contained_errors_total{part=\"forward.busy\"} 1.0");

        isBusy[0] = false;
        nowNs += TimeUnit.SECONDS.toNanos(61);
        say(vehicle, 2);

        assertThat(busy.sends).isPositive();
    }

    @Test
    void aTransportThatThrowsPausesForwardingToItsLinkAlone() {
        FakePeer vehicle = new FakePeer(port("vehicle"), true, true);
        FakePeer broken = new FakePeer(port("broken"), true, true);
        FakePeer other = new FakePeer(port("other"), true, true);
        broken.throwsErrors = true;

        say(vehicle, 1);
        say(vehicle, 2);

        assertThat(other.sends).isEqualTo(2);
        assertThat(broken.sends).isZero();
        assertThat(metrics.scrape()).contains("mavlogd_contained_errors_total{part=\"forward.broken\"} 1.0");

        broken.throwsErrors = false;
        nowNs += TimeUnit.SECONDS.toNanos(61);
        say(vehicle, 3);

        assertThat(broken.sends).isPositive();
        assertThat(other.sends).isEqualTo(3);
    }
}
