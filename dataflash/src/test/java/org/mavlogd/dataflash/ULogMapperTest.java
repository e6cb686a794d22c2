package org.mavlogd.dataflash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.dataflash.DataFlashBuilder.aLog;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.LoggedText;

/** Tests the mapping of single records. */
class ULogMapperTest {
    private static Mapped scaled(DataFlashBuilder log) throws IOException {
        return Mapped.of(log.toByteArray(), ULogMapper.Values.SCALED, 1000);
    }

    private static Mapped raw(DataFlashBuilder log) throws IOException {
        return Mapped.raw(log.toByteArray());
    }

    private static List<Object> column(List<Map<String, Object>> rows, String name) {
        return rows.stream().map(row -> Objects.requireNonNull(row.get(name))).toList();
    }

    @Test
    void sparseInstancesAreTheirOwnMultiIds() throws IOException {
        Mapped mapped = raw(aLog().fmt(1, "UART", "QBf", "TimeUS,I,Tx")
                .fmtu("UART", "s#B", "F-0")
                .record("UART", 1L, 3, 1.5)
                .record("UART", 2L, 0, 2.5)
                .record("UART", 3L, 3, 3.5));

        assertThat(mapped.sampleCounts()).containsExactly(Map.entry("UART:0", 1L), Map.entry("UART:3", 2L));
        assertThat(column(mapped.series("UART:3"), "Tx")).containsExactly(1.5, 3.5);
        assertThat(mapped.infos.keySet()).noneMatch(name -> name.startsWith("instance_"));
    }

    /** Otherwise the youngest time of a live log would stay at the damaged time. */
    @Test
    void aDamagedTimeIsNotTheStartOfALog() throws IOException {
        assertThat(startUs(1_000_000L, 1_020_000L, 1L << 60)).isEqualTo(1_000_000);
        assertThat(startUs(1L << 60, 1_000_000L, 1_020_000L)).isEqualTo(1_000_000);
        assertThat(startUs(1_000_000L, 1L << 60, 1_020_000L)).isEqualTo(1_000_000);
        assertThat(startUs(-1L, 1_000_000L, 1_020_000L)).isEqualTo(1_000_000);
        assertThat(startUs(5L, 18_000_000_000L, 18_000_020_000L)).isEqualTo(18_000_000_000L);
        assertThat(startUs(1_000_000L)).isEqualTo(1_000_000);
    }

    private static long startUs(long... times) throws IOException {
        DataFlashBuilder log = aLog().fmt(1, "IMU", "Qf", "TimeUS,GX");
        for (long timeUs : times) {
            log.record("IMU", timeUs, 0.5);
        }
        byte[] bytes = log.toByteArray();
        HeadCollector collector = new HeadCollector();
        collector.feed(bytes, 0, bytes.length);
        collector.finish();
        LogHead head = collector.head();
        return head.startUs();
    }

    @Test
    void messagesThatTheVehicleDroppedAreMarkedWithTheirShareOfTheTime() throws IOException {
        DataFlashBuilder log = aLog().fmt(1, "DMS", "QIII", "TimeUS,N,Dp,RT").fmt(2, "IMU", "Qf", "TimeUS,GX");
        log.record("IMU", 1_000_000L, 0.5).record("DMS", 1_000_000L, 1, 0, 0);
        for (int i = 1; i < 50; i++) {
            log.record("IMU", 1_000_000L + 20_000L * i, 0.5);
        }
        log.record("DMS", 2_000_000L, 50, 150, 0); // 50 of 200 arrived
        log.record("DMS", 3_000_000L, 50, 150, 0);
        log.record("IMU", 3_100_000L, 0.5).record("DMS", 4_000_000L, 50, 7, 0); // a new stream starts at zero

        Mapped mapped = raw(log);

        assertThat(mapped.dropouts).containsExactly(750);
    }

    @Test
    void theInstanceMayStandAnywhereAndItsUnitComeLate() throws IOException {
        Mapped mapped = raw(aLog().fmt(1, "RASI", "fHB", "pd,U,I")
                .record("RASI", 1.5, 7, 2)
                .record("RASI", 2.5, 7, 1)
                .fmtu("RASI", "--#", "---")
                .record("RASI", 3.5, 7, 1));

        assertThat(mapped.sampleCounts()).containsExactly(Map.entry("RASI:1", 2L), Map.entry("RASI:2", 1L));
        assertThat(mapped.lists.get("field_units")).containsExactly("RASI:I=instance");
    }

