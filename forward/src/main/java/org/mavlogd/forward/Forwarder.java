package org.mavlogd.forward;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;
import org.mavlogd.contain.Recovery;
import org.mavlogd.mavlink.Dialect;
import org.mavlogd.mavlink.TargetTable;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.metrics.Metrics;

/**
 * The agent of the thread {@code forward}: takes the frames that links received, routes them, and passes portions of
 * them to the links that send them.
 *
 * <p>Links are added before its thread starts. Its rounds are bounded, and allocate only when peers come or go.
 */
public final class Forwarder implements Agent {
    /** Maximum frames taken from one link. */
    static final int FRAMES_PER_ROUND = 256;

    private static final int MAX_FRAME_LENGTH = 280;
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long TICK_NS = TimeUnit.SECONDS.toNanos(1);

    private final NanoClock clock;
    private final Metrics metrics;
    private final boolean sharesLogStream;
    private final Router router;
    private final Wake wake = new Wake(this::restNs, this::gathers);
    private final List<Inlet> inlets = new ArrayList<>();
    private final byte[] frame = new byte[MAX_FRAME_LENGTH];
    private long lastTickNs;
    private long nowNs;
    private long lastFramesNs;
    // State of the current or last round.
    private boolean isWaiting;
    private boolean hasPortions;
    private boolean hasMore;
    private boolean gathers;

    /**
     * Creates a forwarder without links.
     *
     * @param sharesLogStream whether frames of the log stream are forwarded, too
     * @param memory for the queues of peers
     */
    public Forwarder(boolean sharesLogStream, NanoClock clock, Metrics metrics, MemoryShare memory, long seed) {
        this.clock = clock;
        this.metrics = metrics;
        this.sharesLogStream = sharesLogStream;
        this.nowNs = clock.nanoTime();
        this.lastTickNs = nowNs;
        this.lastFramesNs = nowNs;
        this.router = new Router(memory, seed, nowNs);
    }

    /**
     * Adds a link that forwards.
     *
     * @param dialect of its decoders
     */
    public LinkPort add(ForwardRules rules, Dialect dialect) {
        String link = rules.link();
        LinkPort.Part part = new LinkPort.Part(
                metrics.part("forward." + link, Recovery.PAUSES),
                ForwardCounters.register(metrics, link),
                sharesLogStream);
        TargetTable targets = dialect.targets();
        LinkPort port = new LinkPort(rules, targets, part, wake);
        inlets.add(new Inlet(port));
        router.reserve(link);
        return port;
    }

    /** The status of each link's forwarding. Any thread. */
    public List<ForwardStatus> status() {
        return inlets.stream().map(inlet -> inlet.port.status(router)).toList();
    }

    /** The idle strategy of the thread. */
    public IdleStrategy rest() {
        return wake;
    }

    @Override
    public int doWork() {
        nowNs = clock.nanoTime();
        boolean isTick = nowNs - lastTickNs >= TICK_NS;
        if (isTick) {
            lastTickNs = nowNs;
            router.onTick(nowNs);
        }
        // Meet all new peers before the first frame, which may be for one of them.
        for (int i = 0; i < inlets.size(); i++) {
            inlets.get(i).meetIfChanged(isTick);
        }
        int frames = 0;
        for (int i = 0; i < inlets.size(); i++) {
            frames += inlets.get(i).take();
        }
        isWaiting = false;
        hasPortions = false;
        hasMore = false;
        for (int i = 0; i < inlets.size(); i++) {
            inlets.get(i).give();
        }
        // If a link gathers frames already, gathering them again would add a wake-up.
        gathers = hasPortions || (frames > 0 && nowNs - lastFramesNs < Wake.OFTEN_NS);
        lastFramesNs = frames > 0 ? nowNs : lastFramesNs;
        return frames + (hasPortions || hasMore ? 1 : 0);
    }

    private boolean gathers() {
        return gathers;
    }

    private long restNs() {
        if (hasMore) {
            return 0;
        }
        for (int i = 0; i < inlets.size(); i++) {
            if (inlets.get(i).isBusy()) {
                return 0;
            }
        }
        return isWaiting ? RETRY_NS : QUIET_NS;
    }

    @Override
    public String roleName() {
        return "forward";
    }

