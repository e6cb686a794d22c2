package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.contain.Thrown;
import org.mavlogd.contain.UncaughtErrors;
import org.mavlogd.peer.LinkListener;
import org.mavlogd.peer.Peer;

class ContainedListenerTest {
    private final RecordingListener listener = new RecordingListener();
    private final Peer peer = Thrown.always(Peer.class, () -> new IllegalStateException("not asked"));

    @Test
    void endsTheProcessWhenAVehiclesListenerThrowsAndCallsItNoMore() {
        for (Method faulty : Thrown.methods(LinkListener.class)) {
            if (faulty.getName().equals("isUnhurried") || faulty.getName().equals("restart")) {
                continue; // queried once before the link starts; used for local sources only
            }
            ContainedListener guard = new ContainedListener(Thrown.from(
                    LinkListener.class, new RecordingListener(), faulty, () -> new IllegalStateException("broken")));

            List<Throwable> uncaught = UncaughtErrors.of(() -> {
                callAll(guard);
                callAll(guard);
            });

            assertThat(uncaught).as(faulty.getName()).isNotEmpty();
            assertThat(guard.isBroken()).isTrue();
            assertThat(guard.mayWait()).isFalse();
        }
    }

    /** The link's thread continues after a local source throws anything from any of its methods. */
    @Test
    void containsWhatALocalSourceThrowsFromEveryMethod() {
        for (Method faulty : Thrown.methods(LinkListener.class)) {
            for (Supplier<Throwable> error : Thrown.CONTAINABLE) {
                if (faulty.getName().equals("isUnhurried")) {
                    continue; // not called for local sources
                }
                ContainedPart part = ContainedPart.unlisted("source", Recovery.CONTINUES);
                ContainedListener guard = new ContainedListener(
                        Thrown.from(LinkListener.class, new RecordingListener(), faulty, error), part);

                List<Throwable> uncaught = UncaughtErrors.of(() -> {
                    guard.run(() -> {
                        throw new IllegalStateException("makes the next call a restart");
                    });
                    callAll(guard);
                });

                assertThat(uncaught).as(faulty.getName()).isEmpty();
                assertThat(guard.isBroken()).isFalse();
                assertThat(part.errors()).as(faulty.getName()).isGreaterThanOrEqualTo(2);
            }
        }
    }

    private void callAll(ContainedListener guard) {
        guard.onPeerUp(peer, 1);
        guard.onBytes(peer, new byte[1], 1, 2);
        guard.onTick(3);
        guard.mayWait();
        guard.isPatient();
        guard.onPeerDown(peer, 4);
    }

    @Test
    void restartsALocalSourceBeforeItsNextBytes() {
        List<String> calls = new ArrayList<>();
        LinkListener source = new LinkListener() {
            @Override
            public void onPeerUp(Peer up, long nowNs) {}

            @Override
            public void onBytes(Peer from, byte[] buffer, int offset, int length, long nowNs) {
                calls.add("bytes");
                if (calls.size() == 1) {
                    throw new IllegalStateException("test");
                }
            }

            @Override
            public void onPeerDown(Peer down, long nowNs) {}

            @Override
            public void onTick(long nowNs) {}

            @Override
            public boolean mayWait() {
                return true;
            }

            @Override
            public void restart() {
                calls.add("restart");
            }
        };
        ContainedListener guard = new ContainedListener(source, ContainedPart.unlisted("source", Recovery.CONTINUES));

        guard.onBytes(peer, new byte[1], 1, 1);
        guard.onBytes(peer, new byte[1], 1, 2);
        guard.onBytes(peer, new byte[1], 1, 3);

        assertThat(calls).containsExactly("bytes", "restart", "bytes", "bytes");
    }

    @Test
    void stillRunsTasksAfterAMistakeSoThatTheLinkCanClose() {
        ContainedListener guard = new ContainedListener(listener);
        List<String> ran = new ArrayList<>();

        UncaughtErrors.of(() -> {
            guard.run(() -> {
                throw new IllegalStateException("broken");
            });
            guard.run(() -> ran.add("close"));
            guard.onTick(1);
        });

        assertThat(ran).containsExactly("close");
        assertThat(listener.ticks).hasValue(0);
    }
}