    @Test
    void textsAndLargeNumbersGetMultiIdsThatAnInfoNames() throws IOException {
        Mapped mapped = raw(aLog().fmt(1, "SCR", "QNI", "TimeUS,Name,Run")
                .fmtu("SCR", "s#s", "F-F")
                .fmt(2, "FARI", "Qi", "TimeUS,Id")
                .fmtu("FARI", "s#", "F-")
                .record("SCR", 1L, "winch.lua", 1)
                .record("SCR", 2L, "exactly16charact", 2)
                .record("SCR", 3L, "winch.lua", 3)
                .record("FARI", 4L, -1)
                .record("FARI", 5L, 100_000)
                .record("FARI", 6L, 255)
                .record("FARI", 7L, 7));

        assertThat(mapped.sampleCounts())
                .containsEntry("SCR:0", 2L)
                .containsEntry("SCR:1", 1L)
                .containsEntry("FARI:255", 1L)
                .containsEntry("FARI:254", 1L)
                .containsEntry("FARI:253", 1L)
                .containsEntry("FARI:7", 1L);
        assertThat(mapped.infos.get("instance_SCR_0"))
                .extracting(KeyedValue::text)
                .isEqualTo("winch.lua");
        assertThat(mapped.infos.get("instance_SCR_1"))
                .extracting(KeyedValue::text)
                .isEqualTo("exactly16charact");
        assertThat(mapped.infos.get("instance_FARI_255"))
                .extracting(KeyedValue::text)
                .isEqualTo("-1");
        assertThat(mapped.infos.get("instance_FARI_254"))
                .extracting(KeyedValue::text)
                .isEqualTo("100000");
        assertThat(mapped.infos.get("instance_FARI_253"))
                .extracting(KeyedValue::text)
                .isEqualTo("255");
        assertThat(mapped.infos).doesNotContainKey("instance_FARI_7");
    }

    @Test
    void moreInstancesThanThereAreMultiIdsShareTheLast() throws IOException {
        DataFlashBuilder log = aLog().fmt(1, "SCR", "QN", "TimeUS,Name").fmtu("SCR", "s#", "F-");
        for (int i = 0; i < 300; i++) {
            log.record("SCR", (long) i, "script " + i);
        }

        Mapped mapped = raw(log);

        assertThat(mapped.sampleCounts())
                .hasSize(256)
                .containsEntry("SCR:254", 1L)
                .containsEntry("SCR:255", 45L);
    }

    @Test
    void typesWithoutTimeGetTheLastTimeSeen() throws IOException {
        Mapped mapped = raw(aLog().fmt(1, "RFRF", "BB", "FTypes,Slow")
                .fmt(2, "AIS1", "QI", "US,mmsi")
                .fmt(3, "OLD", "IH", "TimeMS,V")
                .fmt(4, "TAIL", "IQ", "N,TimeUS")
                .record("AIS1", 5000L, 0xFFFF_FFFFL)
                .record("RFRF", 1, 2)
                .record("OLD", 7, 3)
                .record("RFRF", 3, 4)
                .record("TAIL", 9, 8000L)
                .record("RFRF", 5, 6));

        assertThat(column(mapped.series("RFRF:0"), "timestamp")).containsExactly(5000L, 7000L, 8000L);
        assertThat(mapped.series("AIS1:0")).containsExactly(Map.of("timestamp", 5000L, "mmsi", 0xFFFF_FFFFL));
        assertThat(mapped.series("OLD:0")).containsExactly(Map.of("timestamp", 7000L, "TimeMS", 7L, "V", 3L));
        assertThat(mapped.series("TAIL:0")).containsExactly(Map.of("timestamp", 8000L, "N", 9L));
    }

