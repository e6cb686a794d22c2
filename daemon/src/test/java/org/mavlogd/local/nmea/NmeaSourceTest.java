package org.mavlogd.local.nmea;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.local.TakenSamples;
import org.mavlogd.local.TakenSamples.Sample;
import org.mavlogd.metrics.Metrics;

/** Sentences from the standard's examples and of common instruments. */
class NmeaSourceTest {
    private static final Offset<Double> LAST_PLACES = within(1e-5);

    private final LocalFeed feed = new LocalFeed("boat", 1 << 20);
    private final TakenSamples taken = new TakenSamples(feed);
    private final Metrics metrics = new Metrics();
    private final NmeaCounters counters = NmeaCounters.register(metrics, "boat");
    private final FakePeer peer = FakePeer.stream("/dev/ttyUSB0");
    private NmeaSource source = source(false);

    @Test
    void readsRmc() {
        Sample rmc = only("$GPRMC,123519.25,A,4807.038,N,01131.000,W,022.4,084.4,230394,003.1,W,A", "nmea_rmc");

        assertThat(rmc.number("utc")).isEqualTo(micros("1994-03-23T12:35:19.250Z"));
        assertThat(rmc.number("valid")).isEqualTo(1);
        assertThat(rmc.number("latitude")).isCloseTo(48.1173, within(1e-9));
        assertThat(rmc.number("longitude")).isCloseTo(-11.516666667, within(1e-9));
        assertThat(rmc.number("speed")).isCloseTo(22.4 * 1852 / 3600, LAST_PLACES);
        assertThat(rmc.number("course")).isCloseTo(84.4, LAST_PLACES);
        assertThat(rmc.number("magnetic_variation")).isCloseTo(-3.1, LAST_PLACES);
        assertThat(rmc.number("mode")).isEqualTo('A');
        assertThat(rmc.text("talker")).isEqualTo("GP");
        assertThat(rmc.unit("speed")).isEqualTo("m/s");
        assertThat(rmc.unit("latitude")).isEqualTo("deg");
        assertThat(rmc.takenNs()).isEqualTo(7);
    }

    @Test
    void emptyFieldsAreNan() {
        Sample rmc = only("$GNRMC,,V,,,,,,,,,,N", "nmea_rmc");

        assertThat(rmc.number("utc")).isZero();
        assertThat(rmc.number("valid")).isZero();
        assertThat(rmc.number("latitude")).isNaN();
        assertThat(rmc.number("speed")).isNaN();
        assertThat(rmc.number("magnetic_variation")).isNaN();
        assertThat(counters.malformed().get()).isZero();
    }

    @Test
    void readsGga() {
        Sample gga = only("$GPGGA,235959.99,5321.6802,S,00630.3372,E,2,08,1.03,61.7,M,55.2,M,1.2,0123", "nmea_gga");

        assertThat(gga.number("utc_of_day")).isCloseTo(86399.99, within(1e-6));
        assertThat(gga.number("latitude")).isCloseTo(-53.36133667, within(1e-8));
        assertThat(gga.number("longitude")).isCloseTo(6.50562, within(1e-8));
        assertThat(gga.number("altitude")).isCloseTo(61.7, LAST_PLACES);
        assertThat(gga.number("geoid_separation")).isCloseTo(55.2, LAST_PLACES);
        assertThat(gga.number("hdop")).isCloseTo(1.03, LAST_PLACES);
        assertThat(gga.number("correction_age")).isCloseTo(1.2, LAST_PLACES);
        assertThat(gga.number("quality")).isEqualTo(2);
        assertThat(gga.number("satellites")).isEqualTo(8);
        assertThat(gga.number("station")).isEqualTo(123);
    }

    @Test
    void readsVtg() {
        assertThat(only("$GPVTG,054.7,T,034.4,M,005.5,N,010.2,K,A", "nmea_vtg").number("speed"))
                .isCloseTo(5.5 * 1852 / 3600, LAST_PLACES);
        assertThat(only("$GPVTG,054.7,T,034.4,M,,N,036.0,K", "nmea_vtg").number("speed"))
                .isCloseTo(10, LAST_PLACES);
        assertThat(only("$GPVTG,054.7,T,034.4,M,005.5,N,010.2,K,A", "nmea_vtg").number("magnetic_course"))
                .isCloseTo(34.4, LAST_PLACES);
    }

