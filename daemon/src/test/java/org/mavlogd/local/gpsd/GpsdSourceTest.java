package org.mavlogd.local.gpsd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.local.TakenSamples;
import org.mavlogd.local.TakenSamples.Sample;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.Peer;

/** Lines as gpsd 3.22 sends them. */
class GpsdSourceTest {
    private static final String TPV = "{\"class\":\"TPV\",\"device\":\"/dev/ttyAMA0\",\"status\":2,\"mode\":3,"
            + "\"time\":\"2021-11-21T12:00:01.250Z\",\"leapseconds\":18,\"ept\":0.005,\"lat\":53.361336500,"
            + "\"lon\":-6.505620333,\"altHAE\":116.900,\"altMSL\":61.700,\"alt\":61.7,\"epx\":2.5,\"epy\":3.1,"
            + "\"epv\":5.2,\"track\":10.3797,\"magtrack\":10.1,\"magvar\":-2.4,\"speed\":0.091,\"climb\":-0.085,"
            + "\"eps\":0.62,\"epc\":10.4,\"geoidSep\":55.2,\"eph\":4.5,\"sep\":7.1}";
    private static final String SKY = "{\"class\":\"SKY\",\"device\":\"/dev/ttyAMA0\",\"xdop\":0.8,\"ydop\":0.7,"
            + "\"vdop\":1.5,\"tdop\":0.9,\"hdop\":1.1,\"gdop\":2.1,\"pdop\":1.9,\"nSat\":3,\"uSat\":2,\"satellites\":["
            + "{\"PRN\":4,\"el\":45.0,\"az\":101.0,\"ss\":38.0,\"used\":true,\"gnssid\":0,\"svid\":4},"
            + "{\"PRN\":9,\"el\":12.0,\"az\":330.0,\"used\":false,\"gnssid\":0,\"svid\":9},"
            + "{\"PRN\":70,\"el\":60.0,\"az\":20.0,\"ss\":41.5,\"used\":true,\"gnssid\":6,\"svid\":6,\"x\":[1,{}]}]}";
    private static final String ATT = "{\"class\":\"ATT\",\"device\":\"/dev/imu\",\"time\":\"2021-11-21T12:00:01Z\","
            + "\"heading\":14223.00,\"mag_st\":\"N\",\"pitch\":169.00,\"pitch_st\":\"N\",\"roll\":-43.00,"
            + "\"roll_st\":\"N\",\"dip\":13641.000,\"mag_x\":2454.000}";

    private final LocalFeed feed = new LocalFeed("gpsd", 1 << 20);
    private final TakenSamples taken = new TakenSamples(feed);
    private final Metrics metrics = new Metrics();
    private final GpsdSource source = new GpsdSource(feed.publisher(), metrics);
    private final Daemon daemon = new Daemon();

    @Test
    void asksForReportsWhenItIsConnected() {
        source.onPeerUp(daemon, 1);

        assertThat(daemon.heard).containsExactly("?WATCH={\"enable\":true,\"json\":true};\n");
    }

    @Test
    void publishesPositions() {
        hear(TPV);

        Sample tpv = taken.take("gpsd_tpv").get(0);

        assertThat(tpv.number("utc")).isEqualTo(1_637_496_001_250_000.0);
        assertThat(tpv.number("latitude")).isEqualTo(53.3613365);
        assertThat(tpv.number("longitude")).isEqualTo(-6.505620333);
        assertThat(tpv.number("altitude_msl")).isEqualTo(61.7);
        assertThat(tpv.number("speed")).isCloseTo(0.091, within(1e-6));
        assertThat(tpv.number("velocity_north")).isNaN();
        assertThat(tpv.number("mode")).isEqualTo(3);
        assertThat(tpv.number("status")).isEqualTo(2);
        assertThat(tpv.text("device")).isEqualTo("/dev/ttyAMA0");
        assertThat(tpv.unit("course")).isEqualTo("deg");
    }

