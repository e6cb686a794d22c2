package org.mavlogd.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.simulate.DownloadWorld.SECOND_NS;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mavlogd.fetch.FetchClient;
import org.mavlogd.fetch.FetchSession;
import org.mavlogd.fetch.MemoryClient;
import org.mavlogd.fetch.PartFile;
import org.mavlogd.fetch.RemoteLog;
import org.mavlogd.mavlink.Heartbeat;

/**
 * Logs are fetched over links with many kinds of faults: each log is complete and correct, or the failure is reported
 * correctly.
 */
class FetchSimulationTest {
    private static final int SEEDS = 120;
    private static final long PATIENCE_NS = 90 * SECOND_NS;
    private static final long LONGEST_NS = 600 * SECOND_NS;

    /** The kind of vehicle and protocol. */
    enum Kind {
        ARDUPILOT_MESSAGES(Heartbeat.AUTOPILOT_ARDUPILOT, FetchClient.Way.MESSAGES),
        ARDUPILOT_FTP(Heartbeat.AUTOPILOT_ARDUPILOT, FetchClient.Way.FTP),
        PX4_MESSAGES(Heartbeat.AUTOPILOT_PX4, FetchClient.Way.MESSAGES),
        PX4_FTP(Heartbeat.AUTOPILOT_PX4, FetchClient.Way.FTP);

        private final int autopilot;
        private final FetchClient.Way way;

        Kind(int autopilot, FetchClient.Way way) {
            this.autopilot = autopilot;
            this.way = way;
        }

        private boolean isArduPilot() {
            return autopilot == Heartbeat.AUTOPILOT_ARDUPILOT;
        }

        /** Id of the n-th log, counted from 0. */
        private int id(int index) {
            return way == FetchClient.Way.FTP || isArduPilot() ? index + 1 : index;
        }

        private List<LogCard.StoredLog> logs(Random random, int count) {
            List<LogCard.StoredLog> logs = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                byte[] bytes = new byte[1 + random.nextInt(random.nextBoolean() ? 60_000 : 1000)];
                random.nextBytes(bytes);
                String name =
                        String.format(Locale.ROOT, isArduPilot() ? "%08d.BIN" : "2026-11-%02d/12_34_56.ulg", i + 1);
                logs.add(new LogCard.StoredLog(name, bytes, 1_795_178_096L + i));
            }
            return logs;
        }