    @Test
    void keepsTheSatellitesOfEachSystemApart() {
        hear("$GNGSA,A,3,04,05,,09,12,,,24,,,,,2.5,1.3,2.1,1");
        hear("$GNGSA,A,3,65,66,,,,,,,,,,,2.5,1.3,2.1,2");
        hear("$GNGSA,A,3,04,05,,09,12,,,24,,,,,2.6,1.3,2.1,1");

        List<Sample> gsa = taken.take("nmea_gsa");

        assertThat(gsa).extracting(Sample::instance).containsExactly(0, 1, 0);
        assertThat(gsa.get(0).list("satellites").stream().map(Number::intValue))
                .containsExactly(4, 5, 0, 9, 12, 0, 0, 24, 0, 0, 0, 0);
        assertThat(gsa.get(1).number("system")).isEqualTo('2');
        assertThat(gsa.get(0).number("fix")).isEqualTo(3);
        assertThat(gsa.get(0).number("vdop")).isCloseTo(2.1, LAST_PLACES);
    }

    @Test
    void readsHeadings() {
        assertThat(only("$HEHDT,274.07,T*19", "nmea_hdt").number("heading")).isCloseTo(274.07, within(1e-4));
        assertThat(only("$HCHDM,238.5,M", "nmea_hdm").number("magnetic_heading"))
                .isCloseTo(238.5, LAST_PLACES);
        Sample hdg = only("$HCHDG,101.1,1.5,W,7.1,E", "nmea_hdg");
        assertThat(hdg.number("deviation")).isCloseTo(-1.5, LAST_PLACES);
        assertThat(hdg.number("variation")).isCloseTo(7.1, LAST_PLACES);
        assertThat(only("$TIROT,-30.0,A", "nmea_rot").number("rate")).isCloseTo(-0.5, LAST_PLACES);
    }

    @Test
    void readsDepths() {
        assertThat(only("$SDDBT,7.7,f,2.3,M,1.3,F", "nmea_dbt").number("depth")).isCloseTo(2.3, LAST_PLACES);
        assertThat(only("$SDDBT,10,f,,M,,F", "nmea_dbt").number("depth")).isCloseTo(3.048, LAST_PLACES);
        Sample dpt = only("$SDDPT,2.4,-0.5,100", "nmea_dpt");
        assertThat(dpt.number("depth")).isCloseTo(2.4, LAST_PLACES);
        assertThat(dpt.number("offset")).isCloseTo(-0.5, LAST_PLACES);
        assertThat(dpt.number("range")).isCloseTo(100, LAST_PLACES);
    }

    @Test
    void keepsApparentAndTrueWindApart() {
        hear("$WIMWV,214.8,R,10.0,N,A");
        hear("$WIMWV,200.0,T,36.0,K,A");
        hear("$WIMWV,200.0,T,2.0,M,V");
        hear("$WIMWV,200.0,T,2.0,X,V");

        List<Sample> wind = taken.take("nmea_mwv");

        assertThat(wind).extracting(Sample::instance).containsExactly(0, 1, 1);
        assertThat(wind.get(0).number("speed")).isCloseTo(10 * 1852 / 3600.0, LAST_PLACES);
        assertThat(wind.get(1).number("speed")).isCloseTo(10, LAST_PLACES);
        assertThat(wind.get(2).number("valid")).isZero();
        assertThat(counters.malformed().get()).as("unit X").isEqualTo(1);
    }

    @Test
    void readsWindDirectionAndWater() {
        assertThat(only("$WIMWD,320,T,305,M,15.0,N,7.7,M", "nmea_mwd").number("speed"))
                .isCloseTo(7.7, LAST_PLACES);
        Sample vhw = only("$VWVHW,010,T,005,M,3.6,N,6.7,K", "nmea_vhw");
        assertThat(vhw.number("speed")).isCloseTo(3.6 * 1852 / 3600, LAST_PLACES);
        assertThat(vhw.number("magnetic_heading")).isEqualTo(5);
        Sample mtw = only("$YXMTW,17.75,C", "nmea_mtw");
        assertThat(mtw.number("temperature")).isEqualTo(17.75);
        assertThat(mtw.unit("temperature")).isEqualTo("degC");
        Sample vlw = only("$VWVLW,2.8,N,1.0,N", "nmea_vlw");
        assertThat(vlw.number("water_total")).isCloseTo(2.8 * 1852, within(1e-3));
        assertThat(vlw.number("ground_trip")).isNaN();
    }

    @Test
    void givesEachTransducerAnInstance() {
        hear("$IIXDR,C,19.52,C,TempAir,P,1.02481,B,Barometer");
        hear("$IIXDR,A,-2.5,D,PTCH,A,1.0,D,ROLL");
        hear("$IIXDR,P,1.02500,B,Barometer");
        hear("$WIXDR,H,45.0,P,,C,20.0,C,");

        List<Sample> xdr = taken.take("nmea_xdr");

        assertThat(xdr.stream().map(s -> s.instance() + " " + s.text("name")))
                .containsExactly("0 TempAir", "1 Barometer", "2 PTCH", "3 ROLL", "1 Barometer", "4 ", "5 ");
        assertThat(xdr.get(1).number("value")).isCloseTo(102_481, within(0.01));
        assertThat(xdr.get(1).number("unit")).isEqualTo('P');
        assertThat(xdr.get(2).number("value")).isEqualTo(-2.5);
        assertThat(xdr.get(2).number("kind")).isEqualTo('A');
    }

