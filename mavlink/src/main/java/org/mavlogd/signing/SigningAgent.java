package org.mavlogd.signing;

import java.io.IOException;
import org.agrona.concurrent.Agent;
import org.mavlogd.metrics.Latest;
import org.mavlogd.metrics.ProblemLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps on disk up to which time frames may be accepted, always some way ahead of the frames. After a crash nothing
 * up to there is accepted again, so no replay is; a vehicle takes its time from our first signed frame and is above it at
 * once. An orderly end writes the exact time.
 *
 * <p>While the disk fails frames are accepted all the same, and the problem is reported: a recorder that loses the flight for
 * fear of a replay is worse. An agent of one thread, which may wait for the disk.
 */
public final class SigningAgent implements Agent {
    /** So far ahead the limit is set: outlasts a disk that stalls for half of it. */
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

    /** What is wrong, for people; empty when all is well. Any thread. */
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

    /** Links are closed: nothing is accepted or sent any more. */
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
            guard.limit(Long.MAX_VALUE); // a mistake of ours costs no frames either
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
