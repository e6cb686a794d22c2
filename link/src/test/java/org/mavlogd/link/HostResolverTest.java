package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HostResolverTest {
    private static final InetAddress A = address("10.0.0.1");
    private static final InetAddress B = address("10.0.0.2");

    private final BlockingQueue<Runnable> ownerTasks = new LinkedBlockingQueue<>();
    private final BlockingQueue<List<InetAddress>> nameServer = new LinkedBlockingQueue<>();
    private final List<Object> results = new ArrayList<>();

    @Test
    void usesTheAddressesOfANameInTurnAlsoWhenItCanNoLongerBeResolved() throws InterruptedException {
        HostResolver resolver = resolver("laptop.local");

        resolve(resolver, List.of());
        resolve(resolver, List.of(A, B));
        resolve(resolver, List.of(A, B));
        resolve(resolver, List.of());

        assertThat(results).containsExactly("host name laptop.local cannot be resolved, trying again", A, B, A);
    }

    @Test
    void returnsALiteralAddressAtOnce() {
        HostResolver resolver = resolver("10.0.0.2");

        resolver.resolve(results::add, results::add);

        assertThat(results).containsExactly(B);
        assertThat(resolver.isName()).isFalse();
        assertThat(resolver("laptop.local").isName()).isTrue();
    }

    /** A socket that must be opened again may not wait for a lookup that nobody needs any more. */
    @Test
    void theLatestCallTakesTheAnswerOfALookupInProgress() throws InterruptedException {
        HostResolver resolver = resolver("laptop.local");
        resolver.lookUp(found -> results.add("superseded"));

        resolve(resolver, List.of(B));

        assertThat(results).containsExactly(B);
        assertThat(ownerTasks).isEmpty();
    }

    @Test
    void aLookupThatFailsHasNoAddresses() throws InterruptedException {
        HostResolver resolver = resolver("laptop.local");
        resolve(resolver, List.of(A));

        resolver.lookUp(found -> results.add(found.length));
        answer(List.of());

        assertThat(results).containsExactly(A, 0);
    }

    private HostResolver resolver(String host) {
        return new HostResolver(host, "test-dns", ownerTasks::add, this::lookUp);
    }

    private InetAddress[] lookUp(String host) throws UnknownHostException {
        List<InetAddress> found;
        try {
            found = nameServer.take();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (found.isEmpty()) {
            throw new UnknownHostException(host);
        }
        return found.toArray(new InetAddress[0]);
    }

    private void resolve(HostResolver resolver, List<InetAddress> found) throws InterruptedException {
        resolver.resolve(results::add, results::add);
        answer(found);
    }

    private void answer(List<InetAddress> found) throws InterruptedException {
        nameServer.add(found);
        Objects.requireNonNull(ownerTasks.poll(50, TimeUnit.SECONDS)).run();
    }

    private static InetAddress address(String literal) {
        return Objects.requireNonNull(NetUtil.createInetAddressFromIpAddressString(literal));
    }
}
