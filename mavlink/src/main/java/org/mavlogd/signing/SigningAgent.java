package org.mavlogd.signing;

import java.io.IOException;
import org.agrona.concurrent.Agent;
import org.mavlogd.metrics.Latest;
import org.mavlogd.metrics.ProblemLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the time up to which frames may be accepted, which is always ahead of the frames. After a crash nothing up to
 * that time is accepted, so no frame can be replayed; a vehicle takes the time from our first signed frame and is past
 * it at once. A normal stop stores the exact time.
 *
 * <p>If the disk fails, frames are still accepted and the problem is reported: losing the flight for fear of a replay
 * would be worse. An agent of one thread, which may wait for the disk.
 */
public final class SigningAgent implements Agent {
    /** Distance of the limit from the latest frame: lasts for a disk that stalls for half of it. */
    static final long AHEAD_UNITS = 60 * SigningClock.UNITS_PER_SECOND;

    private static final Logger LOG = LoggerFactory.getLogger(SigningAgent.class);

    private final SigningState state;
    private final ReplayGuard guard;
    private final ProblemLog problems = new ProblemLog(LOG);
    private final Latest<String> problem = new Latest<>("");
    private long storedLimit;

    SigningAgent(SigningState state, ReplayGuard guard, long floor) {
        this.state = state;
        this.guard = guard;
        this.storedLimit = floor;
    }

    /** The current problem, for people; empty if there is none. Any thread. */
    public String problem() {
        return problem.get();
    }

    @Override
    public int doWork() {
        long wanted = guard.wanted();
        if (storedLimit - wanted >= AHEAD_UNITS / 2) {
            return 0;
        }
        store(wanted + AHEAD_UNITS);
        return 1;
    }

    /** Stores the exact time: the links are closed, and nothing is accepted or sent any more. */
    @Override
    public void onClose() {
        store(guard.wanted());
    }

    @Override
    public String roleName() {
        return "signing";
    }

    private void store(long limit) {
        try {
            state.store(limit);
            storedLimit = limit;
            guard.limit(limit);
            problem.set("");
            problems.resolved("signing: the state can be stored in " + state.file() + " again");
        } catch (IOException e) {
            guard.limit(Long.MAX_VALUE);
            tell(e);
        } catch (Throwable e) {
            guard.limit(Long.MAX_VALUE); // an internal error must not cost frames either
            tell(e);
            throw e;
        }
    }

    private void tell(Throwable cause) {
        String text = "signing: the state cannot be stored in " + state.file()
                + ", so frames could be replayed after a restart: " + cause;
        problem.set(text);
        problems.report(text);
    }
}
