package org.mavlogd.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.memory.MemoryShare;

/** The report of a conversation, and refused choices. */
class FetchReportTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final FetchTarget VEHICLE = new FetchTarget(1, 1, Heartbeat.AUTOPILOT_PX4, 191);
    private static final RemoteLog OLD = new RemoteLog(1, 400, 0, "/log/1.ulg");
    private static final RemoteLog NEW = new RemoteLog(2, 700, 0, "/log/2.ulg");

    private final MemoryShare memory = MemoryShare.unlimited();
    private final FetchChannels channels = new FetchChannels(1000);
    private final FetchReport report = new FetchReport(channels.forLink("air", id -> memory), VEHICLE, false, 0);
    private final FetchChannel channel = channels.all().get(0);
    private long nowNs;

    private void tick(boolean isRunning) {
        nowNs += SECOND_NS / 2;
        report.onFrame(nowNs);
        report.onTick(true, isRunning, nowNs);
    }

    private FetchClient list(List<RemoteLog> logs) {
        FetchClient client = report.watch(MemoryClient.ofAll(), new FetchRequest(1, FetchRequest.Kind.FETCH, logs));
        client.onList(logs, FetchClient.Way.FTP);
        return client;
    }

    private void listed(RemoteLog... logs) {
        report.watch(
                        new MemoryClient(found -> List.of(), 1, 0),
                        new FetchRequest(1, FetchRequest.Kind.FETCH, List.of()))
                .onList(List.of(logs), FetchClient.Way.FTP);
        tick(false);
    }

    @Test
    void tellsHowFarTheLogsAre() {
        FetchClient client = list(List.of(OLD, NEW));
        client.begin(OLD, false).orElseThrow().sink().write(0, new byte[400], 0, 400);
        tick(true);
        for (int i = 1; i <= 8; i++) {
            client.onProgress(OLD, 50L * i);
            tick(true);
        }

        FetchStatus.Run run = channel.status().run();
        assertThat(run.bytesPerS()).isBetween(80L, 120L);
        assertThat(run.items().get(0)).isEqualTo(new FetchStatus.Item(OLD, FetchStatus.Phase.FETCHING, 400, ""));
        assertThat(run.items().get(1)).isEqualTo(new FetchStatus.Item(NEW, FetchStatus.Phase.WAITING, 0, ""));

        client.onWhole(OLD, OptionalInt.empty());
        client.begin(NEW, false);
        client.onProgress(NEW, 300);
        client.onCut(NEW, "cancelled");
        client.onEnd("cancelled");
        tick(false);

        FetchStatus last = channel.status();
        assertThat(last.isRunning()).isFalse();
        assertThat(last.run().problem()).isEqualTo("cancelled");
        assertThat(last.run().bytesPerS()).isZero();
        assertThat(last.run().items())
                .containsExactly(
                        new FetchStatus.Item(OLD, FetchStatus.Phase.ARRIVED, 400, ""),
                        new FetchStatus.Item(NEW, FetchStatus.Phase.INCOMPLETE, 300, "cancelled"));
    }

    @Test
    void aLogThatIsGoneFromTheCardIsTold() {
        FetchClient client = report.watch(
                new MemoryClient(found -> List.of(OLD), 1, 0),
                new FetchRequest(1, FetchRequest.Kind.FETCH, List.of(OLD, NEW)));
        client.onList(List.of(OLD), FetchClient.Way.FTP);
        tick(true);

        assertThat(channel.status().run().items()).hasSize(2);
        assertThat(channel.status().run().items().get(1).why()).contains("not in the vehicle's list any more");
    }

    @Test
    void refusesWhatWasNotListed() {
        assertThat(channel.fetch(1, List.of(1))).contains("read again");
        listed(OLD, NEW);
        int list = channel.status().listing().number();

        assertThat(channel.fetch(list + 1, List.of(1))).contains("read again");
        assertThat(channel.fetch(list, List.of())).contains("1 to 100 logs");
        assertThat(channel.fetch(list, IntStream.range(0, 101).boxed().toList()))
                .contains("1 to 100 logs");
        assertThat(channel.fetch(list, List.of(3))).contains("log 3 is not in the list");
        assertThat(channel.fetch(list, List.of(1, 1))).contains("chosen twice");
        assertThat(channel.fetch(list, List.of(1, 2))).contains("max_total_mib");
        assertThat(channel.fetch(list, List.of(2))).isEmpty();
        assertThat(channel.request().logs()).containsExactly(NEW);
    }

    @Test
    void aLongListIsCutToItsNewestAndItsMemoryIsCounted() {
        List<RemoteLog> many = new ArrayList<>();
        for (int i = 0; i < FetchReport.MAX_LISTED + 7; i++) {
            many.add(new RemoteLog(i, 10, 0, "/log/" + i + ".ulg"));
        }
        listed(many.toArray(RemoteLog[]::new));

        FetchStatus.Listing listing = channel.status().listing();
        assertThat(listing.omitted()).isEqualTo(7);
        assertThat(listing.logs()).hasSize(FetchReport.MAX_LISTED).last().isEqualTo(many.get(many.size() - 1));
        assertThat(memory.held()).isPositive();

        listed(OLD);
        assertThat(memory.held()).isLessThan(200);
        report.close();
        assertThat(memory.held()).isZero();
    }
}
