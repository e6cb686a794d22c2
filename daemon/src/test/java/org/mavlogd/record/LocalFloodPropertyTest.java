package org.mavlogd.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.local.TextLimiter;
import org.mavlogd.local.TextOutlet;
import org.mavlogd.local.gpsd.GpsdSource;
import org.mavlogd.local.nmea.NmeaSource;
import org.mavlogd.local.publish.FormatClaims;
import org.mavlogd.local.publish.PublishSource;
import org.mavlogd.local.syslog.SyslogSource;
import org.mavlogd.peer.LinkListener;
import org.mavlogd.peer.Peer;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.store.StoreSettings;
import org.mavlogd.tags.TagMap;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.TopicFormat;

/** A source of each kind sends far more than can be recorded, by a printed seed: only its own data is dropped. */
class LocalFloodPropertyTest {
    private static final int ROUNDS = 150;
    private static final int DATAGRAMS = 400;
    private static final int MAX_BYTES_PER_S = 200_000;

    private enum Family {
        PUBLISH {
            @Override
            LinkListener source(RecordingFixture fixture) {
                PublishSource.Settings settings = new PublishSource.Settings(
                        "flood", List.of(), true, name -> -1, new TextLimiter.Limits(20, 50), 7, 65_536);
                return new PublishSource(
                        settings,
                        new FormatClaims(),
                        fixture.firstPublisher,
                        fixture.metrics,
                        () -> 1_790_000_000_000_000_000L,
                        System::nanoTime);
            }

            @Override
            String line(Random random) {
                String name = "t" + random.nextInt(30);
                return switch (random.nextInt(4)) {
                    case 0 -> "{\"text\":\"" + "x".repeat(random.nextInt(900)) + "\",\"id\":3}";
                    case 1 -> "{\"define\":\"" + name + "\",\"fields\":{\"a\":\"float\"},\"id\":4}";
                    default ->
                        "{\"topic\":\"s" + name + "\",\"fields\":{\"a\":" + random.nextDouble() + ",\"s\":\""
                                + "x".repeat(600) + "\"},\"id\":5}";
                };
            }
        },
        NMEA {
            @Override
            LinkListener source(RecordingFixture fixture) {
                return new NmeaSource(
                        new NmeaSource.Settings("flood", 0, false), fixture.firstPublisher, fixture.metrics);
            }

            @Override
            String line(Random random) {
                return "$WIMWV," + random.nextInt(360) + ".5,R,10.0,N,A\r\n$HEHDT," + random.nextInt(360) + ",T\r\n";
            }
        },
        GPSD {
            @Override
            LinkListener source(RecordingFixture fixture) {
                return new GpsdSource(fixture.firstPublisher, fixture.metrics);
            }

            @Override
            String line(Random random) {
                return "{\"class\":\"TPV\",\"device\":\"/dev/gps" + random.nextInt(40) + "\",\"mode\":3,\"lat\":"
                        + random.nextDouble() + "}\n";
            }
        },
        SYSLOG {
            @Override
            LinkListener source(RecordingFixture fixture) {
                TextOutlet outlet = new TextOutlet(
                        "flood",
                        fixture.firstPublisher,
                        TagMap.DEFAULT,
                        new TextLimiter.Limits(100_000, 100_000),
                        fixture.metrics);
                return new SyslogSource(
                        "flood",
                        new SyslogSource.Settings(Map.of(), OptionalInt.of(3), LogLevel.DEBUG),
                        outlet,
                        fixture.metrics);
            }

            @Override
            String line(Random random) {
                return "<30>camerad[" + random.nextInt(900) + "]: " + "y".repeat(1 + random.nextInt(900));
            }
        };

        abstract LinkListener source(RecordingFixture fixture);

        abstract String line(Random random);
    }

    private static final class Program implements Peer {
        private long answers;

        @Override
        public String address() {
            return "/run/flood.sock";
        }

        @Override
        public boolean isDatagram() {
            return true;
        }

        @Override
        public void send(byte[] buffer, int offset, int length) {
            answers++;
        }
    }

    private final FakeDisk disk = new FakeDisk();
    private final RecordingFixture fixture = new RecordingFixture(
            disk,
            StoreSettings.RotationPolicy.NEVER,
            new RecordSettings(
                    "tester 1.0",
                    Map.of(),
                    new RecordSettings.Merge(MAX_BYTES_PER_S, "companion_", RecordSettings.Merge.NewTopics.NEW_FILE),
                    RecordSettings.Standalone.OFF));
    private final Program program = new Program();

    @ParameterizedTest
    @EnumSource(Family.class)
    void floodCostsItsOwnSourceOnly(Family family) throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("LocalFloodPropertyTest: " + family + ", seed " + seed);
        Random random = new Random(seed);
        LocalSample quiet =
                fixture.secondPublisher.declare(TopicFormat.parse("quiet:uint64_t timestamp;int32_t v;"), Map.of());
        LinkListener source = family.source(fixture);
        LogBytes log = LogBytes.withTopic();
        for (int i = 0; i < 3000; i++) {
            log.sample(7, 2_000_000 + i * 1000L);
        }
        byte[] sent = log.toBytes();
        int[] offsets = LogBytes.firstMessageOffsets(sent, LogBytes.CHUNK_LENGTH);
        int done = play(sent, offsets, 0, 4);

        for (int round = 0; round < ROUNDS; round++) {
            flood(family, source, random);
            assertThat(quiet.begin(0, fixture.nowNs()).integer(round).publish()).isTrue();
            fixture.advanceMs(20);
            done = play(sent, offsets, done, done + 3);
        }
        play(sent, offsets, done, Integer.MAX_VALUE);
        fixture.workForMs(20_000);
        fixture.end(SessionEnd.STOPPED);

        List<byte[]> files =
                disk.storedNames().stream().sorted().map(disk::bytes).toList();
        assertThat(LogParts.join(files.stream().map(MergedLog::withoutLocal).toList()))
                .isEqualTo(sent);
        assertThat(files.stream().flatMap(file -> MergedLog.of(file).samples("quiet").stream()))
                .extracting(MergedLog.Sample::firstInt)
                .hasSize(ROUNDS)
                .isSorted();
        assertThat(fixture.first.refused()).as("the flood was one").isPositive();
        assertThat(program.answers).isLessThan(1000);
    }

    private void flood(Family family, LinkListener source, Random random) {
        for (int i = 0; i < DATAGRAMS; i++) {
            byte[] bytes = family.line(random).getBytes(StandardCharsets.UTF_8);
            if (random.nextInt(20) == 0) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            source.onBytes(program, bytes, 0, bytes.length, fixture.nowNs());
        }
        source.onTick(fixture.nowNs());
    }

    private int play(byte[] log, int[] offsets, int from, int to) {
        int end = Math.min(to, offsets.length);
        for (int i = from; i < end; i++) {
            fixture.advanceMs(1);
            fixture.chunk(BytesChunk.of(log, offsets, i));
        }
        return end;
    }
}