    @Test
    void readsZda() {
        Sample zda = only("$GPZDA,201530.00,04,07,2002,-03,30", "nmea_zda");

        assertThat(zda.number("utc")).isEqualTo(micros("2002-07-04T20:15:30Z"));
        assertThat(zda.number("zone_hours")).isEqualTo(-3);
        assertThat(zda.number("zone_minutes")).isEqualTo(30);
    }

    @Test
    void aDateThatThereIsNotIsZeroAndCounted() {
        hear("$GPRMC,123519,A,,,,,,,310294,,");

        assertThat(taken.take()).as("no checksum vouches for it").isEmpty();
        assertThat(counters.malformed().get()).isEqualTo(1);
    }

    @Test
    void dropsWrongChecksums() {
        hear("$HEHDT,274.07,T*18");
        hear("$HEHDT,274.07,T*0");
        hear("$HEHDT,274.07,T*191");
        hear("$HEHDT,274.07,T*");

        assertThat(taken.take()).isEmpty();
        assertThat(counters.badChecksum().get()).isEqualTo(4);
        assertThat(counters.sentences().get()).isZero();
    }

    @Test
    void refusesSentencesWithoutChecksumWhenToldSo() {
        source = source(true);
        hear("$HEHDT,274.07,T");
        hear("$HEHDT,274.07,T*19");

        assertThat(taken.take("nmea_hdt")).hasSize(1);
        assertThat(counters.badChecksum().get()).isEqualTo(1);
    }

    @Test
    void keepsTheGoodFieldsOfASentenceWithARightChecksum() {
        hear(withChecksum("$SDDPT,x.4,-0.5,100"));
        hear("$SDDPT,x.4,-0.5,100");

        List<Sample> dpt = taken.take("nmea_dpt");

        assertThat(dpt).hasSize(1);
        assertThat(dpt.get(0).number("depth")).isNaN();
        assertThat(dpt.get(0).number("offset")).isEqualTo(-0.5);
        assertThat(counters.malformed().get()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$GPGGA,245959,,,,,,,,,,,,,",
                "$GPGGA,236059,,,,,,,,,,,,,",
                "$GPGGA,-1,,,,,,,,,,,,,",
                "$GPGGA,,9100.0,N,,,,,,,,,,,",
                "$GPGGA,,4861.0,N,,,,,,,,,,,",
                "$GPGGA,,4801.0,Q,,,,,,,,,,,",
                "$GPGGA,,,,18000.1,E,,,,,,,,,",
                "$GPGGA,,,,,,256,,,,,,,,",
                "$GPGGA,,,,,,-1,,,,,,,,",
                "$GPZDA,,32,01,2000,,",
                "$GPZDA,,,13,2000,,",
                "$HEHDT",
                "$he,1",
                "$,1",
                "$"
            })
    void countsImpossibleFields(String line) {
        hear(line);

        assertThat(taken.take()).isEmpty();
        assertThat(counters.malformed().get()).isEqualTo(1);
    }

    @Test
    void keepsUnknownSentencesAsText() {
        hear("$PGRME,15.0,M,45.0,M,25.0,M*1C");
        hear("!AIVDM,1,1,,A,14eG;o@034o8sd<L9i:a;WF>062D,0*7D");
        hear("$GPGSV,3,1,11," + "03,03,111,00,".repeat(8));

        List<Sample> all = taken.take();

        assertThat(TakenSamples.of(all, "nmea_sentence").stream().map(s -> s.text("text")))
                .containsExactly("$PGRME,15.0,M,45.0,M,25.0,M*1C", "!AIVDM,1,1,,A,14eG;o@034o8sd<L9i:a;WF>062D,0*7D");
        assertThat(TakenSamples.of(all, "nmea_sentence_long").get(0).text("text"))
                .startsWith("$GPGSV,3,1,11,")
                .hasSize(118);
        assertThat(counters.unknown().get()).isEqualTo(3);
    }

