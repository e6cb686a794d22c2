package org.mavlogd.local.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.local.FixtureTree;
import org.mavlogd.local.TakenSamples;
import org.mavlogd.local.TakenSamples.Sample;
import org.mavlogd.local.TopicSource;
import org.mavlogd.metrics.Metrics;

class SystemSourcesTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @TempDir
    private Path directory;

    private final LocalFeed feed = new LocalFeed("sampler", 1 << 20);
    private final TakenSamples taken = new TakenSamples(feed);
    private List<TopicSource> sources = List.of();
    private long nowNs = 5 * SECOND;

    @AfterEach
    void close() {
        sources.forEach(TopicSource::close);
    }

    @Test
    void measuresLoadOfEachCoreOfARaspberryPi() throws IOException {
        FixtureTree pi = start("pi4.tree.txt");

        Sample first = sample("cpu", "companion_cpu").get(0);
        pi.file("proc/stat", """
                cpu  1100 0 500 8240 460 0 100 0 0 0
                cpu0 350 0 125 2000 100 0 25 0 0 0
                cpu1 250 0 125 2100 100 0 25 0 0 0
                cpu3 250 0 125 2040 160 0 25 0 0 0
                intr 1
                """);
        nowNs += SECOND;
        Sample second = sample("cpu", "companion_cpu").get(0);

        assertThat(first.number("load")).isNaN();
        assertThat(second.takenNs()).isEqualTo(nowNs);
        assertThat(second.number("load")).isCloseTo(0.25, within(1e-6));
        assertThat(second.number("iowait")).isCloseTo(0.15, within(1e-6));
        assertThat(second.number("load_average")).isCloseTo(0.52, within(1e-6));
        assertThat(second.list("core_load").stream().map(Number::doubleValue))
                .containsExactly(1.0, 0.0, Double.NaN, 0.0);
        assertThat(second.list("core_frequency").stream().map(Number::doubleValue))
                .containsExactly(1.5e9, 1.5e9, 0.6e9, 1.5e9);
        assertThat(second.unit("core_frequency")).isEqualTo("Hz");
    }

    @Test
    void aFrequencyThatVanishesIsNanAndComesBack() throws IOException {
        FixtureTree pi = start("pi4.tree.txt");
        pi.delete("sys/devices/system/cpu/cpu1/cpufreq");

        Sample without = sample("cpu", "companion_cpu").get(0);
        pi.file("sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "700000\n");
        nowNs += 31 * SECOND;
        Sample with = sample("cpu", "companion_cpu").get(0);

        assertThat(without.list("core_frequency").get(1)).isEqualTo(Double.NaN);
        assertThat(with.list("core_frequency").get(1)).isEqualTo(7e8);
    }

    @Test
    void measuresMemoryInBytes() throws IOException {
        start("pi4.tree.txt");

        Sample memory = sample("memory", "companion_memory").get(0);

        assertThat(memory.number("total")).isEqualTo(3_884_344 * 1024.0);
        assertThat(memory.number("available")).isEqualTo(3_401_234 * 1024.0);
        assertThat(memory.number("cached")).isEqualTo(456_789 * 1024.0);
        assertThat(memory.number("dirty")).isEqualTo(128 * 1024.0);
        assertThat(memory.number("swap_free")).isEqualTo(102_396 * 1024.0);
    }

    @Test
    void showsAThermalZoneOnceAlthoughHwmonHasItToo() throws IOException {
        start("pi4.tree.txt");

        List<Sample> temperatures = sample("temperature", "companion_temperature");

        assertThat(temperatures).hasSize(1);
        assertThat(temperatures.get(0).text("name")).isEqualTo("cpu-thermal");
        assertThat(temperatures.get(0).number("temperature")).isCloseTo(58.426, within(1e-4));
    }

    @Test
    void numbersZonesOfAJetsonAndTellsAnUnreadableOneAsNan() throws IOException {
        start("jetson.tree.txt");

        List<Sample> temperatures = sample("temperature", "companion_temperature");

        assertThat(temperatures.stream().map(s -> s.instance() + " " + s.text("name")))
                .containsExactly("0 cpu-thermal", "1 gpu-thermal", "2 cv0-thermal", "3 tj-thermal", "4 tboard-thermal");
        assertThat(temperatures.get(2).number("temperature")).isNaN();
        assertThat(temperatures.get(4).number("temperature")).isCloseTo(-0.25, within(1e-6));
    }

    @Test
    void namesSensorsOfAPcByDriverAndLabel() throws IOException {
        start("pc.tree.txt");

        assertThat(sample("temperature", "companion_temperature").stream().map(s -> s.text("name")))
                .containsExactly(
                        "acpitz", "acpitz 2", "nvme Composite", "nvme Composite 2", "k10temp Tctl", "amdgpu temp1");
    }

    @Test
    void aSensorThatVanishesLeavesTheOthersTheirNumbers() throws IOException {
        FixtureTree pc = start("pc.tree.txt");
        sample("temperature", "companion_temperature");
        pc.delete("sys/class/hwmon/hwmon1");
        pc.delete("sys/class/thermal/thermal_zone0");
        nowNs += 31 * SECOND;

        List<Sample> left = sample("temperature", "companion_temperature");

        assertThat(left.stream().map(s -> s.instance() + " " + s.text("name")))
                .contains("4 k10temp Tctl", "5 amdgpu temp1")
                .hasSize(4);
    }

    @Test
    void measuresRailsOfAJetson() throws IOException {
        start("jetson.tree.txt");

        List<Sample> rails = sample("rail", "companion_rail");

        assertThat(rails.stream().map(s -> s.instance() + " " + s.text("name")))
                .containsExactly("0 VDD_IN", "1 VDD_CPU_GPU_CV", "2 VDD_SOC");
        assertThat(rails.get(0).number("voltage")).isCloseTo(5.048, within(1e-5));
        assertThat(rails.get(0).number("current")).isCloseTo(0.968, within(1e-5));
        assertThat(rails.get(0).number("power")).isCloseTo(4.886, within(1e-3));
        assertThat(rails.get(0).unit("power")).isEqualTo("W");
    }

    @Test
    void measuresTheGpuOfAJetsonOnce() throws IOException {
        start("jetson.tree.txt");

        List<Sample> gpus = sample("gpu", "companion_gpu");

        assertThat(gpus).hasSize(1);
        assertThat(gpus.get(0).text("name")).isEqualTo("17000000.gpu");
        assertThat(gpus.get(0).number("load")).isCloseTo(0.347, within(1e-6));
        assertThat(gpus.get(0).number("frequency")).isCloseTo(305_992_000, within(100.0));
    }

    @Test
    void measuresTheGpuOfAPc() throws IOException {
        start("pc.tree.txt");

        List<Sample> gpus = sample("gpu", "companion_gpu");

        assertThat(gpus).hasSize(1);
        assertThat(gpus.get(0).text("name")).isEqualTo("card0");
        assertThat(gpus.get(0).number("load")).isCloseTo(0.17, within(1e-6));
        assertThat(gpus.get(0).number("frequency")).isEqualTo(5e8);
    }

    @Test
    void measuresWholeDisksAndTheirRates() throws IOException {
        FixtureTree pi = start("pi4.tree.txt");
        Sample first = sample("disk", "companion_disk").get(0);
        pi.file(
                "proc/diskstats",
                " 179       0 mmcblk0 20010 5000 1000200 30000 10020 4000 404000 90100 0 60500 120000 0 0 0 0 0 0\n");
        nowNs += 2 * SECOND;

        List<Sample> disks = sample("disk", "companion_disk");

        assertThat(first.number("write_rate")).isNaN();
        assertThat(disks).hasSize(1);
        assertThat(disks.get(0).text("name")).isEqualTo("mmcblk0");
        assertThat(disks.get(0).number("written")).isEqualTo(404_000 * 512.0);
        assertThat(disks.get(0).number("write_rate")).isEqualTo(4000 * 512 / 2.0);
        assertThat(disks.get(0).number("read_rate")).isEqualTo(200 * 512 / 2.0);
        assertThat(disks.get(0).number("busy")).isCloseTo(0.25, within(1e-6));
        assertThat(disks.get(0).number("write_latency")).isCloseTo(0.005, within(1e-6));
    }

    @Test
    void aDiskThatWasPluggedInAgainHasNoNegativeRates() throws IOException {
        FixtureTree pi = start("pi4.tree.txt");
        sample("disk", "companion_disk");
        pi.file("proc/diskstats", " 179       0 mmcblk0 10 0 200 3 20 0 400 9 0 6 12 0 0 0 0 0 0\n");
        nowNs += 2 * SECOND;

        Sample disk = sample("disk", "companion_disk").get(0);

        assertThat(disk.number("written")).isEqualTo(400 * 512.0);
        assertThat(disk.number("write_rate")).isNaN();
        assertThat(disk.number("read_rate")).isNaN();
        assertThat(disk.number("busy")).isNaN();
    }

    @Test
    void takesTheShorterLinesOfOldKernels() throws IOException {
        start("pc.tree.txt");

        assertThat(sample("disk", "companion_disk").stream().map(s -> s.text("name")))
                .containsExactly("sda", "nvme0n1");
    }

    @Test
    void measuresNetworkLinksButNotLoopback() throws IOException {
        FixtureTree pi = start("pi4.tree.txt");
        List<Sample> first = sample("network", "companion_network");
        pi.file("proc/net/dev", """
                Inter-|   Receive                                                |  Transmit
                 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
                 wlan0: 5010000    4010    1    2    0     0          0        77  1002000    3000    3    4    0     0       0          0
                """);
        nowNs += SECOND / 2;
        List<Sample> second = sample("network", "companion_network");

        assertThat(first.stream().map(s -> s.instance() + s.text("name") + s.number("up")))
                .containsExactly("0eth00.0", "1wlan01.0");
        assertThat(second).hasSize(1);
        Sample wlan = second.get(0);
        assertThat(wlan.instance()).isEqualTo(1);
        assertThat(wlan.number("received")).isEqualTo(5_010_000);
        assertThat(wlan.number("receive_rate")).isEqualTo(20_000);
        assertThat(wlan.number("send_rate")).isEqualTo(4000);
        assertThat(wlan.number("receive_errors")).isEqualTo(1);
        assertThat(wlan.number("receive_drops")).isEqualTo(2);
        assertThat(wlan.number("send_errors")).isEqualTo(3);
        assertThat(wlan.number("send_drops")).isEqualTo(4);
    }

    @Test
    void takesCountersBeyond32BitAndLeavesContainersOut() throws IOException {
        start("jetson.tree.txt");

        List<Sample> links = sample("network", "companion_network");

        assertThat(links).hasSize(1);
        assertThat(links.get(0).text("name")).isEqualTo("enP8p1s0");
        assertThat(links.get(0).number("received")).isEqualTo(9e9);
    }

    @Test
    void manyStartsOfContainersDoNotHideANewLink() throws IOException {
        FixtureTree pi = start("pi4.tree.txt");
        String heading =
                "Inter-| Receive | Transmit\n face |bytes packets errs drop fifo frame compressed multicast|bytes\n";
        String figures = ": 7 1 0 0 0 0 0 0 8 1 0 0 0 0 0 0\n";
        for (int start = 0; start < 300; start++) {
            pi.file("proc/net/dev", heading + "lo" + figures + "wlan0" + figures + "veth" + start + figures);
            sample("network", "companion_network");
        }
        pi.file("proc/net/dev", heading + "lo" + figures + "wlan0" + figures + "wwan0" + figures);

        assertThat(sample("network", "companion_network").stream().map(s -> s.text("name")))
                .containsExactlyInAnyOrder("wlan0", "wwan0");
    }

    @Test
    void measuresTheSignalOfWirelessLinks() throws IOException {
        start("pi4.tree.txt");

        Sample wifi = sample("wifi", "companion_wifi").get(0);

        assertThat(wifi.text("name")).isEqualTo("wlan0");
        assertThat(wifi.number("signal")).isEqualTo(-56);
        assertThat(wifi.number("noise")).isNaN();
        assertThat(wifi.number("link_quality")).isEqualTo(54);
        assertThat(wifi.number("retries")).isEqualTo(12);
        assertThat(wifi.number("missed_beacons")).isEqualTo(3);
    }

    @Test
    void tellsUnderVoltageAndThrottlingOfARaspberryPi() throws IOException {
        start("pi4.tree.txt");

        Sample flags = sample("throttling", "companion_throttling").get(0);

        assertThat(flags.number("flags")).isEqualTo(0x50005);
        assertThat(flags.number("under_voltage")).isEqualTo(1);
        assertThat(flags.number("frequency_capped")).isZero();
        assertThat(flags.number("throttled")).isEqualTo(1);
        assertThat(flags.number("under_voltage_since_boot")).isEqualTo(1);
        assertThat(flags.number("soft_temperature_limit_since_boot")).isZero();
    }

    @Test
    void takesTheVoltageAlarmWhereTheFirmwareIsNotThere() throws IOException {
        FixtureTree pi = FixtureTree.unpack("pi4.tree.txt", directory);
        pi.delete("sys/devices/platform/soc");
        create();
        Sample alarm = sample("throttling", "companion_throttling").get(0);
        pi.file("sys/class/hwmon/hwmon1/in0_lcrit_alarm", "0\n");
        Sample after = sample("throttling", "companion_throttling").get(0);

        assertThat(alarm.number("under_voltage")).isEqualTo(1);
        assertThat(after.number("under_voltage")).isZero();
        assertThat(after.number("under_voltage_since_boot")).isEqualTo(1);
    }

    @Test
    void publishesNothingThatTheComputerDoesNotHave() throws IOException {
        start("pc.tree.txt");

        assertThat(sample("wifi", "companion_wifi")).isEmpty();
        assertThat(sample("throttling", "companion_throttling")).isEmpty();
        assertThat(sample("rail", "companion_rail")).isEmpty();
    }

    @Test
    void tellsTheSpaceOfADirectoryThatIsStillToBeMade() throws IOException {
        start("pc.tree.txt");

        Sample storage = sample("storage", "companion_storage").get(0);

        assertThat(storage.number("total")).isGreaterThanOrEqualTo(storage.number("available"));
        assertThat(storage.number("available")).isPositive();
    }

    @Test
    void publishesTheRecordersHealth() throws IOException {
        start("pc.tree.txt");

        Sample health = sample("recorder", "companion_recorder").get(0);

        assertThat(health.values().values().stream().map(v -> ((Number) v).doubleValue()))
                .containsExactly(0.25, (double) 0.125f, 1.0, 3.0, 2.0, 4.0, 5.0);
    }

    @Test
    void saysWhichFileIsMissing() {
        FixtureTree pc = FixtureTree.unpack("pc.tree.txt", directory);
        create();
        pc.delete("proc");

        assertThatThrownBy(() -> source("cpu").read(nowNs)).hasMessage(directory + "/proc/stat: no such file");
        assertThatThrownBy(() -> source("memory").read(nowNs)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> source("disk").read(nowNs)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> source("network").read(nowNs)).isInstanceOf(IOException.class);
    }

    @Test
    void excludedTopicsAreNotDeclared() {
        FixtureTree.unpack("pc.tree.txt", directory);
        SystemSettings settings = new SystemSettings(directory, directory, SECOND, Set.of("cpu", "gpu"));

        sources = SystemSources.create(settings, feed.publisher(), new Metrics(), new FixedHealth());

        assertThat(feed.topics().stream().map(topic -> topic.name()))
                .doesNotContain("companion_cpu", "companion_gpu")
                .contains("companion_memory")
                .hasSize(SystemSettings.TOPICS.size() - 2);
    }

    @Test
    void measuresThisVeryComputer() throws IOException {
        SystemSettings settings = new SystemSettings(Path.of("/"), directory, SECOND, Set.of());
        sources = SystemSources.create(settings, feed.publisher(), new Metrics(), new FixedHealth());

        assertThat(sample("memory", "companion_memory").get(0).number("total")).isPositive();
        assertThat(sample("cpu", "companion_cpu")).hasSize(1);
        assertThat(sample("storage", "companion_storage").get(0).number("total"))
                .isPositive();
        for (TopicSource source : sources) {
            source.read(nowNs);
            source.publish();
        }
    }

    private FixtureTree start(String tree) {
        FixtureTree fixture = FixtureTree.unpack(tree, directory);
        create();
        return fixture;
    }

    private void create() {
        SystemSettings settings = new SystemSettings(directory, directory.resolve("logs/deep"), SECOND, Set.of());
        sources = SystemSources.create(settings, feed.publisher(), new Metrics(), new FixedHealth());
    }

    private TopicSource source(String name) {
        return sources.stream()
                .filter(source -> source.name().equals("system." + name))
                .findFirst()
                .orElseThrow();
    }

    private List<Sample> sample(String source, String topic) throws IOException {
        source(source).read(nowNs);
        source(source).publish();
        return taken.take(topic);
    }

    private static final class FixedHealth implements SystemSources.RecorderHealth {
        @Override
        public double ringFill() {
            return 0.25;
        }

        @Override
        public long storedBytes() {
            return 1;
        }

        @Override
        public long lostChunks() {
            return 2;
        }

        @Override
        public long discardedBytes() {
            return 3;
        }

        @Override
        public long dropouts() {
            return 4;
        }

        @Override
        public long lostSamples() {
            return 5;
        }

        @Override
        public double takeLongestWriteSeconds() {
            return 0.125;
        }
    }
}
