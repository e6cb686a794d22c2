package org.mavlogd.vehicle.px4;

/**
 * Judges the sequence number of each log chunk.
 *
 * <p>Numbers are unsigned 16 bit and wrap. A number up to {@link #WINDOW} behind the highest is a repeat when it was
 * accepted before, and late when not; one further behind is stale. Everything else is ahead. Owned by the session's
 * thread. Never throws: all inputs are legal. Hot path.
 *
 * @see <a href="https://mavlink.io/en/messages/common.html#LOGGING_DATA">LOGGING_DATA</a>
 */
final class SequenceTracker {
    /** How far back repeats are told from late chunks. */
    static final int WINDOW = Long.SIZE;

    enum Verdict {
        /** The next one, or one further ahead. */
        AHEAD,
        /** Missing until now. */
        LATE,
        /** Accepted before. */
        REPEAT,
        /** Too far behind to be either. */
        STALE
    }

    private boolean started;
    private int highest;
    // Bit n: highest - n was accepted.
    private long accepted;

    /** Forgets everything: the next number is the first. */
    void reset() {
        started = false;
        accepted = 0;
    }

    Verdict judge(int sequence) {
        int distance = distance(sequence);
        if (!started || distance > 0) {
            return Verdict.AHEAD;
        }
        int behind = -distance;
        if (behind >= WINDOW) {
            return Verdict.STALE;
        }
        return ((accepted >>> behind) & 1) == 0 ? Verdict.LATE : Verdict.REPEAT;
    }

    /** Remembers that the chunk with this number is stored. */
    void accept(int sequence) {
        int distance = distance(sequence);
        if (started && distance <= 0 && -distance < WINDOW) {
            accepted |= 1L << -distance;
            return;
        }
        accepted = started && distance > 0 && distance < WINDOW ? (accepted << distance) | 1 : 1;
        highest = sequence;
        started = true;
    }

    private int distance(int sequence) {
        return (short) (sequence - highest);
    }
}