    @Test
    void goesOnAfterDamage() {
        feedBytes(
                "garbage\r\n$HEHDT,27$HEHDT,274.07,T*19\r\n$GP\u0001RMC\r\n$" + "x".repeat(300) + "\r\n!$HEHDT,1,T\n");

        assertThat(taken.take("nmea_hdt")).extracting(s -> s.number("heading")).containsExactly(274.07f + 0.0, 1.0);
        // Cut by the next sentence; with a control character; too long; cut again.
        assertThat(counters.malformed().get()).isEqualTo(4);
        assertThat(counters.skippedBytes().get()).isEqualTo(7 + 3 + 45 - 1);
    }

    @Test
    void takesSentencesInPiecesAndTellsWhenTheyBegan() {
        byte[] bytes = "$HEHDT,274.07,T*19\r\n".getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < bytes.length; i++) {
            source.onBytes(peer, bytes, i, 1, 100 + i);
        }

        Sample hdt = taken.take("nmea_hdt").get(0);

        assertThat(hdt.takenNs()).isEqualTo(100);
    }

    @Test
    void aDatagramNeedsNoEndOfLine() {
        FakePeer sender = FakePeer.datagrams("192.168.1.7:10110");
        byte[] bytes = "$HEHDT,1,T\r\n$HEHDT,2,T".getBytes(StandardCharsets.US_ASCII);

        source.onBytes(sender, bytes, 0, bytes.length, 7);

        assertThat(taken.take("nmea_hdt")).hasSize(2);
    }

    @Test
    void talkersAndFarEndsHaveInstancesOfTheirOwn() {
        FakePeer other = FakePeer.stream("192.168.1.8:4000");
        hear("$GPHDT,1,T");
        hear("$HEHDT,2,T");
        feedBytes(other, "$GPHDT,3,T\r\n");
        hear("$GPHDT,4,T");

        assertThat(taken.take("nmea_hdt")).extracting(Sample::instance).containsExactly(0, 1, 2, 0);
    }

    @Test
    void aDeviceThatComesBackHasItsInstanceAgain() {
        hear("$GPHDT,1,T");
        hear("$HEHDT,2,T");
        source.onPeerDown(peer, 8);
        FakePeer again = FakePeer.stream("/dev/ttyUSB0 again");
        source.onPeerUp(again, 9);

        feedBytes(again, "$HEHDT,2,T\r\n$GPHDT,1,T\r\n");

        assertThat(taken.take("nmea_hdt")).extracting(Sample::instance).containsExactly(0, 1, 1, 0);
    }

    @Test
    void countsDevicesBeyondTheLimit() {
        for (int i = 0; i < 20; i++) {
            hear("$" + (char) ('A' + i % 15) + (char) ('A' + i) + "HDT,1,T");
        }

        assertThat(taken.take("nmea_hdt"))
                .extracting(Sample::instance)
                .hasSize(16)
                .doesNotHaveDuplicates();
        assertThat(counters.excess().get()).isEqualTo(4);
    }

    @Test
    void eachLinkHasItsOwnRangeOfInstances() {
        source = new NmeaSource(new NmeaSource.Settings("boat", 15, false), feed.publisher(), metrics);

        for (int i = 0; i < 16; i++) {
            hear("$" + (char) ('A' + i % 15) + (char) ('A' + i) + "HDT,1,T");
        }

        assertThat(taken.take("nmea_hdt").get(15).instance()).isEqualTo(255);
    }

    @Test
    void publishesWhatItCounted() {
        hear("$HEHDT,274.07,T*18");
        hear("$HEHDT,274.07,T*19");
        source.onTick(1000);
        source.onTick(2000);

        List<Sample> link = taken.take("nmea_link");

        assertThat(link).hasSize(1);
        assertThat(link.get(0).number("sentences")).isEqualTo(1);
        assertThat(link.get(0).number("bad_checksum")).isEqualTo(1);
        assertThat(link.get(0).text("link")).isEqualTo("boat");
    }

    private NmeaSource source(boolean requireChecksum) {
        return new NmeaSource(new NmeaSource.Settings("boat", 0, requireChecksum), feed.publisher(), metrics);
    }

    private Sample only(String sentence, String topic) {
        hear(sentence);
        List<Sample> samples = taken.take(topic);
        assertThat(samples).as(sentence).hasSize(1);
        return samples.get(0);
    }

    private void hear(String sentence) {
        feedBytes(sentence + "\r\n");
    }

    private void feedBytes(String text) {
        feedBytes(peer, text);
    }

    private void feedBytes(FakePeer from, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        source.onBytes(from, bytes, 0, bytes.length, 7);
    }

    private static String withChecksum(String sentence) {
        int sum = sentence.chars().skip(1).reduce(0, (a, b) -> a ^ b);
        return sentence + String.format("*%02X", sum);
    }

    private static double micros(String utc) {
        Instant instant = Instant.parse(utc);
        return instant.getEpochSecond() * 1e6 + instant.getNano() / 1e3;
    }
}
