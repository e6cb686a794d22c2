package org.mavlogd.logtools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dronefleet.mavlink.MavlinkConnection;
import io.dronefleet.mavlink.common.GlobalPositionInt;
import io.dronefleet.mavlink.common.MavParamType;
import io.dronefleet.mavlink.common.MavSeverity;
import io.dronefleet.mavlink.common.ParamValue;
import io.dronefleet.mavlink.common.Statustext;
import io.dronefleet.mavlink.minimal.Heartbeat;
import io.dronefleet.mavlink.minimal.MavAutopilot;
import io.dronefleet.mavlink.minimal.MavState;
import io.dronefleet.mavlink.minimal.MavType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.LoggedText;
import org.mavlogd.ulog.Parameter;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.ULogException;
import org.mavlogd.ulog.ULogHandler;

/** The log tools read telemetry logs whose frames another library wrote. */
class TelemetryMappingTest {
    private static final long START_US = 1_790_000_000_000_000L;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    private void say(long timeUs, int system, int component, Object message) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        MavlinkConnection.create(new ByteArrayInputStream(new byte[0]), frame).send2(system, component, message);
        log.writeBytes(ByteBuffer.allocate(8).putLong(timeUs).array());
        log.writeBytes(frame.toByteArray());
    }

    private static Heartbeat heartbeat(MavAutopilot autopilot) {
        return Heartbeat.builder()
                .type(MavType.MAV_TYPE_GROUND_ROVER)
                .autopilot(autopilot)
                .systemStatus(MavState.MAV_STATE_ACTIVE)
                .mavlinkVersion(3)
                .build();
    }

    private static ParamValue parameter(String name, float value, MavParamType type) {
        return ParamValue.builder()
                .paramId(name)
                .paramValue(value)
                .paramType(type)
                .paramCount(2)
                .build();
    }

    private Path file(byte[] content) throws IOException {
        return Files.write(directory.resolve("flight.tlog"), content);
    }

    /** The contents of the resulting ULog. */
    private static final class Found implements ULogHandler {
        final Map<String, List<Long>> samples = new LinkedHashMap<>();
        final List<String> parameters = new ArrayList<>();
        final List<String> texts = new ArrayList<>();
        final Map<String, String> infos = new LinkedHashMap<>();
        final UtcReference utc = new UtcReference();
        long damaged;

        @Override
        public void onStart(int version, long startUs) {
            utc.onStart(version, startUs);
        }

        @Override
        public void onInfo(KeyedValue info) {
            utc.onInfo(info);
            infos.put(info.name(), info.text());
        }

        @Override
        public void onParameter(Parameter parameter, boolean change) {
            parameters.add(
                    parameter.name() + "=" + Double.toString(parameter.value()).replaceAll("\\.0$", ""));
        }

        @Override
        public void onLoggedText(LoggedText text) {
            texts.add(text.timestampUs() + " " + text.level() + " " + text.text());
        }

        @Override
        public void onSample(SampleView sample) {
            samples.computeIfAbsent(sample.topic().toString(), name -> new ArrayList<>())
                    .add(sample.timestampUs());
        }

        @Override
        public void onDamage(long position, long length) {
            damaged += length;
        }
    }

    private Found read(Path file) throws IOException {
        Found found = new Found();
        LogSource.read(file, found, Progress.NONE);
        return found;
    }

    @Test
    void itsTimesCountFromTheFirstRecordAndItSaysSo() throws IOException {
        say(START_US, 1, 1, heartbeat(MavAutopilot.MAV_AUTOPILOT_PX4));

        Found found = read(file(log.toByteArray()));

        assertThat(found.infos).containsEntry("time_origin", "the first record");
    }

    @Test
    void eachMessageIsASampleOfItsTopicWithAnInstanceForEachSender() throws IOException {
        say(START_US, 1, 1, heartbeat(MavAutopilot.MAV_AUTOPILOT_PX4));
        say(START_US + 10, 255, 190, heartbeat(MavAutopilot.MAV_AUTOPILOT_INVALID));
        say(
                START_US + 20,
                1,
                1,
                GlobalPositionInt.builder()
                        .lat(473_977_418)
                        .lon(85_455_938)
                        .alt(488_000)
                        .build());
        say(START_US + 1_000_000, 1, 1, heartbeat(MavAutopilot.MAV_AUTOPILOT_PX4));

        Found found = read(file(log.toByteArray()));

        assertThat(found.samples.keySet())
                .allMatch(name -> name.startsWith("mavlink_"))
                .hasSize(3);
        assertThat(found.samples.values())
                .containsExactlyInAnyOrder(List.of(0L, 1_000_000L), List.of(10L), List.of(20L));
        assertThat(found.utc.bootUtcUs()).isEqualTo(START_US);
        assertThat(found.damaged).isZero();
    }

    @Test
    void parametersAreThoseOfTheAutopilotByItsOwnWayOfSendingWholeNumbers() throws IOException {
        say(START_US, 1, 1, heartbeat(MavAutopilot.MAV_AUTOPILOT_PX4));
        say(START_US + 1, 1, 1, parameter("P_INT", Float.intBitsToFloat(7), MavParamType.MAV_PARAM_TYPE_INT32));
        say(START_US + 2, 1, 1, parameter("P_REAL", 0.5f, MavParamType.MAV_PARAM_TYPE_REAL32));
        say(START_US + 3, 1, 100, parameter("OTHERS", 1f, MavParamType.MAV_PARAM_TYPE_REAL32));
        say(START_US + 4, 1, 1, parameter("P_REAL", 0.5f, MavParamType.MAV_PARAM_TYPE_REAL32));
        say(START_US + 5, 1, 1, parameter("P_REAL", 0.75f, MavParamType.MAV_PARAM_TYPE_REAL32));

        assertThat(read(file(log.toByteArray())).parameters).containsExactly("P_INT=7", "P_REAL=0.5", "P_REAL=0.75");

        log.reset();
        say(START_US, 1, 1, heartbeat(MavAutopilot.MAV_AUTOPILOT_ARDUPILOTMEGA));
        say(START_US + 1, 1, 1, parameter("A_INT", 7f, MavParamType.MAV_PARAM_TYPE_INT8));

        assertThat(read(file(log.toByteArray())).parameters).containsExactly("A_INT=7");
    }

    /** Some autopilots name parameters like files. */
    @Test
    void namesOfParametersThatULogDoesNotAllowAreEscaped() throws IOException {
        say(START_US, 1, 1, heartbeat(MavAutopilot.MAV_AUTOPILOT_GENERIC));
        say(START_US + 1, 1, 1, parameter("ahrs.gain", 0.5f, MavParamType.MAV_PARAM_TYPE_REAL32));
        say(START_US + 2, 1, 1, parameter("ahrs.gain", 0.75f, MavParamType.MAV_PARAM_TYPE_REAL32));

        assertThat(read(file(log.toByteArray())).parameters).containsExactly("ahrs_x2Egain=0.5", "ahrs_x2Egain=0.75");
    }

    @Test
    void textsAreJoinedFromTheirPieces() throws IOException {
        String first = "This text is so long that it takes two pieces, bei";
        say(START_US, 1, 1, heartbeat(MavAutopilot.MAV_AUTOPILOT_PX4));
        say(START_US + 5, 1, 1, text(MavSeverity.MAV_SEVERITY_CRITICAL, "Low battery", 0, 0));
        say(START_US + 6, 1, 1, text(MavSeverity.MAV_SEVERITY_INFO, first, 4, 0));
        say(START_US + 7, 1, 1, text(MavSeverity.MAV_SEVERITY_INFO, "ng longer than 50 bytes", 4, 1));
        say(START_US + 8, 1, 1, text(MavSeverity.MAV_SEVERITY_INFO, first, 5, 0));

        assertThat(read(file(log.toByteArray())).texts)
                .containsExactly(
                        "5 CRITICAL Low battery",
                        "6 INFO " + first + "ng longer than 50 bytes",
                        "8 INFO " + first + "[...]");
    }

    private static Statustext text(MavSeverity severity, String text, int id, int number) {
        return Statustext.builder()
                .severity(severity)
                .text(text)
                .id(id)
                .chunkSeq(number)
                .build();
    }

    @Test
    void aClockThatWasSetIsNoHoleInTime() throws IOException {
        say(5_000_000, 1, 1, heartbeat(MavAutopilot.MAV_AUTOPILOT_PX4)); // 1970
        say(6_000_000, 1, 1, heartbeat(MavAutopilot.MAV_AUTOPILOT_PX4));
        say(START_US, 1, 1, heartbeat(MavAutopilot.MAV_AUTOPILOT_PX4));
        say(START_US + 500_000, 1, 1, heartbeat(MavAutopilot.MAV_AUTOPILOT_PX4));

        Found found = read(file(log.toByteArray()));

        assertThat(found.samples.values()).containsExactly(List.of(0L, 1_000_000L, 1_000_000L, 1_500_000L));
        assertThat(found.utc.bootUtcUs()).isEqualTo(START_US - 1_000_000);
    }

    @Test
    void damagedAndGzippedLogsAreReadAsFarAsTheyAreSound() throws IOException {
        for (int i = 0; i < 200; i++) {
            say(START_US + i, 1, 1, heartbeat(MavAutopilot.MAV_AUTOPILOT_PX4));
        }
        byte[] damaged = log.toByteArray();
        damaged[1000] ^= 0x55;
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (OutputStream zip = new GZIPOutputStream(zipped)) {
            zip.write(damaged);
        }

        Found found = read(file(zipped.toByteArray()));

        assertThat(Objects.requireNonNull(found.samples.values().iterator().next()))
                .hasSize(199);
        assertThat(found.damaged).isBetween(20L, 60L);
    }

    @Test
    void nothingButDamageIsAnErrorWithItsReason() throws IOException {
        say(START_US, 1, 1, heartbeat(MavAutopilot.MAV_AUTOPILOT_PX4));
        byte[] frames = log.toByteArray();
        frames[frames.length - 1] ^= 1;
        Path file = file(frames);

        assertThatExceptionOfType(ULogException.class)
                .isThrownBy(() -> read(file))
                .withMessageContaining("no MAVLink frame whose checksum is right");
    }
}
