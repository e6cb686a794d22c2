package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mavlogd.link.Link.Status.State;
import org.mavlogd.metrics.Counter;

class LinkReportTest {
    private final List<String> logged = new ArrayList<>();
    private final Counter reconnects = new Counter();
    private final LinkReport report = new LinkReport("radio", "tcp", "10.0.0.1:5760", reconnects);
    private final Logger logger = Logger.getLogger(Link.class.getName());
    private final Handler handler = new MemoryHandler(logged);

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
    }

    @AfterEach
    void stopListening() {
        logger.removeHandler(handler);
    }

    @Test
    void isClosedAtFirst() {
        assertThat(report.status()).isEqualTo(new Link.Status("radio", "tcp", "10.0.0.1:5760", State.CLOSED, "", 0));
    }

    @Test
    void showsWhyItWaits() {
        report.trouble("cannot connect: refused", 0);

        assertThat(report.status().state()).isEqualTo(State.WAITING);
        assertThat(report.status().detail()).isEqualTo("cannot connect: refused");
    }

    @Test
    void aLinkThatIsDownHasAProblemUntilItIsUpOrOnlyWaitsForAPeer() {
        report.trouble("cannot listen: Address already in use", 0);
        assertThat(report.status().hasProblem()).isTrue();
        assertThat(report.status().detail()).isEqualTo("cannot listen: Address already in use");

        report.waiting("listening, nothing heard yet", 1);
        assertThat(report.status().hasProblem()).isFalse();

        report.trouble("permission denied", 2);
        report.up("", 1, 3);
        assertThat(report.status().hasProblem()).isFalse();

        report.trouble("device is gone", 4);
        report.closed("");
        assertThat(report.status().hasProblem()).isFalse();
    }

    /** A listening socket without a peer: the problem of the port is over. */
    @Test
    void logsTheEndOfAProblemAlsoWhileNobodyIsHeard() {
        report.trouble("cannot listen: Address already in use", 0);
        report.waiting("listening, nothing heard yet", 1);
        report.settle(LinkReport.SETTLED_NS);
        assertThat(logged).containsExactly("link \"radio\": cannot listen: Address already in use");

        report.settle(1 + LinkReport.SETTLED_NS);
        report.settle(2 + LinkReport.SETTLED_NS);

        assertThat(logged)
                .hasSize(2)
                .last()
                .isEqualTo("link \"radio\": listening at 10.0.0.1:5760 (after 1 failed attempt)");

        report.up("", 1, 3 + LinkReport.SETTLED_NS);
        assertThat(logged).hasSize(3).last().isEqualTo("link \"radio\": up at 10.0.0.1:5760");
    }

    @Test
    void logsTheEndOfAProblemOnceThoughThePeerComesMeanwhile() {
        report.trouble("cannot listen: Address already in use", 0);
        report.waiting("listening, nothing heard yet", 1);
        report.up("", 1, LinkReport.SETTLED_NS);
        report.settle(1 + LinkReport.SETTLED_NS);

        assertThat(logged).hasSize(2).last().isEqualTo("link \"radio\": up at 10.0.0.1:5760 (after 1 failed attempt)");
    }

    @Test
    void countsReturnsButNotTheFirstArrival() {
        report.trouble("refused", 0);
        report.up("", 1, 1);
        report.up("", 2, 2);
        assertThat(reconnects.get()).isZero();

        report.trouble("ended", 3);
        report.up("", 1, 4);
        report.waiting("nobody", 5);
        report.up("", 1, 6);

        assertThat(reconnects.get()).isEqualTo(2);
        assertThat(report.status().peers()).isEqualTo(1);
    }

    @Test
    void keepsTheSnapshotWhileNothingChanges() {
        report.up("", 1, 0);
        Link.Status first = report.status();

        report.up("", 1, 1);

        assertThat(report.status()).isSameAs(first);
    }
}
