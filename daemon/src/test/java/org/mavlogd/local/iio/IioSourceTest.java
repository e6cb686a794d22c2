package org.mavlogd.local.iio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.local.FixtureTree;
import org.mavlogd.local.Outlet;
import org.mavlogd.local.TakenSamples;
import org.mavlogd.local.TakenSamples.Sample;
import org.mavlogd.metrics.Metrics;

class IioSourceTest {
    private static final String DEVICES = "sys/bus/iio/devices/";
    private static final long RESCAN_NS = TimeUnit.SECONDS.toNanos(5);

    @TempDir
    private Path directory;

    private final LocalFeed feed = new LocalFeed("sampler", 1 << 20);
    private final TakenSamples taken = new TakenSamples(feed);
    private FixtureTree sys = new FixtureTree(Path.of("."));
    private IioSource source = source(List.of("*"), List.of());
    private long nowNs;
    private long readingNs;

    @BeforeEach
    void prepare() {
        sys = new FixtureTree(directory);
        source = source(List.of("*"), List.of());
    }

    @AfterEach
    void close() {
        source.close();
    }

    @Test
    void appliesTheSharedScaleOfAnInertialSensor() throws IOException {
        imu(0);

        Sample imu = sample("iio_mpu9250").get(0);

        assertThat(imu.values().keySet())
                .containsExactlyInAnyOrder("accel_x", "accel_y", "accel_z", "anglvel_z", "magn_x", "temp");
        assertThat(imu.number("accel_x")).isCloseTo(-100 * 0.000598, within(1e-6));
        assertThat(imu.number("accel_z")).isCloseTo(16384 * 0.000598, within(1e-6));
        assertThat(imu.unit("accel_z")).isEqualTo("m/s^2");
        assertThat(imu.number("anglvel_z")).isCloseTo(20 * 0.001064724, within(1e-7));
        assertThat(imu.unit("anglvel_z")).isEqualTo("rad/s");
        assertThat(imu.number("magn_x")).isCloseTo(300 * 0.0015 * 1e-4, within(1e-10));
        // (raw + offset) * scale in thousandths of a degree.
        assertThat(imu.number("temp")).isCloseTo((1500 + 7011) * 2.995178 * 1e-3, within(1e-4));
        assertThat(imu.unit("temp")).isEqualTo("degC");
    }

    @Test
    void takesProcessedInputsWhereThereIsNoRaw() throws IOException {
        sys.file(DEVICES + "iio:device1/name", "bmp280\n")
                .file(DEVICES + "iio:device1/in_pressure_input", "101.325781250\n")
                .file(DEVICES + "iio:device1/in_temp_input", "22870\n")
                .file(DEVICES + "iio:device1/in_pressure_oversampling_ratio", "16\n");

        Sample baro = sample("iio_bmp280").get(0);

        assertThat(baro.number("pressure")).isCloseTo(101_325.78, within(0.01));
        assertThat(baro.unit("pressure")).isEqualTo("Pa");
        assertThat(baro.number("temp")).isCloseTo(22.87, within(1e-5));
        assertThat(baro.values()).hasSize(2);
    }

    @Test
    void aChannelsOwnScaleGoesBeforeTheSharedOne() throws IOException {
        sys.file(DEVICES + "iio:device0/name", "ads1015\n")
                .file(DEVICES + "iio:device0/in_voltage0_raw", "1000\n")
                .file(DEVICES + "iio:device0/in_voltage0_scale", "3.000000\n")
                .file(DEVICES + "iio:device0/in_voltage1_raw", "1000\n")
                .file(DEVICES + "iio:device0/in_voltage_scale", "2.000000\n")
                .file(DEVICES + "iio:device0/in_voltage2_vbat_raw", "500\n")
                .file(DEVICES + "iio:device0/in_voltage2_vbat_offset", "-100\n")
                .file(DEVICES + "iio:device0/in_voltage0-voltage1_raw", "7\n")
                .file(DEVICES + "iio:device0/in_voltage-voltage_scale", "10\n")
                .file(DEVICES + "iio:device0/in_current3_raw", "8\n")
                .file(DEVICES + "iio:device0/in_scale", "0.5\n")
                .file(DEVICES + "iio:device0/in_voltage9_raw_available", "1 2\n")
                .file(DEVICES + "iio:device0/in_timestamp_raw", "1\n");

        Sample adc = sample("iio_ads1015").get(0);

        assertThat(adc.number("voltage0")).isCloseTo(3.0, within(1e-6));
        assertThat(adc.number("voltage1")).isCloseTo(2.0, within(1e-6));
        assertThat(adc.number("voltage2_vbat")).isCloseTo(0.8, within(1e-6));
        assertThat(adc.number("voltage0_voltage1")).isCloseTo(0.07, within(1e-6));
        assertThat(adc.number("current3")).isCloseTo(0.004, within(1e-6));
        assertThat(adc.unit("current3")).isEqualTo("A");
        assertThat(adc.values()).hasSize(5);
    }

    @Test
    void devicesAppearAndVanish() throws IOException {
        assertThat(sample("iio_mpu9250")).isEmpty();

        imu(3);
        nowNs += RESCAN_NS;
        assertThat(sample("iio_mpu9250")).hasSize(1);

        sys.delete(DEVICES + "iio:device3");
        nowNs += RESCAN_NS;
        assertThat(sample("iio_mpu9250")).isEmpty();

        imu(4);
        nowNs += RESCAN_NS;
        assertThat(sample("iio_mpu9250")).extracting(Sample::instance).containsExactly(0);
        assertThat(feed.topics()).hasSize(1);
    }

