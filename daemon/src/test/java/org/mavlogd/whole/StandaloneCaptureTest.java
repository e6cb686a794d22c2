package org.mavlogd.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mavlogd.dataflash.Mapped;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.local.TextLimiter;
import org.mavlogd.local.TextOutlet;
import org.mavlogd.local.heard.ClockTopic;
import org.mavlogd.local.heard.HeardMessages;
import org.mavlogd.local.heard.HeardSettings;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.record.Recorder;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.signing.Signing;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.StoreSettings;
import org.mavlogd.tags.TagMap;
import org.mavlogd.vehicle.ConversationSettings;
import org.mavlogd.vehicle.LinkConversations;
import org.mavlogd.vehicle.LinkFeeds;
import org.mavlogd.vehicle.VehicleClaims;
import org.mavlogd.vehicle.VehicleLogs;

/** A rover that streams no log is recorded anyway: its messages and its ground station's, on the disk. */
class StandaloneCaptureTest {
    private static final RecordSettings.Standalone AT_ONCE = new RecordSettings.Standalone(true, 0, ZoneOffset.UTC);

    private final Metrics metrics = new Metrics();
    private final FakeDisk disk = new FakeDisk();
    private final Feed feed = new Feed("a", 1 << 16);
    private final LocalFeed local = new LocalFeed("link.a", 1 << 20);
    private long nowNs;

    @Test
    void everyMessageIsInATopicOfItsOwnAndTextsAndParametersAreThere() throws IOException {
        record();

        List<Mapped> files = new ArrayList<>();
        for (Map.Entry<String, byte[]> file : disk.contents().entrySet()) {
            assertThat(file.getKey()).matches(".*_local_\\d+(_\\d+)?\\.ulg");
            files.add(Mapped.read(file.getValue()));
        }
        Map<String, Integer> expected = byTopic();
        assertThat(expected).hasSizeGreaterThan(40);
        assertThat(byTopic(files)).isEqualTo(expected);
        assertThat(vehicleTexts(files))
                .hasSize(43)
                .contains("Barometer 1 calibration complete", "Reached waypoint #4", "Throttle disarmed");
        assertThat(new TreeSet<>(parameterNames(files)))
                .hasSizeGreaterThan(1200)
                .contains("LOG_BACKEND_TYPE", "CRUISE_SPEED");
        assertThat(files.get(0).infoNames()).contains("recorder_start_utc_us", "time_ref_utc");
    }

    /** All other messages report topics that appeared. */
    private static List<String> vehicleTexts(List<Mapped> files) {
        return files.stream()
                .flatMap(file -> file.texts().stream())
                .map(text -> text.text())
                .filter(text -> !text.startsWith("topic mavlink_"))
                .toList();
    }

    private static List<String> parameterNames(List<Mapped> files) {
        return files.stream()
                .flatMap(file -> file.rows("mavlink_param_value").stream())
                .map(row -> String.valueOf(row.getOrDefault("param_id", "")))
                .toList();
    }

    private static Map<String, Integer> byTopic() throws IOException {
        Map<String, Integer> expected = new HashMap<>();
        HeardReplay.expected()
                .forEach((key, count) -> expected.merge(
                        "mavlink_" + key.substring(key.lastIndexOf(',') + 1).toLowerCase(Locale.ROOT),
                        count,
                        Integer::sum));
        return expected;
    }

    private static Map<String, Integer> byTopic(List<Mapped> files) {
        Map<String, Integer> found = new HashMap<>();
        for (Mapped file : files) {
            file.sampleCounts()
                    .forEach((series, count) ->
                            found.merge(series.substring(0, series.indexOf(':')), count.intValue(), Integer::sum));
        }
        return found;
    }

    private void record() throws IOException {
        Keeper keeper = new Keeper(disk, () -> nowNs, (name, bytes) -> {});
        LogStore store = new LogStore(
                disk,
                this::epochMs,
                new StoreSettings(64 << 10, StoreSettings.Durability.ofMs(500), StoreSettings.RotationPolicy.NEVER),
                keeper);
        LocalPublisher publisher = local.publisher();
        LinkConversations link = link(publisher);
        List<Recorder> recorder = new ArrayList<>();
        HeardReplay.run(link, now -> {
            nowNs = now;
            if (recorder.isEmpty()) {
                recorder.add(recorder(store));
            }
            recorder.get(0).doWork();
            keeper.doWork();
        });
        recorder.get(0).onClose();
        keeper.onClose();
    }

    private Recorder recorder(LogStore store) {
        return new Recorder(
                () -> nowNs,
                this::epochMs,
                store,
                metrics,
                new RecordSettings(
                        "test", Map.of(), RecordSettings.Merge.DEFAULT, AT_ONCE, RecordSettings.BlockFiles.BOTH),
                new Recorder.Feeds(List.of(feed), List.of(local)));
    }

    private long epochMs() {
        return TimeUnit.NANOSECONDS.toMillis(nowNs); // the capture's times are UTC
    }

    private LinkConversations link(LocalPublisher publisher) {
        HeardSettings everything = new HeardSettings(
                List.of("*"),
                List.of(),
                HeardSettings.UNLIMITED,
                List.of(),
                HeardSettings.StatusTextMode.AUTO,
                HeardSettings.SenderChoice.LINK);
        return new LinkConversations(
                new LinkFeeds("a", feed.publisher(), new ClockTopic("a", publisher, metrics)),
                new ConversationSettings(0, 192, ConversationSettings.Mode.ALWAYS, 0, TimeUnit.SECONDS.toNanos(5)),
                VehicleLogs.of(new VehicleClaims()),
                Signing.LinkParts.OFF,
                new HeardMessages(
                        "a",
                        everything,
                        new HeardMessages.Instances(),
                        publisher,
                        new TextOutlet("link", publisher, TagMap.DEFAULT, new TextLimiter.Limits(20, 200), metrics),
                        metrics),
                metrics);
    }
}
