package org.mavlogd.dataflash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mavlogd.dataflash.Captures.Expected;
import org.mavlogd.dataflash.Captures.Row;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.LoggedText;

/** Logs of a real vehicle: what is in them is in the ULog, as an established reader counts and reads it. */
class CaptureMappingTest {
    private static final Set<String> DEFINITIONS = Set.of("FMT", "FMTU", "UNIT", "MULT");
    private static final String TEXTS = "MSG";
    private static final Set<String> IN_WORDS = Set.of("MODE", "EV", "ERR", "ARM");

    static List<String> logs() {
        return Captures.names();
    }

    @ParameterizedTest
    @MethodSource("logs")
    void everyRecordOfEachTypeAndInstanceIsThere(String name) throws IOException {
        Expected expected = Captures.expected(name);

        Mapped mapped = Mapped.raw(Captures.log(name));

        assertThat(mapped.counts.records()).isEqualTo(expected.records());
        assertThat(mapped.counts.cutBytes()).isEqualTo(expected.cutBytes());
        assertThat(mapped.counts.damagedSpans() + mapped.counts.undeclared() + mapped.counts.refused())
                .isZero();
        assertThat(mapped.sampleCounts()).isEqualTo(expectedSeries(expected));
        assertThat(parametersAndChanges(mapped)).isEqualTo(mapped.parameters.size() + mapped.changes.size());
        long inWords = IN_WORDS.stream()
                .mapToLong(type -> expected.counts().getOrDefault(type, 0L))
                .sum();
        assertThat((long) mapped.texts.size()).isEqualTo(expected.counts().getOrDefault(TEXTS, 0L) + inWords);
        assertThat(mapped.counts.texts()).isEqualTo(expected.counts().get(TEXTS));
    }

    /** Of the topic's rows, which are all that the vehicle logged: those that do not repeat what was known. */
    private static int parametersAndChanges(Mapped mapped) {
        Map<Object, Object> known = new HashMap<>();
        int count = 0;
        for (Map<String, Object> row : mapped.rows("PARM")) {
            Object before = known.put(row.getOrDefault("Name", ""), row.getOrDefault("Value", ""));
            count += Objects.equals(before, row.get("Value")) ? 0 : 1;
        }
        return count;
    }

    private static Map<String, Long> expectedSeries(Expected expected) {
        Map<String, Long> series = new TreeMap<>();
        expected.counts().forEach((type, count) -> {
            boolean hasInstances = expected.instances().keySet().stream().anyMatch(key -> key.startsWith(type + ":"));
            if (!hasInstances && !DEFINITIONS.contains(type) && !type.equals(TEXTS)) {
                series.put(type + ":0", count);
            }
        });
        series.putAll(expected.instances());
        return series;
    }

    @ParameterizedTest
    @MethodSource("logs")
    void rowsHaveTheValuesThatAnEstablishedReaderGives(String name) throws IOException {
        Mapped mapped = Mapped.raw(Captures.log(name));

        for (Row row : Captures.expected(name).rows()) {
            if (row.type().equals(TEXTS)) {
                assertThat(mapped.texts)
                        .contains(new LoggedText(
                                LogLevel.INFO,
                                LoggedText.NO_TAG,
                                Long.parseLong(row.values().getOrDefault("TimeUS", "")),
                                row.values().getOrDefault("Message", "")));
            } else {
                assertThat(mapped.rows(row.type())).as("%s", row).anyMatch(sample -> isSame(row, sample));
            }
        }
    }

    private static boolean isSame(Row row, Map<String, Object> sample) {
        return row.values().entrySet().stream().allMatch(entry -> {
            String name = entry.getKey().equals("TimeUS") ? "timestamp" : entry.getKey();
            return sample.containsKey(name) && isSame(entry.getValue(), sample.getOrDefault(name, ""));
        });
    }

    private static boolean isSame(String expected, Object value) {
        if (value instanceof Long number) {
            return expected.equals(Long.toString(number));
        }
        if (value instanceof Double number) {
            return Double.valueOf(expected.equals("nan") ? "NaN" : expected).equals(number);
        }
        if (value instanceof List<?> bytes) {
            StringBuilder hex = new StringBuilder();
            bytes.forEach(element -> hex.append(String.format("%02x", (Long) element)));
            return hex.toString().startsWith(expected);
        }
        return expected.equals(value);
    }

    @ParameterizedTest
    @MethodSource("logs")
    void piecesOfAnySizeGiveTheSame(String name) throws IOException {
        byte[] log = Captures.log(name);
        byte[] whole = Mapped.of(log, Values.RAW, log.length).bytes;

        for (int piece : new int[] {200, 1021}) {
            assertThat(Mapped.of(log, Values.RAW, piece).bytes).isEqualTo(whole);
        }
    }

    @ParameterizedTest
    @MethodSource("logs")
    void theHeadTellsVehicleAndFormats(String name) throws IOException {
        Mapped mapped = Mapped.raw(Captures.log(name));

        assertThat(mapped.infos.get("sys_name")).extracting(KeyedValue::text).isEqualTo("ArduPilot");
        assertThat(mapped.infos.get("ver_sw")).extracting(KeyedValue::text).isEqualTo("90700977");
        assertThat(mapped.infos.get("ver_sw_text"))
                .extracting(KeyedValue::text)
                .isEqualTo("ArduRover V4.7.0-dev (90700977)");
        assertThat(mapped.infos.get("ver_sw_release"))
                .extracting(KeyedValue::integer)
                .isEqualTo(0x04070000L);
        assertThat(mapped.infos.get("ver_hw")).extracting(KeyedValue::text).isEqualTo("SITL");
        assertThat(mapped.infos).containsKey("boot_time_utc_us");
        assertThat(mapped.lists.get("field_units"))
                .contains("GPS:I=instance,GMS=0.001 s,NSats=satellites,HDop=0.01,Lat=1.0E-7 deglatitude,"
                        + "Lng=1.0E-7 deglongitude,Alt=0.01 m,Spd=m/s,GCrs=degheading,VZ=m/s,Yaw=degheading")
                .contains("XKF1:C=instance,Roll=0.01 deg,Pitch=0.01 deg,Yaw=0.01 degheading,VN=m/s,VE=m/s,VD=m/s,"
                        + "dPD=m/s,PN=m,PE=m,PD=m,GX=0.01 deg/s,GY=0.01 deg/s,GZ=0.01 deg/s,OH=0.01 m");
        assertThat(mapped.lists.get("dataflash_format"))
                .contains("94 51 GPS QBBIHBcLLeffffB TimeUS,I,Status,GMS,GWk,NSats,HDop,Lat,Lng,Alt,Spd,GCrs,VZ,Yaw,U");
        assertThat(mapped.syncs).isPositive();
    }
}