    @Test
    void equalDevicesAreInstancesAndOthersOfTheNameAreTopics() throws IOException {
        imu(0);
        imu(1);
        sys.file(DEVICES + "iio:device2/name", "mpu9250\n").file(DEVICES + "iio:device2/in_temp_raw", "1\n");

        source.read(nowNs);
        source.publish();
        List<Sample> all = taken.take();

        assertThat(all.stream().map(s -> s.topic().name() + s.instance()))
                .containsExactly("iio_mpu92500", "iio_mpu92501", "iio_mpu9250_20");
    }

    @Test
    void eachDeviceHasTheTimeOfItsOwnReading() throws IOException {
        imu(0);
        imu(1);
        nowNs = 5000;
        readingNs = TimeUnit.MILLISECONDS.toNanos(125);

        assertThat(sample("iio_mpu9250"))
                .extracting(Sample::takenNs)
                .containsExactly(5000 + readingNs, 5000 + 2 * readingNs);
    }

    @Test
    void aScaleThatChangesIsTakenOver() throws IOException {
        imu(0);
        sample("iio_mpu9250");
        sys.file(DEVICES + "iio:device0/in_accel_scale", "0.001196\n");
        nowNs += RESCAN_NS;

        assertThat(sample("iio_mpu9250").get(0).number("accel_z")).isCloseTo(16384 * 0.001196, within(1e-5));
    }

    /** Some drivers ask the sensor for its scale, which may fail for a moment. */
    @Test
    void withoutItsScaleAChannelIsNanAndNotInAnotherUnit() throws IOException {
        imu(0);
        sample("iio_mpu9250");
        sys.delete(DEVICES + "iio:device0/in_accel_scale");
        sys.file(DEVICES + "iio:device0/in_accel_scale/directory", "which opens, but cannot be read\n");
        sys.file(DEVICES + "iio:device0/in_temp_offset", "busy\n");
        nowNs += RESCAN_NS;

        Sample imu = sample("iio_mpu9250").get(0);
        assertThat(imu.number("accel_z")).isNaN();
        assertThat(imu.number("temp")).isNaN();
        assertThat(imu.number("anglvel_z")).isCloseTo(20 * 0.001064724, within(1e-7));

        sys.delete(DEVICES + "iio:device0/in_accel_scale");
        sys.file(DEVICES + "iio:device0/in_accel_scale", "0.000598\n");
        nowNs += RESCAN_NS;
        assertThat(sample("iio_mpu9250").get(0).number("accel_z")).isCloseTo(16384 * 0.000598, within(1e-6));
    }

    @Test
    void aBrokenChannelIsNanAndABrokenDeviceIsSilent() throws IOException {
        imu(0);
        sys.file(DEVICES + "iio:device0/in_accel_x_raw", "");
        sys.file(DEVICES + "iio:device1/name", "adc\n").file(DEVICES + "iio:device1/in_voltage0_raw", "busy\n");

        source.read(nowNs);
        source.publish();
        List<Sample> all = taken.take();

        assertThat(all).hasSize(1);
        assertThat(all.get(0).number("accel_x")).isNaN();
        assertThat(all.get(0).number("accel_y")).isNotNaN();
    }

    @Test
    void takesOnlyWhatIsWanted() throws IOException {
        imu(0);
        sys.file(DEVICES + "iio:device1/name", "ina219\n").file(DEVICES + "iio:device1/in_voltage0_raw", "5\n");
        sys.file(DEVICES + "iio:device2/name", "ina226\n")
                .file(DEVICES + "iio:device2/label", "Motor Left\n")
                .file(DEVICES + "iio:device2/in_voltage0_raw", "5\n");
        source = source(List.of("ina*"), List.of("ina219"));

        source.read(nowNs);
        source.publish();

        assertThat(taken.take().stream().map(s -> s.topic().name())).containsExactly("iio_ina226_motor_left");
    }

    private void imu(int number) {
        String device = DEVICES + "iio:device" + number + '/';
        sys.file(device + "name", "mpu9250\n")
                .file(device + "in_accel_x_raw", "-100\n")
                .file(device + "in_accel_y_raw", "0\n")
                .file(device + "in_accel_z_raw", "16384\n")
                .file(device + "in_accel_scale", "0.000598\n")
                .file(device + "in_accel_scale_available", "0.000598 0.001196 0.002392 0.004785\n")
                .file(device + "in_accel_mount_matrix", "1, 0, 0; 0, 1, 0; 0, 0, 1\n")
                .file(device + "in_accel_x_calibbias", "-5221\n")
                .file(device + "in_anglvel_z_raw", "20\n")
                .file(device + "in_anglvel_scale", "0.001064724\n")
                .file(device + "in_magn_x_raw", "300\n")
                .file(device + "in_magn_x_scale", "0.001500\n")
                .file(device + "in_temp_raw", "1500\n")
                .file(device + "in_temp_offset", "7011\n")
                .file(device + "in_temp_scale", "2.995178\n")
                .file(device + "sampling_frequency", "50\n");
    }

    private List<Sample> sample(String topic) throws IOException {
        source.read(nowNs);
        source.publish();
        return taken.take(topic);
    }

    private IioSource source(List<String> include, List<String> exclude) {
        Path root = directory == null ? Path.of("") : directory;
        IioSource.Settings settings = new IioSource.Settings(root, RESCAN_NS / 50, include, exclude);
        return new IioSource(settings, new Outlet("iio", feed.publisher(), new Metrics()), () -> nowNs += readingNs);
    }
}
