package org.mavlogd.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.config.UploadSettings.Order;
import org.mavlogd.fleet.state.Transfer;
import org.mavlogd.fleet.state.TransferStore;
import org.mavlogd.fleet.state.Version;

/** Tests the small parts individually. */
class UploadPartsTest {
    private static LogFile file(long number, boolean hasCrash) {
        return new LogFile(
                "log" + number + ".ulg",
                "log" + number,
                7,
                number,
                Optional.of(Instant.parse("2026-11-21T23:59:59Z")),
                new Version(1, 1),
                hasCrash,
                true,
                false);
    }

    private static List<Long> sorted(Order order, boolean crashFirst) {
        return Stream.of(file(2, false), file(1, true), file(3, false))
                .sorted(FinishedLogs.comparator(order, crashFirst))
                .map(LogFile::number)
                .toList();
    }

    @Test
    void crashesComeFirstThenTheNewest() {
        assertThat(sorted(Order.NEWEST, true)).containsExactly(1L, 3L, 2L);
        assertThat(sorted(Order.NEWEST, false)).containsExactly(3L, 2L, 1L);
        assertThat(sorted(Order.OLDEST, true)).containsExactly(1L, 2L, 3L);
    }

    @Test
    void keysHoldNothingButPlainCharacters() {
        LogFile log = file(1, false);

        assertThat(new KeyName("{vehicle}/{year}/{month}/{day}/{system}_{name}", "")
                        .of(log, log.name(), "../../etc/x y"))
                .isEqualTo("__.._etc_x_y/2026/11/21/sys007_log1.ulg");
        assertThat(new KeyName("{vehicle}/{name}", "rover-7").of(log, log.name(), "abc"))
                .isEqualTo("rover-7/log1.ulg");
        assertThat(new KeyName("{vehicle}/{log}/{name}", "").of(log, log.name(), ""))
                .isEqualTo("sys007/log1/log1.ulg");
        assertThat(KeyName.plain("..")).isEqualTo("_");
        assertThat(KeyName.plain("a".repeat(500))).hasSize(128);
    }

    @Test
    void theRateHoldsOverManySeconds() throws InterruptedException {
        AtomicLong nowNs = new AtomicLong(1_000_000_000L);
        RateLimit limit = new RateLimit(1_000_000, nowNs::get, nowNs::addAndGet);

        for (int i = 0; i < 160; i++) {
            limit.pass(64 << 10);
        }

        assertThat(limit.totalBytes()).isEqualTo(160L * (64 << 10));
        assertThat(nowNs.get() - 1_000_000_000L).isBetween(10_000_000_000L, 10_600_000_000L);
    }

    @Test
    void delaysGrowToTheirLimitAndAreRandom() {
        Backoff longest = new Backoff(5, 100, () -> 1);
        Backoff shortest = new Backoff(5, 100, () -> 0);

        List<Long> delays = new ArrayList<>();
        for (int failures : new int[] {1, 2, 3, 4, 5, 6, 1000}) {
            delays.add(longest.delayNs(failures));
        }

        assertThat(delays).containsExactly(5L, 10L, 20L, 40L, 80L, 100L, 100L);
        assertThat(shortest.delayNs(6)).isEqualTo(50);
    }

    private static Work work(long number) {
        return new Work("log" + number, file(number, false), new Version(1, 1), "sum", null);
    }

