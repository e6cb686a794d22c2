package org.mavlogd.signing;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Distinguishes new signed frames from repeated ones by the times in their signatures.
 *
 * <p>A <em>stream</em> consists of the frames that one sender signs under one link id; their times only increase, those
 * of log data and those of all other frames each by themselves, because log data may wait in the kernel while other
 * frames are read. The first frame of a stream must not be older than a minute. Times up to the floor, which an earlier run may have
 * accepted, are not accepted again; times above the limit, which a later run would not know of, are not accepted yet.
 * If a stream arrives on two of our links, because a router sends everything twice, it belongs to the first one until
 * that has not received it for five seconds: so no frame counts twice, and none is lost.
 *
 * <p>Holds up to {@link #MAX_STREAMS} streams. For a further one a stream is removed of which no frame is younger than
 * a minute: none of its frames could start a stream again. Shared by all links' threads; never waits, allocates
 * nothing. Hot path.
 */
public final class ReplayGuard {
    static final int MAX_STREAMS = 256;

    /** Maximum age of the first frame of a stream. */
    static final long NEW_STREAM_UNITS = 60 * SigningClock.UNITS_PER_SECOND;

    private static final long LINK_HOLD_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int NOT_FOUND = -1;
    private static final int FREE = 0;
    /** Marks the place of a stream while another one replaces it. */
    private static final int IN_CHANGE = -1;

    private static final int SOURCE_WORDS = (1 << 16) / Long.SIZE;

    enum Verdict {
        NEW,
        /** Not later than an accepted frame, or too old for the first one. */
        OLD,
        /** Later than the stored limit, which will soon be raised. */
        TOO_EARLY,
        /** The stream belongs to another of our links. */
        COPY,
        /** There are too many streams. */
        NO_ROOM
    }

    private final SigningClock clock;
    private final long floor;
    private final AtomicLong limit;
    private final AtomicLong wanted;
    // For each stream: its number plus 1, or 0 for a free place; its latest times; our link plus 1; time of the last
    // frame there.
    private final AtomicIntegerArray streams = new AtomicIntegerArray(MAX_STREAMS);
    private final AtomicLongArray logStamps = new AtomicLongArray(MAX_STREAMS);
    private final AtomicLongArray otherStamps = new AtomicLongArray(MAX_STREAMS);
    private final AtomicIntegerArray links = new AtomicIntegerArray(MAX_STREAMS);
    private final AtomicLongArray heardNs = new AtomicLongArray(MAX_STREAMS);
    private final AtomicBoolean isClaiming = new AtomicBoolean();
    /** Latest time of all removed streams: the wall clock may be set back later. */
    private final AtomicLong forgotten = new AtomicLong();
    // One bit for each system and component that has signed.
    private final AtomicLongArray signers = new AtomicLongArray(SOURCE_WORDS);

    ReplayGuard(SigningClock clock, long floor) {
        this.clock = clock;
        this.floor = floor;
        this.limit = new AtomicLong(floor);
        this.wanted = new AtomicLong(floor);
    }

    /**
     * Judges a frame with a valid hash, and records it if it is new.
     *
     * @param source system and component, 16 bit
     * @param signatureLink link id of the sender, 8 bit
     * @param isLogData whether it is a LOGGING_DATA
     * @param ownLink number of our link that received it, from 0
     */
    Verdict judge(int source, int signatureLink, boolean isLogData, long stamp, int ownLink, long nowNs) {
        int stream = (source << Byte.SIZE | signatureLink) + 1;
        AtomicLongArray stamps = isLogData ? logStamps : otherStamps;
        int place = find(stream);
        long last = last(place, stamps);
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
        if (!isOfLink(place, ownLink + 1, nowNs)) {
            return Verdict.COPY;
        }
        return accept(place, stamps, source, stamp);
    }

    /**
     * The time up to which nothing of this kind is accepted of the stream. A place without any time was just claimed by
     * another link. If the other kind has one, the first frame of this kind may be a minute older than it, too, because
     * the clock may have jumped since.
     */
    private long last(int place, AtomicLongArray stamps) {
        long stamp = place == NOT_FOUND ? 0 : stamps.get(place);
        if (stamp != 0) {
            return stamp;
        }
        long other = place == NOT_FOUND ? 0 : latest(place);
        long now = other == 0 ? clock.now() : Math.min(clock.now(), other);
        return Math.max(now - NEW_STREAM_UNITS - 1, forgotten.get());
    }

    private boolean isOfLink(int place, int link, long nowNs) {
        int holder = links.get(place);
        if (holder != link) {
            boolean isHeld = holder != 0 && nowNs - heardNs.get(place) < LINK_HOLD_NS;
            if (isHeld || !links.compareAndSet(place, holder, link)) {
                return false;
            }
        }
        heardNs.set(place, nowNs);
        return true;
    }

    private Verdict accept(int place, AtomicLongArray stamps, int source, long stamp) {
        long last = stamps.get(place);
        if (stamp <= last || !stamps.compareAndSet(place, last, stamp)) {
            return Verdict.OLD;
        }
        clock.onAccepted(stamp);
        rememberSigner(source);
        return Verdict.NEW;
    }

    /** Whether a frame of this system and component was accepted in this run. */
    boolean isSigner(int source) {
        return (signers.get(source / Long.SIZE) & bit(source)) != 0;
    }

    /** The latest time of frames to be accepted. */
    long wanted() {
        return Math.max(wanted.get(), clock.now());
    }

    /** Raises the limit: a later run will know of all times up to it. */
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
        // Two links at a time could give the stream two places: the frame of the second one is refused and lost.
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

    /** Replaces the stream that has been silent for longest, if that is long enough. */
    private int replace(int stream) {
        int oldest = 0;
        for (int place = 1; place < MAX_STREAMS; place++) {
            oldest = latest(place) < latest(oldest) ? place : oldest;
        }
        long stamp = latest(oldest);
        // A time of 0: another link has just claimed the place.
        if (stamp == 0 || stamp > clock.now() - NEW_STREAM_UNITS) {
            return NOT_FOUND;
        }
        forgotten.accumulateAndGet(stamp, Math::max);
        streams.set(oldest, IN_CHANGE);
        logStamps.set(oldest, 0);
        otherStamps.set(oldest, 0);
        links.set(oldest, 0);
        streams.set(oldest, stream);
        return oldest;
    }

    private long latest(int place) {
        return Math.max(logStamps.get(place), otherStamps.get(place));
    }

    private static int home(int stream) {
        return ((stream * 0x9E37_79B1) >>> 1) % MAX_STREAMS;
    }
}