    @Test
    void everyFormatKeepsItsValuesExactly() throws IOException {
        short[] array = new short[32];
        for (int i = 0; i < array.length; i++) {
            array[i] = (short) (i * 2047 - 32_768);
        }
        String full = "x".repeat(63) + "y";
        Mapped mapped = raw(aLog().fmt(1, "ALL1", "QabBhHiIq", "TimeUS,a,b,B,h,H,i,I,q")
                .fmt(2, "ALL2", "QfdgnNZM", "TimeUS,f,d,g,n,N,Z,M")
                .fmt(3, "ALL3", "QQcCeEL", "TimeUS,Q,c,C,e,E,L")
                .record("ALL1", 1L, array, -128, 255, -32_768, 65_535, Integer.MIN_VALUE, 0xFFFF_FFFFL, Long.MIN_VALUE)
                .record("ALL2", 2L, 0.1f, 0.1, 0x3555, "four", "sixteen charact.", full, 200)
                .record("ALL3", 3L, -1L, -32_768, 65_535, -5, 0xFFFF_FFFEL, -1_800_000_000));

        Map<String, Object> one = mapped.series("ALL1:0").get(0);
        assertThat(one)
                .containsEntry(
                        "a",
                        LongStream.range(0, 32).mapToObj(i -> i * 2047 - 32_768).toList());
        assertThat(one)
                .containsEntry("b", -128L)
                .containsEntry("B", 255L)
                .containsEntry("h", -32_768L)
                .containsEntry("H", 65_535L)
                .containsEntry("i", (long) Integer.MIN_VALUE)
                .containsEntry("I", 0xFFFF_FFFFL)
                .containsEntry("q", Long.MIN_VALUE);
        assertThat(mapped.series("ALL2:0").get(0))
                .containsEntry("f", (double) 0.1f)
                .containsEntry("d", 0.1)
                .containsEntry("g", 0.333251953125)
                .containsEntry("n", "four")
                .containsEntry("N", "sixteen charact.")
                .containsEntry("Z", full)
                .containsEntry("M", 200L);
        assertThat(mapped.series("ALL3:0").get(0))
                .containsEntry("Q", -1L)
                .containsEntry("c", -32_768L)
                .containsEntry("C", 65_535L)
                .containsEntry("e", -5L)
                .containsEntry("E", 0xFFFF_FFFEL)
                .containsEntry("L", -1_800_000_000L);
        assertThat(Objects.requireNonNull(mapped.formats.get("ALL3")).text())
                .isEqualTo("ALL3:uint64_t timestamp;uint64_t Q;int16_t c;uint16_t C;int32_t e;uint32_t E;int32_t L;");
    }

    @Test
    void scaledValuesTakeOneFactorAndNeverTwo() throws IOException {
        short[] array = new short[32];
        array[31] = 7;
        DataFlashBuilder log = aLog().mult('B', (double) 0.01f)
                .mult('G', (double) 1e-7f)
                .mult('!', (double) 3.6f)
                .mult('-', 0)
                .mult('?', 1)
                .fmt(1, "SCAL", "QBcCeELifHg", "TimeUS,I,c,C,e,E,L,i,f,H,g")
                .fmtu("SCAL", "s#mmmmDUm-m", "F-BBBBGGB-0")
                .fmt(2, "MORE", "aaBIdfQ", "x,y,B,I,d,f,Q")
                .fmtu("MORE", "oo-i???", "?B-!?0F")
                .record("SCAL", 5L, 1, 12_345, 65_535, -3, 4, -1_800_000_000, 401_234_567, 0.1f, 9, 0x3C00)
                .record("MORE", array, array, 3, 10, 2.5, 0.1f, 1_000_000L);

        Mapped mapped = scaled(log);

        assertThat(mapped.series("SCAL:1").get(0))
                .containsEntry("timestamp", 5L)
                .containsEntry("I", 1L)
                .containsEntry("c", 123.45)
                .containsEntry("C", 655.35)
                .containsEntry("e", -0.03)
                .containsEntry("E", 0.04)
                .containsEntry("L", -180.0)
                .containsEntry("i", 40.1234567)
                .containsEntry("f", (double) 0.1f / 100)
                .containsEntry("H", 9L)
                .containsEntry("g", 1.0);
        Map<String, Object> more = mapped.series("MORE:0").get(0);
        assertThat((List<?>) more.get("x")).asString().endsWith(", 0, 7]");
        assertThat((List<?>) more.get("y")).asString().endsWith(", 0.0, 0.07]");
        assertThat(more)
                .containsEntry("B", 3L)
                .containsEntry("I", 36.0)
                .containsEntry("d", 2.5)
                .containsEntry("f", (double) 0.1f)
                .containsEntry("Q", 1.0);
        assertThat(mapped.lists.get("field_units"))
                .containsExactly(
                        "SCAL:I=instance,c=m,C=m,e=m,E=m,L=deglatitude,i=deglongitude,f=m,g=m",
                        "MORE:x=m/s/s,y=m/s/s,I=A.s");
        assertThat(raw(log).lists.get("field_units"))
                .containsExactly(
                        "SCAL:I=instance,c=0.01 m,C=0.01 m,e=0.01 m,E=0.01 m,L=1.0E-7 deglatitude,"
                                + "i=1.0E-7 deglongitude,f=0.01 m,g=m",
                        "MORE:x=m/s/s,y=0.01 m/s/s,I=3.6 A.s,Q=1.0E-6");
    }

