package org.mavlogd.signing;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Distinguishes new validly signed frames from repeated ones, by the times in their signatures.
 *
 * <p>A <em>stream</em> is what one sender signs under one link id; its times only rise. The first frame of a stream must
 * not be older than a minute. Nothing up to the floor, which is what an earlier run may have accepted, is accepted again;
 * nothing above the limit, which is what a later run will know of, is accepted yet. The same stream heard on two of our
 * links (a router that sends everything twice) belongs to the one that had it first, until that one does not hear it for
 * five seconds: so none of its frames counts twice, and none is lost to the wrong link.
 *
 * <p>Bounded to {@link #MAX_STREAMS} streams. Where one more comes, one is forgotten of which no frame is younger than a minute:
 * none of its frames could be the first of a stream again. Shared by all links' threads; never waits, allocates nothing. Hot
 * path.
 */
public final class ReplayGuard {
    static final int MAX_STREAMS = 256;

    /** The oldest first frame of a stream. */
    static final long NEW_STREAM_UNITS = 60 * SigningClock.UNITS_PER_SECOND;

    private static final long LINK_HOLD_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int NOT_FOUND = -1;
    private static final int FREE = 0;
    /** In the place of a stream that is being replaced by another one. */
    private static final int IN_CHANGE = -1;

    private static final int SOURCE_WORDS = (1 << 16) / Long.SIZE;

    enum Verdict {
        NEW,
        /** Not later than what was accepted before, or too old for a first frame. */
        OLD,
        /** Later than what a later run would know of; soon it will. */
        TOO_EARLY,
        /** Another of our links has this stream. */
        COPY,
        /** There are too many streams. */
        NO_ROOM
    }

    private final SigningClock clock;
    private final long floor;
    private final AtomicLong limit;
    private final AtomicLong wanted;
    // Per stream: its number plus 1, or 0 for a free place; the latest time; our link plus 1; when it was heard there.
    private final AtomicIntegerArray streams = new AtomicIntegerArray(MAX_STREAMS);
    private final AtomicLongArray stamps = new AtomicLongArray(MAX_STREAMS);
    private final AtomicIntegerArray links = new AtomicIntegerArray(MAX_STREAMS);
    private final AtomicLongArray heardNs = new AtomicLongArray(MAX_STREAMS);
    private final AtomicBoolean isClaiming = new AtomicBoolean();
    /** The latest time of all streams that were forgotten: the wall clock may be set back after that. */
    private final AtomicLong forgotten = new AtomicLong();
    // One bit for each system and component that ever signed.
    private final AtomicLongArray signers = new AtomicLongArray(SOURCE_WORDS);

    ReplayGuard(SigningClock clock, long floor) {
        this.clock = clock;
        this.floor = floor;
        this.limit = new AtomicLong(floor);
        this.wanted = new AtomicLong(floor);
    }

    /**
     * Judges a frame whose hash is right, and remembers it when it is new.
     *
     * @param source system and component, 16 bit
     * @param signatureLink the sender's link id, 8 bit
     * @param ownLink which of our links it came on, from 0
     */
    Verdict judge(int source, int signatureLink, long stamp, int ownLink, long nowNs) {
        int stream = (source << Byte.SIZE | signatureLink) + 1;
        int place = find(stream);
        long last = last(place);
        if (stamp <= Math.max(last, floor)) {
            return Verdict.OLD;
        }
        if (stamp > limit.get()) {
            wanted.accumulateAndGet(stamp, Math::max);
            return Verdict.TOO_EARLY;
        }
        place = place == NOT_FOUND ? claim(stream) : place;
        if (place == NOT_FOUND) {
            return Verdict.NO_ROOM;
        }
        return accept(place, source, stamp, ownLink + 1, nowNs);
    }

    /** Nothing up to there is accepted of the stream. A place without a time is one that another link has just claimed. */
    private long last(int place) {
        long stamp = place == NOT_FOUND ? 0 : stamps.get(place);
        return stamp == 0 ? Math.max(clock.now() - NEW_STREAM_UNITS - 1, forgotten.get()) : stamp;
    }

    private Verdict accept(int place, int source, long stamp, int link, long nowNs) {
        int holder = links.get(place);
        if (holder != link) {
            boolean isHeld = holder != 0 && nowNs - heardNs.get(place) < LINK_HOLD_NS;
            if (isHeld || !links.compareAndSet(place, holder, link)) {
                return Verdict.COPY;
            }
        }
        heardNs.set(place, nowNs);
        long last = stamps.get(place);
        if (stamp <= last || !stamps.compareAndSet(place, last, stamp)) {
            return Verdict.OLD;
        }
        clock.onAccepted(stamp);
        rememberSigner(source);
        return Verdict.NEW;
    }

    /** Whether frames of that system and component were ever accepted in this run. */
    boolean isSigner(int source) {
        return (signers.get(source / Long.SIZE) & bit(source)) != 0;
    }

    /** The latest time that frames want to be accepted with. */
    long wanted() {
        return Math.max(wanted.get(), clock.now());
    }

    /** A later run will know of everything up to here. */
    void limit(long stamp) {
        limit.set(stamp);
    }

    private void rememberSigner(int source) {
        if (!isSigner(source)) {
            signers.accumulateAndGet(source / Long.SIZE, bit(source), (before, bit) -> before | bit);
        }
    }

    private static long bit(int source) {
        return 1L << (source % Long.SIZE);
    }

    private int find(int stream) {
        for (int i = 0; i < MAX_STREAMS; i++) {
            int place = (home(stream) + i) % MAX_STREAMS;
            int found = streams.get(place);
            if (found == stream) {
                return place;
            }
            if (found == FREE) {
                return NOT_FOUND;
            }
        }
        return NOT_FOUND;
    }

    private int claim(int stream) {
        for (int i = 0; i < MAX_STREAMS; i++) {
            int place = (home(stream) + i) % MAX_STREAMS;
            if (streams.compareAndSet(place, FREE, stream) || streams.get(place) == stream) {
                return place;
            }
        }
        // Two links at a time could give the stream two places: the other one's frame is refused, which costs that
        // frame.
        if (!isClaiming.compareAndSet(false, true)) {
            return NOT_FOUND;
        }
        try {
            int known = find(stream);
            return known == NOT_FOUND ? replace(stream) : known;
        } finally {
            isClaiming.set(false);
        }
    }

    /** Gives the stream the place of the one that is silent for longest, if that is long enough. */
    private int replace(int stream) {
        int oldest = 0;
        for (int place = 1; place < MAX_STREAMS; place++) {
            oldest = stamps.get(place) < stamps.get(oldest) ? place : oldest;
        }
        long stamp = stamps.get(oldest);
        // A time of 0: another link has just claimed the place.
        if (stamp == 0 || stamp > clock.now() - NEW_STREAM_UNITS) {
            return NOT_FOUND;
        }
        forgotten.accumulateAndGet(stamp, Math::max);
        streams.set(oldest, IN_CHANGE);
        stamps.set(oldest, 0);
        links.set(oldest, 0);
        streams.set(oldest, stream);
        return oldest;
    }

    private static int home(int stream) {
        return ((stream * 0x9E37_79B1) >>> 1) % MAX_STREAMS;
    }
}
