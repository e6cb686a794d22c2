package org.mavlogd.wiring;

import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.IdleStrategy;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;

/**
 * An agent as a contained part: after an error its next round comes after an increasing delay. Its rounds are counted,
 * also during a pause, so that the watchdog notices if its thread hangs. Owned by that thread.
 */
final class ContainedAgent implements Agent {
    private final Agent agent;
    private final ContainedPart part;
    private final Counter rounds = new Counter();

    ContainedAgent(Agent agent, Metrics metrics) {
        this.agent = agent;
        this.part = metrics.part(agent.roleName(), Recovery.PAUSES);
    }

    /** A runner that is not started yet. */
    AgentRunner runner(IdleStrategy idle) {
        return new AgentRunner(idle, part::contain, null, this);
    }

    ContainedPart part() {
        return part;
    }

    /** How many rounds it has done. Any thread. */
    long rounds() {
        return rounds.get();
    }

    @Override
    public void onStart() {
        try {
            agent.onStart();
        } catch (Throwable e) {
            part.contain(e);
        }
    }

    @Override
    public int doWork() {
        rounds.increment();
        if (!part.mayRun()) {
            return 0;
        }
        try {
            return agent.doWork();
        } catch (Throwable e) {
            part.contain(e);
            return 0;
        }
    }

    @Override
    public void onClose() {
        try {
            agent.onClose();
        } catch (Throwable e) {
            part.contain(e);
        }
    }

    @Override
    public String roleName() {
        return agent.roleName();
    }
}
