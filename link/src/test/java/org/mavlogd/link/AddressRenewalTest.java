package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.link.AddressRenewal.LONGEST_STAY_NS;
import static org.mavlogd.link.AddressRenewal.SILENCE_NS;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Filter;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.mavlogd.metrics.Counter;

class AddressRenewalTest {
    private static final InetAddress A = address("10.0.0.1");
    private static final InetAddress B = address("10.0.0.2");
    private static final InetAddress C = address("10.0.0.3");

    private final AddressRenewal renewal =
            new AddressRenewal(new LinkReport("ground", "udp", "laptop.local:14550", new Counter()), 0);
    private long nowNs;

    @Test
    void looksUpAfterSilenceAndNotMoreOftenThanEveryTenSeconds() {
        assertThat(renewal.isDue(0, SILENCE_NS - 1)).isFalse();
        assertThat(renewal.isDue(0, SILENCE_NS)).isTrue();
        assertThat(renewal.isDue(0, SILENCE_NS + 1)).isFalse();
        assertThat(renewal.isDue(0, 2 * SILENCE_NS - 1)).isFalse();
        assertThat(renewal.isDue(0, 2 * SILENCE_NS)).isTrue();

        long heardNs = 3 * SILENCE_NS;
        assertThat(renewal.isDue(heardNs, heardNs + SILENCE_NS - 1)).isFalse();
        assertThat(renewal.isDue(heardNs, heardNs + SILENCE_NS)).isTrue();
    }

    @Test
    void leavesAnAddressThatTheNameNoLongerHas() {
        assertThat(next(A, true, B)).isEqualTo(B);
        assertThat(next(B, false, C, A)).isEqualTo(C);
    }

    @Test
    void keepsTheOnlyAddress() {
        assertThat(used(A, 100, A)).containsOnly(A);
    }

    @Test
    void keepsTheAddressWhenTheNameCannotBeResolved() {
        assertThat(next(B, false)).isEqualTo(B);
        assertThat(next(B, true)).isEqualTo(B);
    }

    @Test
    void keepsAnAddressFromWhichSomethingWasHeard() {
        assertThat(next(B, true, A, B, C)).isEqualTo(B);
        assertThat(next(B, true, A, B, C)).isEqualTo(B);
    }

    @Test
    void triesAllAddressesAndTheFirstForLongerEachTime() {
        assertThat(used(A, 15, A, B, C)).containsExactly(B, C, A, B, C, A, A, B, C, A, A, A, A, B, C);
    }

    @Test
    void aProgramThatOnlyListensAtTheFirstAddressMissesLittle() {
        List<InetAddress> day = used(A, 8640, A, B);

        assertThat(day.stream().filter(B::equals).count()).isBetween(100L, 150L);
        long longest = LONGEST_STAY_NS / SILENCE_NS;
        assertThat(day.subList(day.size() - (int) longest - 1, day.size())).contains(B);
    }

    @Test
    void theOrderOfTheAnswersDoesNotMatter() {
        assertThat(next(A, false, A, B)).isEqualTo(B);
        assertThat(next(B, false, B, A)).isEqualTo(A);
    }

    @Test
    void returnsToTheAddressThatWasHeard() {
        renewal.startOverAt(B);
        assertThat(next(B, true, A, B)).isEqualTo(B);

        // The socket was opened again, at the next address of the name.
        assertThat(next(A, false, A, B)).isEqualTo(B);
    }

    @Test
    void keepsTheFirstLoopbackAddress() {
        InetAddress ipv4 = address("127.0.0.1");
        InetAddress ipv6 = address("::1");

        assertThat(used(ipv4, 100, ipv4, ipv6)).containsOnly(ipv4);

        // The socket was opened again, at the next address of the name.
        assertThat(used(ipv6, 100, ipv4, ipv6)).containsOnly(ipv4);
    }

    @Test
    void reportsMovesAndFailuresRarely() {
        Logger logger = Logger.getLogger(Link.class.getName());
        AtomicInteger lines = new AtomicInteger();
        Filter counting = line -> {
            lines.incrementAndGet();
            return false;
        };
        logger.setFilter(counting);
        try {
            for (int i = 0; i < LONGEST_STAY_NS / SILENCE_NS / 4; i++) {
                next(A, false, B);
                next(B, false);
                next(B, false, A);
                next(A, false);
            }
            assertThat(lines).hasValue(2);

            next(A, false, B);
            next(B, false);
            next(B, false);
            assertThat(lines).hasValue(4);
        } finally {
            logger.setFilter(null);
        }
    }

    @Test
    void aLinkLocalAddressIsAnotherOneOnAnotherInterface() {
        InetAddress onTwo = address("fe80::1%2");
        InetAddress onThree = address("fe80::1%3");
        InetAddress anywhere = address("fe80::1");

        assertThat(AddressRenewal.isSame(onTwo, address("fe80::1%2"))).isTrue();
        assertThat(AddressRenewal.isSame(onTwo, onThree)).isFalse();
        assertThat(AddressRenewal.isSame(onTwo, anywhere)).isTrue();
        assertThat(AddressRenewal.isSame(anywhere, onThree)).isTrue();
        assertThat(AddressRenewal.isSame(anywhere, address("fe80::2"))).isFalse();
        assertThat(next(onTwo, true, onThree)).isSameAs(onThree);
    }

    /** The addresses used after each of several lookups with the same answer, while nothing is heard. */
    private List<InetAddress> used(InetAddress start, int lookups, InetAddress... answers) {
        List<InetAddress> used = new ArrayList<>();
        InetAddress current = start;
        for (int i = 0; i < lookups; i++) {
            current = next(current, false, answers);
            used.add(current);
        }
        return used;
    }

    private InetAddress next(InetAddress current, boolean isHeard, InetAddress... answers) {
        nowNs += SILENCE_NS;
        return renewal.next(answers, current, isHeard, nowNs);
    }

    private static InetAddress address(String literal) {
        return Objects.requireNonNull(NetUtil.createInetAddressFromIpAddressString(literal));
    }
}