    /** The router's side of one link's port. */
    private final class Inlet {
        final LinkPort port;
        private final MessageHandler onRecord = this::onRecord;
        private final @Nullable FarEnd[] known = new FarEnd[LinkPort.SLOTS];
        private int knownChanges;
        private long askedNs;

        // One more than the highest slot in use.
        private int knownEnd;

        Inlet(LinkPort port) {
            this.port = port;
            this.askedNs = nowNs;
        }

        boolean isBusy() {
            return port.hasFrames() || port.changes() != knownChanges;
        }

        void meetIfChanged(boolean isTick) {
            if (isTick || port.changes() != knownChanges) {
                meet();
            }
        }

        /** Routes the frames that the link received. Hot path. */
        int take() {
            return port.hasFrames() ? port.read(onRecord, FRAMES_PER_ROUND) : 0;
        }

        /**
         * Opens endpoints for new peers, also those for which there was no room before, and closes those of peers that
         * left.
         */
        private void meet() {
            knownChanges = port.changes();
            knownEnd = 0;
            for (int slot = 0; slot < known.length; slot++) {
                FarEnd before = known[slot];
                FarEnd now = port.farEnd(slot);
                if (before != null && before != now) {
                    leave(before);
                }
                known[slot] = now;
                if (now != null && now.endpoint() == null) {
                    now.endpoint(router.open(port.rules(), port.counters()));
                }
                knownEnd = now == null ? knownEnd : slot + 1;
            }
        }

        private void leave(FarEnd gone) {
            Endpoint endpoint = gone.endpoint();
            if (endpoint != null) {
                router.close(endpoint);
                endpoint.counters().gone().add(gone.unsentDirectly());
                endpoint.counters().unsent().add(gone.unsent());
                gone.endpoint(null);
            }
        }

        private void onRecord(int type, MutableDirectBuffer buffer, int at, int length) {
            FarEnd from = known[type - 1];
            int serial = LinkPort.serial(buffer, at);
            if (from == null || from.serial() != serial) {
                meet(); // the peer came or left after the last look
                from = known[type - 1];
            }
            Endpoint endpoint = from == null || from.serial() != serial ? null : from.endpoint();
            if (endpoint == null) {
                port.counters().excess().increment();
                return;
            }
            int frameLength = length - LinkPort.HEAD_LENGTH;
            buffer.getBytes(at + LinkPort.HEAD_LENGTH, frame, 0, frameLength);
            router.route(endpoint, LinkPort.target(buffer, at), frame, 0, frameLength, nowNs);
        }

        /** Sends the waiting frames of the link's peers, or passes them to the link. Hot path. */
        void give() {
            if (!port.mayRun()) {
                return;
            }
            boolean isFilled = false;
            boolean isUrgent = false;
            for (int slot = 0; slot < knownEnd; slot++) {
                FarEnd to = known[slot];
                Endpoint endpoint = to == null ? null : to.endpoint();
                if (endpoint != null) {
                    dropLate(endpoint);
                }
                if (to != null && endpoint != null && to.isDirect()) {
                    sendDirectly(to, endpoint.queue());
                } else if (to != null && endpoint != null) {
                    boolean isFresh = to.fill(endpoint.queue());
                    isFilled |= isFresh || to.isFilled();
                    isUrgent |= isFresh || (to.isFilled() && !to.isBlocked());
                    hasPortions |= !to.isBlocked() && !endpoint.queue().isEmpty();
                }
            }
            isWaiting |= isFilled;
            boolean isDue = isUrgent || (isFilled && nowNs - askedNs >= RETRY_NS);
            if (isDue && port.askFlush()) {
                askedNs = nowNs;
            }
        }

        private void dropLate(Endpoint endpoint) {
            int dropped = endpoint.queue().dropLate(nowNs);
            if (dropped > 0) {
                endpoint.counters().lateTelemetry().add(dropped);
            }
        }

        private void sendDirectly(FarEnd to, FrameQueue queue) {
            if (queue.isEmpty() && to.unsentDirectly() == 0) {
                return;
            }
            int unused = port.sendDirectly(to, queue);
            isWaiting |= to.isBlocked();
            hasMore |= !to.isBlocked() && !queue.isEmpty();
        }
    }
}
