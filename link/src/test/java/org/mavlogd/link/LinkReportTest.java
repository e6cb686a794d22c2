package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.mavlogd.link.Link.Status.State;
import org.mavlogd.metrics.Counter;

class LinkReportTest {
    private final Counter reconnects = new Counter();
    private final LinkReport report = new LinkReport("radio", "tcp", "10.0.0.1:5760", reconnects);

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