    @Test
    void publishesSatellites() {
        hear(SKY);

        Sample sky = taken.take("gpsd_sky").get(0);

        assertThat(sky.number("satellites_seen")).isEqualTo(3);
        assertThat(sky.number("satellites_used")).isEqualTo(2);
        assertThat(sky.number("hdop")).isCloseTo(1.1, within(1e-6));
        assertThat(sky.list("prn").subList(0, 4).stream().map(Number::intValue)).containsExactly(4, 9, 70, 0);
        assertThat(sky.list("gnss").get(2).intValue()).isEqualTo(6);
        assertThat(sky.list("signal").get(1).doubleValue()).isNaN();
        assertThat(sky.list("signal").get(2).doubleValue()).isEqualTo(41.5);
        assertThat(sky.list("used").subList(0, 3).stream().map(Number::intValue))
                .containsExactly(1, 0, 1);
    }

    @Test
    void tellsPrecisionWithoutSatellitesApart() {
        hear("{\"class\":\"SKY\",\"device\":\"a\",\"hdop\":1.5}");
        hear("{\"class\":\"SKY\",\"device\":\"a\",\"satellites\":[]}");

        List<Sample> sky = taken.take("gpsd_sky");

        assertThat(sky).extracting(s -> s.number("satellites_seen")).containsExactly(-1.0, 0.0);
    }

    @Test
    void keepsAsManySatellitesAsThereIsRoomFor() {
        hear("{\"class\":\"SKY\",\"satellites\":[" + "{\"PRN\":5,\"used\":true},".repeat(99) + "{\"PRN\":6}]}");

        assertThat(taken.take("gpsd_sky").get(0).list("prn")).hasSize(48).allMatch(prn -> prn.intValue() == 5);
    }

    @Test
    void publishesAttitudesAndNumbersReceivers() {
        hear(TPV);
        hear(ATT);

        Sample att = taken.take("gpsd_att").get(0);

        assertThat(att.instance()).isEqualTo(1);
        assertThat(att.number("roll")).isEqualTo(-43);
        assertThat(att.number("magnetic_x")).isEqualTo(2454);
        assertThat(att.number("utc")).isEqualTo(1_637_496_001_000_000.0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hello",
                "{}",
                "[]",
                "{\"class\":\"TPV\"",
                "{\"class\":\"TPV\"}{",
                "{\"class\":\"SKY\",\"satellites\":[1]}",
                "{\"class\":\"SKY\",\"satellites\":[{\"PRN\":1}",
                "{\"class\":\"TPV\",\"x\":[[[[[[[[[[[[1]]]]]]]]]]]]}",
                "{\"class\":\"TPV\",\"lat\":NaN}"
            })
    void countsLinesThatAreNoReport(String line) {
        hear(line);
        hear(TPV);

        assertThat(taken.take("gpsd_tpv")).hasSize(1);
        assertThat(metrics.counter("gpsd.malformed", "").get()).isEqualTo(1);
    }

    @Test
    void passesOverLinesThatAreTooLong() {
        hear("x".repeat(GpsdSource.MAX_LINE + 5));
        hear(TPV);

        assertThat(taken.take("gpsd_tpv")).hasSize(1);
        assertThat(metrics.counter("gpsd.malformed", "").get()).isEqualTo(1);
    }

    @Test
    void survivesDamagedLines() {
        long seed = 20_261_121L;
        System.out.println("GpsdSourceTest: seed " + seed);
        Random random = new Random(seed);
        String[] lines = {TPV, SKY, ATT};
        for (int i = 0; i < 5000; i++) {
            StringBuilder line = new StringBuilder(lines[random.nextInt(3)]);
            for (int damage = random.nextInt(4); damage > 0; damage--) {
                int at = random.nextInt(line.length());
                line.setCharAt(at, "{}[]\",:0-9eE.ntfx\u00ff\0\n".charAt(random.nextInt(20)));
            }
            hear(line.toString());
        }

        assertThat(taken.take()).hasSizeGreaterThan(1000);
    }

    private void hear(String line) {
        byte[] bytes = (line + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        int cut = bytes.length / 3;
        source.onBytes(daemon, bytes, 0, cut, 5);
        source.onBytes(daemon, bytes, cut, bytes.length - cut, 6);
    }

    private static final class Daemon implements Peer {
        private final List<String> heard = new ArrayList<>();

        @Override
        public String address() {
            return "127.0.0.1:2947";
        }

        @Override
        public boolean isDatagram() {
            return false;
        }

        @Override
        public void send(byte[] buffer, int offset, int length) {
            heard.add(new String(buffer, offset, length, StandardCharsets.US_ASCII));
        }
    }
}
