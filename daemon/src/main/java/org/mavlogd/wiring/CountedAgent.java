package org.mavlogd.wiring;

import org.agrona.concurrent.Agent;
import org.mavlogd.metrics.Counter;

/** An agent whose finished rounds are counted, so that others see that it goes on. Hot path. */
final class CountedAgent implements Agent {
    private final Agent agent;
    private final Counter rounds;

    CountedAgent(Agent agent, Counter rounds) {
        this.agent = agent;
        this.rounds = rounds;
    }

    @Override
    public void onStart() {
        agent.onStart();
    }

    @Override
    public int doWork() throws Exception {
        int work = agent.doWork();
        rounds.increment();
        return work;
    }

    @Override
    public void onClose() {
        agent.onClose();
    }

    @Override
    public String roleName() {
        return agent.roleName();
    }
}
