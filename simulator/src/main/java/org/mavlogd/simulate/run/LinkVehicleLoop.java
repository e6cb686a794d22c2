package org.mavlogd.simulate.run;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.mavlogd.link.Link;
import org.mavlogd.link.LinkCounters;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.link.Links;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.LinkListener;
import org.mavlogd.peer.Peer;
import org.mavlogd.simulate.VehicleStation;

/**
 * A vehicle on a TCP connection or a serial port. The vehicle belongs to the link's thread; the caller's thread only beats
 * time, because a link's own tick is too coarse for chunks every 4 ms.
 */
final class LinkVehicleLoop<R> implements LinkListener {
    private final Link link;
    private final LinkCounters counters;
    private final VehicleStation<R> station;
    private final AtomicBoolean tickAsked = new AtomicBoolean();
    private final Runnable tick = this::tick;
    private @Nullable Peer peer;
    private long unsent;
    private volatile boolean done;

    LinkVehicleLoop(LinkSettings target, VehicleStation.Maker<R> maker) {
        counters = LinkCounters.register(new Metrics(), target.name());
        station = maker.make(this::send, false, System.nanoTime());
        link = Links.create(target, this, counters);
    }

    R run(BooleanSupplier stop) {
        try (link) {
            link.start();
            while (!done && !stop.getAsBoolean()) {
                LockSupport.parkNanos(VehicleRunner.TICK_NS);
                if (tickAsked.compareAndSet(false, true)) {
                    link.execute(tick);
                }
            }
            CompletableFuture<R> report = new CompletableFuture<>();
            link.execute(() -> report.complete(
                    station.report(unsent + counters.droppedSends().get())));
            return report.join();
        }
    }

    @Override
    public void onPeerUp(Peer newPeer, long nowNs) {
        peer = newPeer;
        station.onConnection();
    }

    @Override
    public void onBytes(Peer from, byte[] buffer, int offset, int length, long nowNs) {
        station.onBytes(buffer, offset, length, nowNs);
    }

    @Override
    public void onPeerDown(Peer oldPeer, long nowNs) {
        if (oldPeer == peer) {
            peer = null;
        }
    }

    @Override
    public void onTick(long nowNs) {
        station.onTick(nowNs);
        done = station.isDone();
    }

    @Override
    public boolean mayWait() {
        return false;
    }

    private void tick() {
        tickAsked.set(false);
        onTick(System.nanoTime());
    }

    private void send(byte[] frame, int offset, int length) {
        Peer to = peer;
        if (to == null) {
            unsent++;
        } else {
            to.send(frame, offset, length);
        }
    }
}
