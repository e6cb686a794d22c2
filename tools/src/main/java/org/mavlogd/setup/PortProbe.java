package org.mavlogd.setup;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.mavlogd.link.Link;
import org.mavlogd.link.LinkCounters;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.link.Links;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.LinkListener;
import org.mavlogd.peer.Peer;

/**
 * Listens on one port until a vehicle is found or the time is over, and requests the vehicle's log for a moment. Takes
 * at most half a minute. Used once; the caller's thread waits, everything else belongs to the link's thread.
 */
final class PortProbe implements LinkListener {
    private static final Heartbeat HEARTBEAT =
            new Heartbeat(Heartbeat.TYPE_ONBOARD_CONTROLLER, Heartbeat.AUTOPILOT_INVALID, 0, 0, Heartbeat.STATE_ACTIVE);
    private static final long SECOND_NS = 1_000_000_000;
    private static final long POLL_NS = 10_000_000;
    /** Wait for an autopilot's heartbeat in a stream of frames; heartbeats are sent once a second. */
    private static final long HEARTBEAT_WAIT_NS = 5 * SECOND_NS;

    private static final long OPEN_WAIT_NS = 5 * SECOND_NS / 2;
    private static final long LIMIT_NS = 30 * SECOND_NS;
    private static final long STOP_LIMIT_NS = 4 * SECOND_NS;
    private static final int FIRST_SYSTEM_ID = 1;
    private static final int MAX_PAYLOAD_LENGTH = 255;
    private static final int MAX_PEERS = 32;
    private static final int MAX_OTHERS = 8;

    private final long quietNs;
    private final Link link;
    private final FrameCounters counters = FrameCounters.unregistered();
    private final FrameEncoder encoder = new FrameEncoder(Vehicle.OWN_COMPONENT);
    private final byte[] payload = new byte[MAX_PAYLOAD_LENGTH];
    private final byte[] frameBytes = new byte[FrameEncoder.MAX_FRAME_LENGTH];
    private final ByteSample sample = new ByteSample();
    private final TreeSet<String> others = new TreeSet<>();
    private final List<Speaker> speakers = new ArrayList<>();
    private @Nullable Vehicle vehicle;
    private @Nullable Peer at;
    private @Nullable LogTrial trial;
    private long heartbeatNs;
    private long upNs;
    private volatile boolean done;

    /** A peer with its decoder. */
    private record Speaker(Peer peer, FrameDecoder decoder) {}

    /**
     * Creates a probe of a port.
     *
     * @param quietNs time to wait for a frame; if frames arrive, the wait for a heartbeat is longer
     */
    PortProbe(LinkSettings port, long quietNs) {
        this.quietNs = quietNs;
        this.link = Links.create(port, this, LinkCounters.register(new Metrics(), port.name()));
    }

    /**
     * Runs the test; {@code stop} is called repeatedly and ends it early, with STOP to the vehicle if its log was
     * requested.
     */
    Heard run(BooleanSupplier stop) {
        long beganNs = System.nanoTime();
        boolean wasUp = false;
        String problem = "";
        try (link) {
            link.start();
            while (!done && !stop.getAsBoolean() && System.nanoTime() - beganNs < LIMIT_NS) {
                wasUp |= isOpen(link.status());
                boolean isStuck = !wasUp && System.nanoTime() - beganNs >= OPEN_WAIT_NS;
                if (isStuck || isBroken(link.status())) {
                    break;
                }
                LockSupport.parkNanos(POLL_NS);
            }
            boolean isBroken = isBroken(link.status());
            problem = !isBroken && (wasUp || isOpen(link.status()))
                    ? ""
                    : link.status().detail();
            if (!isBroken) {
                endTrial();
            }
        }
        return heard(problem);
    }

    private static boolean isOpen(Link.Status status) {
        return status.state() == Link.Status.State.UP || status.detail().startsWith("listening");
    }

    /** Whether the link had an internal error; before its start a link is closed without a reason. */
    private static boolean isBroken(Link.Status status) {
        return status.state() == Link.Status.State.CLOSED && !status.detail().isEmpty();
    }

    /** Tells a vehicle whose log was requested to stop, even if the user does not wait. */
    private void endTrial() {
        if (done) {
            return;
        }
        CompletableFuture<Boolean> asked = new CompletableFuture<>();
        link.execute(() -> {
            LogTrial running = trial;
            if (running != null) {
                running.stop(System.nanoTime());
            }
            asked.complete(running != null);
        });
        long beganNs = System.nanoTime();
        boolean isStopping = asked.completeOnTimeout(false, 1, TimeUnit.SECONDS).join();
        while (isStopping && !done && System.nanoTime() - beganNs < STOP_LIMIT_NS) {
            LockSupport.parkNanos(POLL_NS);
        }
    }

    /** The result; the link's thread has ended. */
    private Heard heard(String problem) {
        LogTrial finished = trial;
        return new Heard(
                problem,
                sample.count(),
                counters.frames().get(),
                sample.text(),
                String.join(", ", others),
                Optional.ofNullable(vehicle),
                finished == null ? LogStream.NOT_ASKED : finished.result());
    }