        private FetchSession.Wish wish() {
            return new FetchSession.Wish(List.of(way), PATIENCE_NS, true);
        }
    }

    private static LossySettings badLink(Random random, long seed) {
        return DownloadWorld.perfect(seed)
                .withLoss(random.nextInt(4) == 0 ? 0 : random.nextInt(20), 1 + random.nextInt(6))
                .withDuplicates(random.nextInt(10))
                .withReordering(random.nextInt(20))
                .withCorruption(random.nextInt(3))
                .withDelayNs((1 + random.nextInt(200)) * 1_000_000L);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void everyLogIsWholeAndRightOverABadLink(Kind kind) {
        long checksums = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            Random random = new Random(seed);
            List<LogCard.StoredLog> logs = kind.logs(random, 1 + random.nextInt(4));
            DownloadWorld world =
                    new DownloadWorld(kind.autopilot, logs, badLink(random, seed), 20_000 + random.nextInt(400_000));
            MemoryClient client = new MemoryClient(list -> list, seed, random.nextInt(10) / 100.0);
            world.begin(kind.wish(), client);
            long cutNs = random.nextInt(6) * SECOND_NS;
            world.run(random.nextInt(3000) * 1_000_000L);
            world.cut(true);
            world.run(cutNs);
            world.cut(false);
            world.run(LONGEST_NS);

            assertThat(client.end()).as(kind + ", seed " + seed).isEmpty();
            assertComplete(kind, seed, logs, client);
            checksums += client.whole().values().stream()
                    .filter(OptionalInt::isPresent)
                    .count();
        }
        if (kind.way == FetchClient.Way.FTP) {
            assertThat(checksums).isGreaterThan(SEEDS);
        } else {
            assertThat(checksums).isZero();
        }
    }

    private static void assertComplete(Kind kind, long seed, List<LogCard.StoredLog> logs, MemoryClient client) {
        assertThat(client.cut()).as(kind + ", seed " + seed).isEmpty();
        assertThat(client.whole()).as(kind + ", seed " + seed).hasSize(logs.size());
        for (int i = 0; i < logs.size(); i++) {
            assertThat(client.content(kind.id(i)))
                    .as(kind + ", seed " + seed + ", log " + i)
                    .isEqualTo(logs.get(i).bytes());
            OptionalInt told = client.whole().getOrDefault(kind.id(i), OptionalInt.empty());
            if (told.isPresent()) {
                PartFile.Checksum sum = new PartFile.Checksum();
                sum.update(logs.get(i).bytes(), 0, logs.get(i).bytes().length);
                assertThat(told).hasValue(sum.value());
            }
        }
    }

    /** ArduPilot refuses to open a log whose first opening it answered in vain. */
    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"ARDUPILOT_FTP", "PX4_FTP"})
    void aLostReplyCostsNoLogItsCheck(Kind kind) {
        int seeds = 300;
        int unverified = 0;
        for (long seed = 1; seed <= seeds; seed++) {
            List<LogCard.StoredLog> logs = kind.logs(new Random(seed), 1);
            DownloadWorld world = new DownloadWorld(
                    kind.autopilot, logs, DownloadWorld.perfect(seed).withLoss(5, 2), 400_000);
            MemoryClient client = MemoryClient.ofAll();
            world.begin(kind.wish(), client);
            world.run(LONGEST_NS);

            assertComplete(kind, seed, logs, client);
            unverified += client.whole().containsValue(OptionalInt.empty()) ? 1 : 0;
        }
        assertThat(unverified).as("logs without a checksum").isLessThanOrEqualTo(seeds / 100);
    }

    /** Reboots, logs that vanish, grow or appear, arming, and long outages, in any order. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void aLogIsRightOrHonestlyCutWhateverHappens(Kind kind) {
        int wholes = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            Random random = new Random(1000 + seed);
            List<LogCard.StoredLog> logs = kind.logs(random, 1 + random.nextInt(4));
            List<LogCard.StoredLog> everThere = new ArrayList<>(logs);
            DownloadWorld world =
                    new DownloadWorld(kind.autopilot, logs, badLink(random, seed), 20_000 + random.nextInt(200_000));
            MemoryClient client = new MemoryClient(list -> list, seed, 0);
            world.begin(kind.wish(), client);
            for (int event = 0; event < 4; event++) {
                world.run(random.nextInt(2500) * 1_000_000L);
                logs = happen(random, kind, world, logs);
                everThere.addAll(logs);
            }
            world.cut(false);
            world.armed(false);
            world.run(LONGEST_NS);

            assertThat(world.isEnded()).as(kind + ", seed " + seed).isTrue();
            for (Map.Entry<Integer, ?> log : client.whole().entrySet()) {
                assertRight(kind, seed, everThere, client, log.getKey());
                wholes++;
            }
            if (client.whole().size() < client.list().size()) {
                assertThat(client.end() + client.cut())
                        .as(kind + ", seed " + seed)
                        .hasSizeGreaterThan(10);
            }
        }
        assertThat(wholes).isGreaterThan(SEEDS / 2);
    }

    /** Checks that the data is the start of a log that the vehicle has or had. */
    private static void assertRight(
            Kind kind, long seed, List<LogCard.StoredLog> everThere, MemoryClient client, int id) {
        byte[] content = client.content(id);
        boolean isOfOne = everThere.stream()
                .anyMatch(log -> log.length() >= content.length
                        && Arrays.equals(log.bytes(), 0, content.length, content, 0, content.length));
        assertThat(isOfOne).as(kind + ", seed " + seed + ", log " + id).isTrue();
    }

    private static List<LogCard.StoredLog> happen(
            Random random, Kind kind, DownloadWorld world, List<LogCard.StoredLog> logs) {
        List<LogCard.StoredLog> next = new ArrayList<>(logs);
        switch (random.nextInt(6)) {
            case 0 -> world.cut(true);
            case 1 -> world.cut(false);
            case 2 -> {
                if (random.nextInt(4) == 0) {
                    world.armed(true);
                }
            }
            case 3 -> {
                next.remove(0);
                next.addAll(kind.logs(random, 1).stream()
                        .map(log -> new LogCard.StoredLog(log.name().replace("01", "09"), log.bytes(), log.utcS() + 77))
                        .toList());
            }
            case 4 -> {
                LogCard.StoredLog last = next.remove(next.size() - 1);
                byte[] more = Arrays.copyOf(last.bytes(), last.bytes().length + 500);
                next.add(new LogCard.StoredLog(last.name(), more, last.utcS()));
            }
            default -> {}
        }
        if (!next.equals(logs) || random.nextInt(3) == 0) {
            world.reboot(next, 3 * SECOND_NS);
        }
        return next;
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void armingEndsItAtOnceAndWhatCameIsKept(Kind kind) {
        byte[] bytes = new byte[1_200_000];
        new Random(9).nextBytes(bytes);
        List<LogCard.StoredLog> logs =
                List.of(new LogCard.StoredLog(kind.isArduPilot() ? "00000001.BIN" : "sess001/log001.ulg", bytes, 0));
        DownloadWorld world = new DownloadWorld(kind.autopilot, logs, DownloadWorld.perfect(1), 50_000);
        MemoryClient client = MemoryClient.ofAll();
        world.begin(kind.wish(), client);
        world.run(4 * SECOND_NS);
        world.armed(true);
        world.run(1_100_000_000L);

        assertThat(client.end()).contains("armed");
        assertThat(client.cut()).containsOnlyKeys(kind.id(0));
        assertThat(client.missing(kind.id(0)).bytes()).isBetween(600_000L, 1_199_999L);
        long said = world.sent();
        for (int i = 0; i < 5000; i++) {
            world.step();
        }
        assertThat(world.sent()).as("said after the end").isLessThanOrEqualTo(said + 5);

        world.armed(false);
        client.again();
        world.begin(kind.wish(), client);
        world.run(60 * SECOND_NS);
        assertThat(client.end()).isEmpty();
        assertThat(client.content(kind.id(0))).isEqualTo(logs.get(0).bytes());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aSilentVehicleIsGivenUp(Kind kind) {
        DownloadWorld world =
                new DownloadWorld(kind.autopilot, kind.logs(new Random(1), 2), DownloadWorld.perfect(1), 0);
        world.cut(true);
        MemoryClient client = MemoryClient.ofAll();
        world.begin(kind.wish(), client);
        world.run(LONGEST_NS);

        assertThat(client.end()).isNotEmpty();
        assertThat(world.sent()).isLessThan(40);
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"ARDUPILOT_FTP", "PX4_FTP"})
    void theChecksumOfALogThatGrowsIsNotCompared(Kind kind) {
        List<LogCard.StoredLog> logs = kind.logs(new Random(4), 1);
        LogCard.StoredLog before = logs.get(0);
        byte[] more = Arrays.copyOf(before.bytes(), before.bytes().length + 333);
        DownloadWorld world = new DownloadWorld(kind.autopilot, logs, DownloadWorld.perfect(1), 0);
        world.growingTo(List.of(new LogCard.StoredLog(before.name(), more, before.utcS())));
        MemoryClient client = MemoryClient.ofAll();
        world.begin(kind.wish(), client);
        world.run(60 * SECOND_NS);

        assertThat(client.end()).isEmpty();
        assertThat(client.whole()).containsOnlyKeys(1).containsValue(OptionalInt.empty());
        assertThat(client.content(1)).isEqualTo(before.bytes());
    }

    /** On a router, {@code mavlogd fetch} and the recorder get each other's replies: both have the same address. */
    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"ARDUPILOT_FTP", "PX4_FTP"})
    void twoProgramsAtOneAddressDoNotMixTheirLogs(Kind kind) {
        for (long seed = 1; seed <= 20; seed++) {
            byte[][] bytes = {new byte[600_000], new byte[600_000]};
            List<LogCard.StoredLog> logs = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                new Random(seed + i).nextBytes(bytes[i]);
                String name = kind.isArduPilot() ? "0000000" + (i + 1) + ".BIN" : "sess001/log00" + i + ".ulg";
                logs.add(new LogCard.StoredLog(name, bytes[i], 0));
            }
            DownloadWorld world = new DownloadWorld(
                    kind.autopilot, logs, DownloadWorld.perfect(seed).withLoss(2, 2), 50_000);
            FetchSession.Wish wish = new FetchSession.Wish(List.of(FetchClient.Way.FTP), PATIENCE_NS, false);
            MemoryClient first = new MemoryClient(list -> list.subList(0, 1), seed, 0);
            MemoryClient second = new MemoryClient(list -> list.subList(1, 2), seed, 0);
            world.begin(wish, first);
            world.run(new Random(seed).nextInt(8000) * 1_000_000L);
            world.beginBeside(wish, second);
            world.run(200 * SECOND_NS);

            assertThat(first.whole()).as("seed " + seed).containsOnlyKeys(1);
            assertThat(first.content(1)).as("seed " + seed).isEqualTo(bytes[0]);
            if (second.whole().containsKey(2)) {
                assertThat(second.content(2)).as("seed " + seed).isEqualTo(bytes[1]);
            }
        }
    }

    @Test
    void numbersThatBeganAnewGiveTheOrderOfArduPilotsOwnList() {
        List<LogCard.StoredLog> logs = List.of(
                new LogCard.StoredLog("00000001.BIN", new byte[10], 0),
                new LogCard.StoredLog("00000002.BIN", new byte[20], 0));
        List<LogCard.StoredLog> more = new ArrayList<>(logs);
        more.add(new LogCard.StoredLog("00000007.BIN", new byte[70], 0));
        DownloadWorld world = new DownloadWorld(Heartbeat.AUTOPILOT_ARDUPILOT, more, DownloadWorld.perfect(1), 0);
        MemoryClient client = new MemoryClient(list -> List.of(), 1, 0);
        world.begin(Kind.ARDUPILOT_FTP.wish(), client);
        world.run(20 * SECOND_NS);

        // With three logs, the last number of the simulated vehicle is 3.
        assertThat(client.list().stream().map(RemoteLog::length)).containsExactly(70L, 10L, 20L);
        assertThat(client.list().stream().map(RemoteLog::id)).containsExactly(1, 2, 3);
    }

    @Test
    void logMessagesDoWhereThereIsNoFileServer() {
        List<LogCard.StoredLog> logs = Kind.PX4_MESSAGES.logs(new Random(5), 2);
        DownloadWorld world = new DownloadWorld(Heartbeat.AUTOPILOT_PX4, logs, DownloadWorld.perfect(1), 0);
        MemoryClient client = MemoryClient.ofAll();
        world.withoutFiles();
        world.begin(
                new FetchSession.Wish(List.of(FetchClient.Way.FTP, FetchClient.Way.MESSAGES), PATIENCE_NS, true),
                client);
        world.run(60 * SECOND_NS);

        assertThat(client.way()).isEqualTo(FetchClient.Way.MESSAGES);
        assertComplete(Kind.PX4_MESSAGES, 5, logs, client);
    }
}
