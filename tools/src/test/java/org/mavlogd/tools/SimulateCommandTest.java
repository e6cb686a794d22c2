package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.link.LinkSettings;
import picocli.CommandLine;

class SimulateCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return new CommandLine(new SimulateCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    @Test
    void helpNamesEveryOptionAndTheExitCodes() {
        assertThat(run("px4", "--help")).isZero();

        assertThat(out.toString())
                .contains("--log", "--to", "--rate", "--loss", "--dup", "--reorder", "--corrupt", "--reboot-at")
                .contains("--post-flight", "--seed", "--system-id", "--duration", "--loop", "--stop-at")
                .contains("Exit codes", "Examples");
    }

    @Test
    void vehicleMustBeNamed() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString()).contains("px4");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--rate -1",
                "--rate x",
                "--loss 101",
                "--dup -1",
                "--system-id 0",
                "--system-id 256",
                "--duration -5",
                "--reboot-at NaN",
                "--post-flight 1e9",
                "--telemetry -1",
                "--swap 1",
                "--burst 0",
                "--nonsense"
            })
    void badValueIsWrongUsage(String option) {
        String[] words = ("px4 --log a.ulg --to udp:127.0.0.1:1 " + option).split(" ", -1);

        assertThat(run(words)).isEqualTo(2);
        assertThat(err.toString()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp", "udp:", "udp:host", "udp:host:0", "udp:host:65536", "tcp:a:b", "serial:", "file:x"})
    void badTargetIsWrongUsage(String target) {
        assertThat(run("px4", "--log", "a.ulg", "--to", target)).isEqualTo(2);
        assertThat(err.toString()).contains("udp:HOST:PORT");
    }

    @Test
    void unreadableLogFails(@TempDir Path directory) throws Exception {
        Path noLog = Files.writeString(directory.resolve("no.ulg"), "this is no log at all");

        assertThat(run("px4", "--log", noLog.toString(), "--to", "udp:127.0.0.1:9"))
                .isEqualTo(1);
        assertThat(err.toString()).contains("no.ulg").contains("not a ULog file");
        assertThat(run("px4", "--log", directory.resolve("missing.ulg").toString(), "--to", "udp:127.0.0.1:9"))
                .isEqualTo(1);
    }

    @Test
    void targetsAreUnderstood() {
        assertThat(SimulationOptions.Target.parse("udp:127.0.0.1:14550"))
                .isEqualTo(new LinkSettings.UdpConnect("simulate", "127.0.0.1", 14550, false));
        assertThat(SimulationOptions.Target.parse("tcp:[::1]:5760"))
                .isEqualTo(new LinkSettings.TcpConnect("simulate", "::1", 5760));
        assertThat(SimulationOptions.Target.parse("serial:/dev/ttyUSB0"))
                .isEqualTo(new LinkSettings.SerialPort("simulate", "/dev/ttyUSB0", 57_600, false));
        assertThat(SimulationOptions.Target.parse("serial:/dev/ttyUSB0:921600"))
                .isEqualTo(new LinkSettings.SerialPort("simulate", "/dev/ttyUSB0", 921_600, false));
        assertThatThrownBy(() -> SimulationOptions.Target.parse("serial:/dev/ttyUSB0:0"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(SimulationOptions.Target.parse("serial:/dev/serial/by-id/x:y"))
                .isEqualTo(new LinkSettings.SerialPort("simulate", "/dev/serial/by-id/x:y", 57_600, false));
    }
}
