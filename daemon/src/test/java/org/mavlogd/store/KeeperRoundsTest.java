package org.mavlogd.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** A keeper with much to do on a slow disk: its rounds are short, and its progress shows. */
class KeeperRoundsTest {
    private static final int FILES = 20;
    private static final long SLOW_NS = TimeUnit.MILLISECONDS.toNanos(150);

    private final List<String> finished = new ArrayList<>();
    private long nowNs;
    private final FakeDisk disk = new FakeDisk();
    private final Keeper keeper = new Keeper(slow(disk), () -> nowNs, (name, bytes) -> finished.add(name));
    private final LogStore store =
            new LogStore(slow(disk), () -> 0, new StoreSettings(100, Durability.ofMs(500)), keeper);

    /** Each change of a name takes its time. */
    private Disk slow(Disk real) {
        return (Disk) Proxy.newProxyInstance(
                Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("rename") || method.getName().equals("forceNames")) {
                        nowNs += SLOW_NS;
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void finishManyFiles() throws IOException {
        for (int i = 0; i < FILES; i++) {
            LogFile file = store.create(1);
            file.append(new UnsafeBuffer(new byte[50]), 0, 50, nowNs);
            store.finish(file);
        }
    }

    @Test
    void endsARoundInTimeAndDoesTheRestInTheNextOnes() throws IOException {
        finishManyFiles();

        for (int round = 0; round < 2 * FILES && finished.size() < FILES; round++) {
            long beganNs = nowNs;
            long before = keeper.progress();
            keeper.doWork();
            assertThat(nowNs - beganNs).isLessThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(400));
            assertThat(keeper.progress()).isGreaterThan(before);
        }

        assertThat(finished).hasSize(FILES);
    }

    @Test
    void doesEverythingAtTheEnd() throws IOException {
        finishManyFiles();

        keeper.onClose();

        assertThat(finished).hasSize(FILES);
    }
}