    @Test
    void everyHalfIsTheFloatOfItsValue() {
        for (int bits = 0; bits < 1 << 16; bits++) {
            double sign = (bits & 0x8000) == 0 ? 1 : -1;
            int exponent = bits >> 10 & 31;
            double fraction = (bits & 1023) / 1024.0;
            double value = exponent == 31
                    ? (fraction == 0 ? sign * Double.POSITIVE_INFINITY : Double.NaN)
                    : exponent == 0
                            ? sign * fraction * Math.pow(2, -14)
                            : sign * (1 + fraction) * Math.pow(2, exponent - 15);
            assertThat(Double.valueOf(Bytes.Half.toFloat(bits)))
                    .as("%04x", bits)
                    .isEqualTo(Double.valueOf(value));
        }
    }

    @Test
    void multipliersThatWentThroughAFloatAreDecimalAgain() {
        assertThat(Scale.snapped(1.0000000116860974e-07)).isEqualTo(1e-7);
        assertThat(Scale.snapped(3.5999999046325684)).isEqualTo(3.6);
        assertThat(Scale.snapped(1e-7)).isEqualTo(1e-7);
        assertThat(Scale.snapped(3600)).isEqualTo(3600);
        assertThat(Scale.snapped(0)).isEqualTo(0);
        assertThat(Scale.snapped(Double.NaN)).isNaN();
    }

