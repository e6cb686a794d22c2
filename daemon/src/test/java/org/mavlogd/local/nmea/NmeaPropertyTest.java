package org.mavlogd.local.nmea;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.feed.LocalTopic;
import org.mavlogd.local.TakenSamples;
import org.mavlogd.metrics.Metrics;

/** Damaged and random bytes, from a printed seed. */
class NmeaPropertyTest {
    private static final String[] GOOD = {
        "$GPRMC,123519.25,A,4807.038,N,01131.000,W,022.4,084.4,230394,003.1,W,A",
        "$GPGGA,235959.99,5321.6802,S,00630.3372,E,2,08,1.03,61.7,M,55.2,M,1.2,0123",
        "$GPVTG,054.7,T,034.4,M,005.5,N,010.2,K,A",
        "$GNGSA,A,3,04,05,,09,12,,,24,,,,,2.5,1.3,2.1,1",
        "$HEHDT,274.07,T",
        "$HCHDG,101.1,1.5,W,7.1,E",
        "$TIROT,-30.0,A",
        "$SDDBT,7.7,f,2.3,M,1.3,F",
        "$SDDPT,2.4,-0.5,100",
        "$WIMWV,214.8,R,10.0,N,A",
        "$WIMWD,320,T,305,M,15.0,N,7.7,M",
        "$VWVHW,010,T,005,M,3.6,N,6.7,K",
        "$YXMTW,17.75,C",
        "$VWVLW,2.8,N,1.0,N",
        "$IIXDR,C,19.52,C,TempAir,P,1.02481,B,Barometer",
        "$GPZDA,201530.00,04,07,2002,-03,30",
        "$PGRME,15.0,M,45.0,M,25.0,M",
        "!AIVDM,1,1,,A,14eG;o@034o8sd<L9i:a;WF>062D,0"
    };
    private static final String ALPHABET = "$!*,\r\n.-+0123456789ABCDEFGNSWTMKREexX\0\u007f\u00ff";

    @Test
    void survivesWhateverComes() {
        long seed = Long.getLong("seed", 20_261_121L);
        System.out.println("NmeaPropertyTest: seed " + seed);
        Random random = new Random(seed);
        LocalFeed feed = new LocalFeed("fuzz", 1 << 20);
        TakenSamples taken = new TakenSamples(feed);
        Metrics metrics = new Metrics();
        NmeaSource source = new NmeaSource(new NmeaSource.Settings("fuzz", 3, false), feed.publisher(), metrics);
        NmeaCounters counters = NmeaCounters.register(metrics, "fuzz");
        FakePeer[] peers = {FakePeer.stream("a"), FakePeer.datagrams("b"), FakePeer.stream("c")};

        long published = 0;
        for (int round = 0; round < 8_000; round++) {
            FakePeer peer = peers[random.nextInt(peers.length)];
            byte[] bytes = text(random).getBytes(StandardCharsets.ISO_8859_1);
            int cut = random.nextInt(bytes.length + 1);
            source.onBytes(peer, bytes, 0, cut, round);
            source.onBytes(peer, bytes, cut, bytes.length - cut, round);
            if (random.nextInt(100) == 0) {
                source.onPeerDown(peer, round);
            }
            source.onTick(round * 1_000_000L);
            for (TakenSamples.Sample sample : taken.take()) {
                published++;
                assertThat(sample.instance()).isBetween(3, 63);
            }
        }

        assertThat(published).isGreaterThan(4_000);
        assertThat(counters.malformed().get()).isPositive();
        assertThat(counters.badChecksum().get()).isPositive();
    }

    @Test
    void hearingAllocatesNothing() {
        LocalFeed feed = new LocalFeed("hot", 1 << 16);
        NmeaSource source = new NmeaSource(new NmeaSource.Settings("hot", 0, false), feed.publisher(), new Metrics());
        FakePeer peer = FakePeer.stream("a");
        byte[] bytes = String.join("\r\n", GOOD).concat("\r\n").getBytes(StandardCharsets.US_ASCII);
        LocalFeed.Consumer consumer = feed.consumer(new IgnoringHandler());
        long before = 0;
        for (int i = 0; i < 12_000; i++) {
            if (i == 8_000) {
                before = allocated();
            }
            source.onBytes(peer, bytes, 0, bytes.length, i);
            consumer.drain(100);
        }

        // XDR's names are strings from one reused builder; the rest is the measurement itself.
        assertThat((allocated() - before) / 4_000).isLessThan(8);
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    private static String text(Random random) {
        StringBuilder line = new StringBuilder(GOOD[random.nextInt(GOOD.length)]);
        if (random.nextBoolean()) {
            int sum = line.chars().skip(1).reduce(0, (a, b) -> a ^ b);
            line.append(String.format("*%02X", sum));
        }
        int damages = Math.max(0, random.nextInt(6) - 2);
        for (int i = 0; i < damages; i++) {
            int at = random.nextInt(line.length());
            char c = ALPHABET.charAt(random.nextInt(ALPHABET.length()));
            switch (random.nextInt(4)) {
                case 0 -> line.setCharAt(at, c);
                case 1 -> line.insert(at, c);
                case 2 -> line.delete(at, Math.min(line.length(), at + random.nextInt(12)));
                default -> line.insert(at, String.valueOf(c).repeat(random.nextInt(300)));
            }
            if (line.isEmpty()) {
                line.append('$');
            }
        }
        return line.append(random.nextInt(20) == 0 ? "" : "\r\n").toString();
    }

    private static final class IgnoringHandler implements LocalFeed.Handler {
        @Override
        public void onSample(
                LocalTopic topic, int instance, long takenNs, DirectBuffer buffer, int offset, int length) {
            // Ignored.
        }

        @Override
        public void onText(int level, int tag, long takenNs, DirectBuffer buffer, int offset, int length) {
            // Ignored.
        }
    }
}