    @Override
    public void onPeerUp(Peer peer, long nowNs) {
        if (speakers.isEmpty()) {
            upNs = nowNs;
        }
        if (speakers.size() < MAX_PEERS) {
            speakers.add(
                    new Speaker(peer, new FrameDecoder((frame, frameNs) -> onFrame(peer, frame, frameNs), counters)));
        }
        if (peer.isExpected()) {
            heartbeat(peer); // a PX4 on USB is silent until it receives one
        }
    }

    @Override
    public void onBytes(Peer peer, byte[] buffer, int offset, int length, long nowNs) {
        sample.add(buffer, offset, length);
        for (Speaker speaker : speakers) {
            if (speaker.peer() == peer) {
                if (peer.isDatagram()) {
                    speaker.decoder().decodeDatagram(buffer, offset, length, nowNs);
                } else {
                    speaker.decoder().decode(buffer, offset, length, nowNs);
                }
                return;
            }
        }
    }

    @Override
    public void onPeerDown(Peer peer, long nowNs) {
        speakers.removeIf(speaker -> speaker.peer() == peer);
    }

    private void onFrame(Peer from, FrameView frame, long nowNs) {
        Vehicle known = vehicle;
        if (known == null) {
            if (frame.messageId() == MessageIds.HEARTBEAT) {
                onHeartbeat(from, frame, nowNs);
            }
            return;
        }
        LogTrial running = trial;
        // Each trial filters components: an ArduPilot sends its log from a component of its own.
        boolean isFromVehicle = frame.systemId() == known.systemId() && from == at;
        if (running != null && isFromVehicle) {
            running.onFrame(frame, nowNs);
        }
    }

    private void onHeartbeat(Peer from, FrameView frame, long nowNs) {
        Heartbeat heartbeat = Heartbeat.decode(frame);
        if (frame.systemId() == 0 || !Vehicle.isSupported(heartbeat.autopilot())) {
            addOther(frame, heartbeat);
            return;
        }
        Vehicle found = new Vehicle(
                frame.systemId(),
                frame.componentId(),
                heartbeat.autopilot(),
                heartbeat.isArmed(),
                frame.isSigned(),
                from.address());
        vehicle = found;
        at = from;
        heartbeat(from);
        if (found.isArmed()) {
            done = true; // requesting the log now could stop a log on its SD card
        } else {
            trial = found.isArduPilot()
                    ? new ArduPilotTrial(found, this::sendToVehicle, nowNs)
                    : new Px4Trial(found, this::sendToVehicle, nowNs);
        }
    }

    private void addOther(FrameView frame, Heartbeat heartbeat) {
        if (others.size() < MAX_OTHERS) {
            others.add("system " + frame.systemId() + " component " + frame.componentId() + " with MAV_AUTOPILOT "
                    + heartbeat.autopilot());
        }
    }

    @Override
    public void onTick(long nowNs) {
        if (nowNs - heartbeatNs >= SECOND_NS) {
            heartbeatNs = nowNs;
            Peer to = at;
            if (to != null) {
                heartbeat(to);
            } else {
                speakers.stream().map(Speaker::peer).filter(Peer::isExpected).forEach(this::heartbeat);
            }
        }
        LogTrial running = trial;
        if (running != null) {
            done = running.onTick(nowNs);
        } else if (!done) {
            done = isOver(nowNs);
        }
    }

    private boolean isOver(long nowNs) {
        if (upNs == 0) {
            upNs = nowNs; // a listening port is open from here on
        }
        long waitNs = counters.frames().get() > 0 ? Math.max(quietNs, HEARTBEAT_WAIT_NS) : quietNs;
        return nowNs - upNs >= waitNs;
    }

    private void heartbeat(Peer to) {
        send(to, MessageIds.HEARTBEAT, payload, HEARTBEAT.encodePayload(payload));
    }

    private void sendToVehicle(int messageId, byte[] content, int length) {
        Peer to = at;
        if (to != null) {
            send(to, messageId, content, length);
        }
    }

    private void send(Peer to, int messageId, byte[] content, int length) {
        Vehicle known = vehicle;
        int systemId = known == null ? FIRST_SYSTEM_ID : known.systemId();
        to.send(frameBytes, 0, encoder.encode(systemId, messageId, content, length, frameBytes, 0));
    }

    @Override
    public boolean mayWait() {
        return false;
    }

    /** Keeps the first bytes of a port, and counts all. */
    private static final class ByteSample {
        private static final int MAX_BYTES = 512;
        private static final int MIN_TEXT = 8;
        private static final int PERCENT = 100;
        private static final int TEXT_PERCENT = 95;

        private final byte[] first = new byte[MAX_BYTES];
        private int length;
        private long count;

        void add(byte[] bytes, int offset, int added) {
            int kept = Math.min(added, MAX_BYTES - length);
            System.arraycopy(bytes, offset, first, length, kept);
            length += kept;
            count += added;
        }

        long count() {
            return count;
        }

        String text() {
            String characters = new String(first, 0, length, StandardCharsets.ISO_8859_1);
            long printable = characters.chars().filter(ByteSample::isPrintable).count();
            return length >= MIN_TEXT && printable * PERCENT >= (long) length * TEXT_PERCENT ? characters : "";
        }

        private static boolean isPrintable(int c) {
            return (c >= ' ' && c <= '~') || c == '\r' || c == '\n' || c == '\t' || c == 0x1B;
        }
    }
}