    @Test
    void parametersComeFirstAndChangesWhereTheyHappen() throws IOException {
        Mapped mapped = raw(aLog().fmt(1, "PARM", "QNff", "TimeUS,Name,Value,Default")
                .record("PARM", 1L, "A", 1.0, Double.NaN)
                .record("PARM", 2L, "A", 2.0, Double.NaN)
                .record("PARM", 3L, "A", 2.0, 1.5)
                .record("PARM", 4L, "SIXTEEN_CHARACTE", 3.0, 3.0)
                .record("PARM", 5L, "A", 4.0, Double.NaN));

        assertThat(mapped.parameters).containsExactly(Map.entry("A", 1.0), Map.entry("SIXTEEN_CHARACTE", 3.0));
        assertThat(mapped.defaults).containsExactly(Map.entry("A", 1.5), Map.entry("SIXTEEN_CHARACTE", 3.0));
        assertThat(mapped.changes).containsExactly("A=2.0", "A=4.0");
        assertThat(column(mapped.series("PARM:0"), "timestamp")).containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void textsModesEventsErrorsAndArmingAreInWords() throws IOException {
        Mapped mapped = raw(aLog().fmt(1, "MSG", "QZ", "TimeUS,Message")
                .fmt(2, "MODE", "QMBB", "TimeUS,Mode,ModeNum,Rsn")
                .fmt(3, "EV", "QB", "TimeUS,Id")
                .fmt(4, "ERR", "QBB", "TimeUS,Subsys,ECode")
                .fmt(5, "ARM", "QBIBB", "TimeUS,ArmState,ArmChecks,Forced,Method")
                .record("MODE", 1L, 4, 4, 1)
                .record("MSG", 2L, "ArduRover V4.5.1 (0123abcd)")
                .record("MSG", 3L, "CubeOrange 0025003A 3130510A 38393538")
                .record("MSG", 3L, "ChibiOS: 6a85082c")
                .record("MSG", 4L, new byte[] {'a', (byte) 0xFF, 'b'})
                .record("EV", 5L, 10)
                .record("EV", 6L, 222)
                .record("ERR", 7L, 5, 1)
                .record("ERR", 8L, 5, 0)
                .record("ERR", 9L, 12, 1)
                .record("ERR", 9L, 77, 66)
                .record("ARM", 10L, 1, 0, 1, 1)
                .record("ARM", 11L, 0, 0, 0, 250));

        assertThat(mapped.texts.stream().map(LoggedText::text))
                .containsExactly(
                        "Mode Hold (RC command)",
                        "ArduRover V4.5.1 (0123abcd)",
                        "CubeOrange 0025003A 3130510A 38393538",
                        "ChibiOS: 6a85082c",
                        "a\uFFFDb",
                        "Event: armed",
                        "Event: number 222",
                        "Error: radio failsafe, occurred",
                        "Error resolved: radio failsafe",
                        "Error: crash check, crash",
                        "Error: subsystem 77, code 66",
                        "Armed (MAVLink, forced)",
                        "Disarmed (method 250)");
        assertThat(mapped.texts.get(7).level()).isEqualTo(LogLevel.ERROR);
        assertThat(mapped.samples).containsOnlyKeys("MODE:0", "EV:0", "ERR:0", "ARM:0");
        assertThat(mapped.infos.get("ver_hw")).extracting(KeyedValue::text).isEqualTo("CubeOrange");
        assertThat(mapped.infos.get("sys_uuid")).extracting(KeyedValue::text).isEqualTo("0025003a3130510a38393538");
        assertThat(mapped.infos.get("sys_os_name")).extracting(KeyedValue::text).isEqualTo("ChibiOS");
        assertThat(mapped.infos.get("ver_sw_release"))
                .extracting(KeyedValue::integer)
                .isEqualTo(0x040501FFL);
        assertThat(mapped.infos.get("ver_sw")).extracting(KeyedValue::text).isEqualTo("0123abcd");
    }

    @Test
    void textsWithMoreThanTheirTextAreATopicToo() throws IOException {
        Mapped mapped = raw(aLog().fmt(1, "MSG", "QHZ", "TimeUS,ID,Message").record("MSG", 2L, 5, "hello"));

        assertThat(mapped.texts).extracting(LoggedText::text).containsExactly("hello");
        assertThat(mapped.series("MSG:0")).hasSize(1);
    }

    /** As ArduPilot 4.7 logs messages of more than 64 bytes. */
    @Test
    void piecesOfATextAreJoined() throws IOException {
        String text = "PreArm: " + "x".repeat(55) + "\u00B5" + "y".repeat(63) + " end";
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        String full = "z".repeat(64);
        DataFlashBuilder log = aLog().fmt(1, "MSG", "QBBZ", "TimeUS,ID,Seq,Message")
                .fmt(2, "IMU", "Q", "TimeUS")
                .record("MSG", 1000L, 0, 0, "ArduCopter V4.7.0 (36b405fb)");
        for (int i = 0; i * 64 < utf8.length; i++) {
            byte[] piece = Arrays.copyOfRange(utf8, i * 64, Math.min(utf8.length, i * 64 + 64));
            log.record("MSG", 2000L + i, 1, i, piece).record("IMU", 2000L + i);
        }

        Mapped mapped = raw(log.record("MSG", 3000L, 2, 0, full)
                .record("MSG", 4000L, 3, 0, full)
                .record("MSG", 4001L, 3, 2, "after a lost piece")
                .record("MSG", 5000L, 4, 1, "without its start")
                .record("MSG", 6000L, 5, 0, full)
                .record("IMU", 1_000_000L)
                .record("MSG", 2_000_000L, 5, 1, "much later")
                .record("MSG", 2_000_000L, 6, 0, full));

        assertThat(mapped.texts.stream().map(LoggedText::text))
                .containsExactly(
                        "ArduCopter V4.7.0 (36b405fb)",
                        text,
                        full,
                        full,
                        "after a lost piece",
                        "without its start",
                        full,
                        "much later",
                        full);
        assertThat(mapped.texts.get(1).timestampUs()).isEqualTo(2000);
        assertThat(mapped.series("MSG:0")).hasSize(11);
    }

    @Test
    void filesKeepTheirBytes() throws IOException {
        byte[] data = new byte[64];
        for (int i = 0; i < data.length; i++) {
            data[i] = (byte) (i * 5 - 10);
        }
        Mapped mapped = raw(aLog().fmt(1, "FILE", "NIBZ", "FileName,Offset,Length,Data")
                .record("FILE", "@SYS/uarts.txt", 64, 64, data));

        List<?> bytes =
                (List<?>) Objects.requireNonNull(mapped.series("FILE:0").get(0).get("Data"));
        assertThat(bytes)
                .isEqualTo(LongStream.range(0, 64)
                        .mapToObj(i -> (i * 5 - 10) & 0xFF)
                        .toList());
    }

    @Test
    void whatAFormatDoesNotExplainStaysAsBytes() throws IOException {
        DataFlashBuilder log = aLog().fmt(1, 16, "REST", "Qh", "TimeUS,h").fmt(2, 6, "WHAT", "?x", "a,b");
        byte[] rest = {(byte) 0xA3, (byte) 0x95, 1, 9, 0, 0, 0, 0, 0, 0, 0, 5, 0, 7, 8, 9};
        byte[] what = {(byte) 0xA3, (byte) 0x95, 2, 4, 5, 6};

        Mapped mapped = raw(log.bytes(rest).bytes(what));

        assertThat(mapped.series("REST:0").get(0))
                .containsEntry("timestamp", 9L)
                .containsEntry("h", 5L)
                .containsEntry("_x00", List.of(7L, 8L, 9L));
        assertThat(mapped.series("WHAT:0").get(0))
                .containsEntry("timestamp", 9L)
                .containsEntry("_x00", List.of(4L, 5L, 6L));
    }

    @Test
    void namesFollowTheRulesOfULogAndCanBeTurnedBack() throws IOException {
        Mapped mapped = raw(aLog().fmt(1, "a b", "QBBBBBBB", "TimeUS,timestamp,X,X,_padding0,s(m),_x41,")
                .fmt(2, "bool", "Q", "TimeUS")
                .record("a b", 1L, 1, 2, 3, 4, 5, 6, 7)
                .record("bool", 2L));

        assertThat(mapped.series("a_x20b:0").get(0).keySet())
                .containsExactly(
                        "timestamp", "_x74imestamp", "X", "X_x00", "_x5Fpadding0", "s_x28m_x29", "_x5Fx41", "_x00");
        assertThat(mapped.samples).containsKey("_x62ool:0");
        for (String name : List.of("timestamp", "X", "_padding0", "s(m)", "_x41", "", "_x", "_x4g", "\u00e9_\u0001")) {
            assertThat(TopicNames.original(TopicNames.escaped(name))).isEqualTo(name);
            assertThat(TopicNames.original(TopicNames.escaped(name) + "_x00_x00"))
                    .isEqualTo(name);
        }
    }

    @Test
    void aNameDeclaredAgainAndAgainGetsSixteenTopicsAndTheRestIsCounted() throws IOException {
        DataFlashBuilder log = aLog();
        for (int i = 0; i < 20; i++) {
            log.fmt(1, "N", "QB", "TimeUS,A" + i).record("N", 1L, i);
        }

        Mapped mapped = raw(log);

        assertThat(mapped.sampleCounts()).hasSize(16).containsKey("N" + "_x00".repeat(15) + ":0");
        assertThat(mapped.counts.refused()).isEqualTo(4);
        assertThat(mapped.counts.unmapped()).isEqualTo(4);
    }

    @Test
    void damageBecomesADropoutAsLongAsTheTimeThatIsMissing() throws IOException {
        DataFlashBuilder log = aLog().fmt(1, "AAA", "Q", "TimeUS");
        for (long ms = 0; ms < 1000; ms += 10) {
            log.record("AAA", ms * 1000);
        }
        byte[] bytes = log.toByteArray();
        int from = log.starts().get(5 + 20);
        Arrays.fill(bytes, from, log.starts().get(5 + 30), (byte) 0);

        Mapped mapped = Mapped.raw(bytes);

        assertThat(mapped.counts.samples()).isEqualTo(89);
        assertThat(mapped.counts.damagedSpans()).isEqualTo(1);
        assertThat(mapped.dropouts).containsExactly(120);
    }

    @Test
    void aWrongTimeSilencesNoMarkers() throws IOException {
        DataFlashBuilder log = aLog().fmt(1, "AAA", "Q", "TimeUS").record("AAA", Long.MAX_VALUE);
        for (long ms = 0; ms < 10_000; ms += 10) {
            log.record("AAA", ms * 1000);
        }

        assertThat(raw(log).syncs).isBetween(19, 22);
    }

    @Test
    void theTimeOfTheFirstFixTellsTheTimeOfBoot() throws IOException {
        Mapped mapped = raw(aLog().fmt(1, "GPS", "QBBIH", "TimeUS,I,Status,GMS,GWk")
                .record("GPS", 1L, 0, 1, 1000, 0)
                .record("GPS", 2L, 0, 1, 1000, 2400)
                .record("GPS", 3_000_000L, 0, 3, 5000, 2400)
                .record("GPS", 9_000_000L, 0, 3, 5000, 2400));

        // Week 2400 starts on 2026-01-04, 18 leap seconds earlier in UTC.
        assertThat(mapped.infos.get("boot_time_utc_us"))
                .extracting(KeyedValue::integer)
                .isEqualTo((1_767_484_800L - 18 + 5 - 3) * 1_000_000);
    }

    /** The formats of ArduPilot 3.2, with fewer fields. */
    @Test
    void oldReceiversCountFromTheWeekAndInAnotherFieldFromBoot() throws IOException {
        Mapped mapped = raw(aLog().fmt(1, "GPS", "BIHBI", "Status,TimeMS,Week,NSats,T")
                .fmt(2, "GPS2", "BIHBIBI", "Status,TimeMS,Week,NSats,T,DSc,DAg")
                .fmt(3, "IMU", "If", "TimeMS,GyrX")
                .fmt(4, "MODE", "Mh", "Mode,ThrCrs")
                .record("IMU", 7000, 0.5)
                .record("GPS", 3, 130_040_903, 1769, 10, 7010)
                .record("GPS2", 3, 130_040_903, 1769, 10, 7011, 0, 0)
                .record("MODE", 5, 0)
                .record("IMU", 7020, 0.5));

        assertThat(column(mapped.series("GPS:0"), "timestamp")).containsExactly(7_010_000L);
        assertThat(column(mapped.series("GPS:0"), "TimeMS")).containsExactly(130_040_903L);
        assertThat(column(mapped.series("GPS2:0"), "timestamp")).containsExactly(7_011_000L);
        assertThat(column(mapped.series("MODE:0"), "timestamp")).containsExactly(7_011_000L);
        // Week 1769 starts on 2013-12-01, 16 leap seconds earlier in UTC.
        assertThat(mapped.infos.get("boot_time_utc_us"))
                .extracting(KeyedValue::integer)
                .isEqualTo((1_385_856_000L - 16) * 1_000_000 + (130_040_903L - 7010) * 1000);
    }

    @Test
    void aTimeOfTheWeekWithoutOneSinceBootIsNoTime() throws IOException {
        Mapped mapped = raw(aLog().fmt(1, "GPS", "BIH", "Status,TimeMS,Week")
                .fmt(2, "IMU", "If", "TimeMS,GyrX")
                .record("GPS", 3, 130_040_000, 1769)
                .record("IMU", 7000, 0.5)
                .record("GPS", 3, 130_040_903, 1769));

        assertThat(column(mapped.series("GPS:0"), "timestamp")).containsExactly(7_000_000L, 7_000_000L);
        assertThat(mapped.infos).doesNotContainKey("boot_time_utc_us");
    }
}