    /** The order of attempts, as file names without "log", while some files fail. */
    private static String tried(
            SendOrder order, Map<String, Integer> failures, Set<String> sent, Predicate<Work> fails, int tries) {
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < tries; i++) {
            Optional<Work> next =
                    order.next(work -> !sent.contains(work.name()), work -> failures.getOrDefault(work.name(), 0), 0);
            names.append(next.map(work -> work.name().substring(3)).orElse("-"));
            next.ifPresent(work -> {
                if (!fails.test(work)) {
                    sent.add(work.name());
                    order.onSent(work);
                } else if (order.onFailure(work, failures.merge(work.name(), 1, Integer::sum))) {
                    order.postpone(work, 1);
                }
            });
        }
        return names.toString();
    }

    @Test
    void aFileThatAlwaysFailsDoesNotKeepTheOthers() {
        SendOrder order = new SendOrder();
        order.offer(List.of(work(1), work(2), work(3), work(4)));
        Map<String, Integer> failures = new HashMap<>();
        Set<String> sent = new HashSet<>();

        assertThat(tried(order, failures, sent, work -> work.name().equals("log1"), 8))
                .isEqualTo("1112134-");

        SendOrder ofNextRun = new SendOrder();
        ofNextRun.offer(List.of(work(5), work(1), work(6)));
        assertThat(tried(ofNextRun, failures, sent, work -> work.name().equals("log1"), 4))
                .isEqualTo("516-");
    }

    @Test
    void aServerThatFailsForAWhileDoesNotChangeTheOrder() {
        SendOrder order = new SendOrder();
        order.offer(List.of(work(1), work(2), work(3)));
        Map<String, Integer> failures = new HashMap<>();
        Set<String> sent = new HashSet<>();

        tried(order, failures, sent, work -> true, 7);

        assertThat(tried(order, failures, sent, work -> false, 3)).isEqualTo("312");
    }

    @Test
    void notesComeBackAndBrokenOnesDoNotCount(@TempDir Path directory) throws IOException {
        TransferStore store = new TransferStore(directory);
        Transfer transfer = Transfer.of(new Version(4711, 12), "abc")
                .withKey("a/b c.ulg")
                .withResume("id")
                .failed("no\nroute", 1);

        store.write("x.ulg", transfer);

        assertThat(store.read("x.ulg"))
                .hasValueSatisfying(read -> assertThat(read.problem()).isEqualTo("no route"))
                .hasValueSatisfying(read -> assertThat(read.withKey(""))
                        .isEqualTo(new Transfer(
                                Transfer.Status.WAITING,
                                new Version(4711, 12),
                                "abc",
                                "",
                                "id",
                                "",
                                "",
                                "no route",
                                1,
                                0)));
        assertThat(store.read("y.ulg")).isEmpty();
        Path note = directory.resolve("x.ulg.transfer");
        String text = Files.readString(note);
        for (int length = 0; length < text.length() - 1; length++) {
            Files.writeString(note, text.substring(0, length));
            assertThat(store.read("x.ulg")).as("%d bytes", length).isEmpty();
        }
    }

    /** There may be very many logs, and the backlog is made again after each that was read. */
    @Test
    void eachManifestIsMadeOnce(@TempDir Path directory) throws IOException {
        UploadFixture fixture = new UploadFixture(directory);
        FactsStore facts = new FactsStore(directory.resolve("facts"), UploadFixture.QUICK);
        BacklogAssembler assembler = new BacklogAssembler(facts);
        List<LogFile> two = found(fixture, 1, 2);
        facts.read(two.get(0), fixture.logs().resolve(two.get(0).name()));
        Backlog first = assembler.of(two);
        facts.read(two.get(1), fixture.logs().resolve(two.get(1).name()));

        Backlog second = assembler.of(two);

        assertThat(first.manifests()).hasSize(1);
        assertThat(first.unread()).containsExactly(two.get(1));
        assertThat(second.manifests()).hasSize(2);
        assertThat(second.manifests().get(0)).isSameAs(first.manifests().get(0));
        assertThat(second.manifests().get(1).text(facts))
                .contains("\"file\":\"" + UploadFixture.name(2) + '"', "\"complete\":true");
    }

    @Test
    void ofALogWithAnUnreadableFileTheOthersAreOffered(@TempDir Path directory) throws IOException {
        UploadFixture fixture = new UploadFixture(directory);
        FactsStore facts = new FactsStore(directory.resolve("facts"), UploadFixture.QUICK);
        BacklogAssembler assembler = new BacklogAssembler(facts);
        fixture.log(UploadFixture.name(1).replace(".ulg", "_000002.ulg"), 2, 10_000);
        List<LogFile> files = found(fixture, 1);
        facts.read(files.get(0), fixture.logs().resolve(files.get(0).name()));
        assertThat(assembler.of(files).files()).isEmpty();

        facts.read(files.get(1), directory);

        Backlog partly = assembler.of(files);
        assertThat(facts.problem(files.get(1))).startsWith("the file cannot be read: ");
        assertThat(partly.files()).containsExactly(files.get(0));
        assertThat(partly.unread()).containsExactly(files.get(1));
        assertThat(partly.manifests().get(0).text(facts))
                .contains("\"complete\":false", files.get(0).name())
                .doesNotContain(files.get(1).name());
        facts.read(files.get(1), fixture.logs().resolve(files.get(1).name()));
        Backlog complete = assembler.of(files);
        assertThat(complete.files()).isEqualTo(files);
        assertThat(complete.manifests().get(0).text(facts))
                .contains("\"complete\":true", files.get(1).name());
    }

    @Test
    void anUnreadableFileIsTriedAgainLater(@TempDir Path directory) throws IOException {
        UploadFixture fixture = new UploadFixture(directory);
        long delayNs = TimeUnit.HOURS.toNanos(1);
        FactsStore facts = new FactsStore(directory.resolve("facts"), new Backoff(delayNs, delayNs, () -> 1));
        LogFile file = found(fixture, 1).get(0);
        assertThat(facts.isDue(file, System.nanoTime())).isTrue();

        facts.read(file, directory);

        assertThat(facts.isDue(file, System.nanoTime())).isFalse();
        assertThat(facts.isDue(file, System.nanoTime() + delayNs)).isTrue();
        facts.read(file, fixture.logs().resolve(file.name()));
        assertThat(facts.problem(file)).isEmpty();
        assertThat(facts.of(file)).isPresent();
    }

    /** The state directory may be full while there are many large logs. */
    @Test
    void aFileIsNotReadAgainBecauseItsFactsCouldNotBeStored(@TempDir Path directory) throws IOException {
        UploadFixture fixture = new UploadFixture(directory);
        FactsStore facts = new FactsStore(directory.resolve("facts"), UploadFixture.QUICK);
        LogFile file = found(fixture, 1).get(0);
        Path inTheWay = Files.createDirectory(directory.resolve("facts").resolve(file.name() + ".json.new"));

        facts.read(file, fixture.logs().resolve(file.name()));

        assertThat(facts.of(file)).isEmpty();
        assertThat(facts.problem(file)).startsWith("its facts cannot be stored: ");
        Files.delete(inTheWay);
        facts.read(file, directory.resolve("unreadable"));
        assertThat(facts.of(file)).isPresent();
    }

    private static List<LogFile> found(UploadFixture fixture, int... numbers) throws IOException {
        for (int number : numbers) {
            fixture.log(number, 10_000);
        }
        return new FinishedLogs(fixture.logs(), Order.OLDEST, false).look();
    }

    @Test
    void metricsAreInPrometheusForm() {
        String text = MetricsText.of(5, 10, true, List.of(new MetricsText.Target("s3", 2, 3, true)));

        assertThat(text)
                .contains("# TYPE mavlogd_upload_sent_bytes_total counter\nmavlogd_upload_sent_bytes_total 10\n")
                .contains("mavlogd_upload_backlog_bytes{target=\"s3\"} 3\n")
                .contains("mavlogd_upload_failing{target=\"s3\"} 1\n", "mavlogd_upload_waiting 1\n");
    }
}
