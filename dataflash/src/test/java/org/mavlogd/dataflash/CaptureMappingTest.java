package org.mavlogd.dataflash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mavlogd.dataflash.Captures.Expected;
import org.mavlogd.ulog.KeyedValue;

/** Logs of a real vehicle: the ULog contains what an established reader counts and reads in them. */
class CaptureMappingTest {
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
        CaptureTruth.checkCounts(name, mapped);
        assertThat(mapped.counts.texts()).isEqualTo(expected.counts().get("MSG"));
    }

    @ParameterizedTest
    @MethodSource("logs")
    void rowsHaveTheValuesThatAnEstablishedReaderGives(String name) throws IOException {
        CaptureTruth.checkRows(name, Mapped.raw(Captures.log(name)));
    }

    @ParameterizedTest
    @MethodSource("logs")
    void piecesOfAnySizeGiveTheSame(String name) throws IOException {
        byte[] log = Captures.log(name);
        byte[] whole = Mapped.of(log, ULogMapper.Values.RAW, log.length).bytes;

        for (int piece : new int[] {200, 1021}) {
            assertThat(Mapped.of(log, ULogMapper.Values.RAW, piece).bytes).isEqualTo(whole);
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
