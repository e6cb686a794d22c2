package org.mavlogd.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.whole.WholeRecorder.MILLISECOND_NS;
import static org.mavlogd.whole.WholeRecorder.SECOND_NS;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.dataflash.DataFlashBuilder;
import org.mavlogd.dataflash.Mapped;
import org.mavlogd.feed.BlockView;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.simulate.ardupilot.ArduPilotSettings;
import org.mavlogd.simulate.ardupilot.DataFlashImage;
import org.mavlogd.store.Disk;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.store.LogKind;

/** The definitions in the live ULog after the recorder was killed and the vehicle's log continued. */
class ArduPilotRestartSimulationTest {
    private static final int RECORDS = 32_000;
    private static final int US_EACH = 2_000;
    // Far beyond the first 256 KiB.
    private static final int CHANGE = 4_250;
    private static final int KILL_S = 10;
    private static final int SLOW_BYTES = 200;

    @Test
    void aNewULogHasTheParametersAndTypesThatWereToldInTheMiddleOfTheLog() {
        ArduPilotFlight flight = flight(WholeRecorder.Setup.plain());
        killAndContinue(flight);
        flight.finish(10 * SECOND_NS);

        assertThat(flight.files()).hasSize(1);
        List<byte[]> ulogs = flight.ulogs();
        assertThat(ulogs).hasSize(2);
        Mapped first = read(ulogs.get(0));
        assertThat(first.parameters()).containsExactlyInAnyOrderEntriesOf(Map.of("SPEED", 3.0, "TURN", 1.5));
        assertThat(first.changes()).containsExactly("SPEED=7.0");
        checkSecond(read(ulogs.get(1)));
    }

    @Test
    void theStatusOfAContinuedLogHasTheBytesAndTheDurationOfItsFiles() {
        ArduPilotFlight flight = flight(WholeRecorder.Setup.plain());
        killAndContinue(flight);

        List<RecordingStatus> statuses = flight.recorder().recordings();
        Map<String, byte[]> files = flight.recorder().disk().contents();
        RecordingStatus verbatim = statuses.get(0);
        assertThat(verbatim.kind()).isEqualTo(LogKind.BIN);
        long writtenBytes = files.getOrDefault(verbatim.growingFile(), new byte[0]).length;
        assertThat(writtenBytes).isPositive();
        // The status is a little older, or some blocks are still in memory.
        assertThat(verbatim.figures().storedBytes())
                .isCloseTo(writtenBytes, Offset.offset(100L * BlockView.DATA_LENGTH));
        // The name of the file has whole seconds.
        assertThat(verbatim.durationMs()).isBetween((KILL_S + 4) * 1000L, (KILL_S + 7) * 1000L);

        RecordingStatus ulog = statuses.get(1);
        assertThat(ulog.kind()).isEqualTo(LogKind.ULG);
        assertThat(ulog.durationMs()).isBetween(3_000L, 6_000L);
        assertThat(ulog.startedEpochMs() - verbatim.startedEpochMs())
                .isCloseTo(verbatim.durationMs() - ulog.durationMs(), Offset.offset(1L));
    }

    /** The vehicle has priority: a setting about files never stops the stream of an armed vehicle. */
    @Test
    void anArmedVehiclesLogGoesOnWithoutAStopWhenOnlyTheULogIsWanted() {
        ArduPilotFlight flight = flight(ulogAlone());
        flight.runFor(3 * SECOND_NS);
        assertThat(flight.vehicle().arm(flight.nowNs())).isTrue();
        killAndContinue(flight);

        assertThat(flight.vehicle().isStreaming()).isTrue();
        assertThat(flight.truth().logs()).hasSize(1);
        assertThat(flight.recorder().metric("ardupilot_stops_sent")).isZero();
        assertThat(flight.recorder().metric("ardupilot_resumed_sessions")).isEqualTo(1);

        flight.vehicle().disarm(flight.nowNs());
        flight.runFor(2 * SECOND_NS);
        flight.finish(10 * SECOND_NS);

        List<byte[]> ulogs = flight.ulogs();
        checkSecond(read(ulogs.get(ulogs.size() - 1)));
        // Only this file has the data that the killed run had not yet written to its ULog.
        assertThat(flight.files()).hasSize(1);
    }

    @Test
    void theVerbatimFileThatIsNotWantedIsGoneWhenTheLogHasEnded() {
        ArduPilotFlight flight = flight(ulogAlone());
        flight.runFor(6 * SECOND_NS);
        assertThat(flight.recorder().disk().contents().keySet()).anyMatch(name -> name.endsWith("_000001.bin.part"));
        flight.vehicle().reboot(flight.nowNs()); // which ends its log
        flight.runFor(20 * SECOND_NS);

        Map<String, byte[]> files = flight.recorder().disk().contents();
        assertThat(files.keySet()).noneMatch(name -> name.contains("_000001."));
        String ulog = files.keySet().stream()
                .filter(name -> name.endsWith("_000002.ulg"))
                .findFirst()
                .orElseThrow();
        assertThat(read(files.getOrDefault(ulog, new byte[0])).rows("TXT")).hasSizeGreaterThan(2000);
    }

    /** The program was stopped normally while the vehicle was armed, and returned in time or too late. */
    @ParameterizedTest
    @ValueSource(ints = {4, 30})
    void theVerbatimFileOfAnArmedVehicleWaitsForTheNextRunAlone(int pauseS) {
        ArduPilotFlight flight = flight(ulogAlone());
        flight.runFor(3 * SECOND_NS);
        assertThat(flight.vehicle().arm(flight.nowNs())).isTrue();
        flight.runFor(4 * SECOND_NS);
        flight.finish(10 * SECOND_NS);
        flight.kill(); // the run has ended
        flight.runFor(pauseS * SECOND_NS);
        flight.restart(flight.recorder().disk());
        flight.runFor(5 * SECOND_NS);

        boolean isInTime = pauseS < 10;
        assertThat(flight.recorder().metric("ardupilot_resumed_sessions")).isEqualTo(isInTime ? 1 : 0);
        assertThat(flight.recorder().metric("ardupilot_stops_sent")).isZero();
        assertThat(flight.truth().logs()).hasSize(isInTime ? 1 : 2);
        assertThat(flight.recorder().disk().contents().keySet())
                .filteredOn(name -> name.contains(".bin"))
                .as("of the log that grows, and of no other")
                .hasSize(1);
    }

    private static void checkSecond(Mapped second) {
        assertThat(second.parameters()).containsExactlyInAnyOrderEntriesOf(Map.of("SPEED", 7.0, "TURN", 1.5));
        assertThat(second.defaults()).containsExactlyInAnyOrderEntriesOf(Map.of("SPEED", 2.0, "TURN", 1.0));
        assertThat(second.changes()).isEmpty();
        checkTypes(second);
    }

    private static void checkTypes(Mapped second) {
        assertThat(second.sampleCounts())
                .containsKeys("TXT:0", "NEW:0", "NEW:1")
                .doesNotContainKey("PARM:0");
        assertThat(second.fieldUnits()).contains("NEW:I=instance,V=m/s");
        assertThat(second.rows("NEW")).hasSizeGreaterThan(20);
    }

    /**
     * The earlier data cannot be read from disk: the ULog starts with the formats of the log's start, better than none.
     */
    @Test
    void aULogBeginsAllTheSameWhenThePastCannotBeRead() {
        ArduPilotFlight flight = flight(WholeRecorder.Setup.plain());
        flight.runFor(KILL_S * SECOND_NS);
        flight.kill();
        flight.runFor(SECOND_NS);
        FakeDisk disk = flight.recorder().disk().afterCrash();
        flight.restart(disk.seenThrough(ArduPilotRestartSimulationTest::opensBlocksOnce));
        flight.runFor(5 * SECOND_NS);
        flight.finish(10 * SECOND_NS);

        assertThat(flight.files()).hasSize(1);
        Mapped last = read(flight.ulogs().get(flight.ulogs().size() - 1));
        assertThat(last.rows("TXT")).hasSizeGreaterThan(500);
        assertThat(last.parameters()).containsEntry("SPEED", 3.0);
    }

    private static Disk opensBlocksOnce(Disk disk) {
        int[] opened = new int[1];
        return opening(disk, (name, file) -> {
            if (name.endsWith(".bin.part") && opened[0]++ > 0) {
                ((Disk.Access) file).close();
                throw new IOException("not twice");
            }
            return file;
        });
    }

    /** A day's log on a slow card: definitions that are read late go into the file being written then. */
    @Test
    void whatIsReadTooLateForTheBeginComesAsAChange() {
        ArduPilotFlight flight = flight(WholeRecorder.Setup.plain());
        flight.runFor(KILL_S * SECOND_NS);
        flight.kill();
        flight.runFor(SECOND_NS);
        flight.restart(flight.recorder().disk().afterCrash().seenThrough(ArduPilotRestartSimulationTest::readsSlowly));
        flight.runFor(50 * SECOND_NS);
        flight.finish(10 * SECOND_NS);

        List<byte[]> ulogs = flight.ulogs();
        assertThat(ulogs).hasSize(3);
        Mapped second = read(ulogs.get(1));
        assertThat(second.parameters()).containsEntry("SPEED", 3.0);
        assertThat(second.changes()).containsExactly("SPEED=7.0");
        assertThat(second.sampleCounts()).doesNotContainKey("NEW:0");
        // As always, a type that becomes known late is in the next file; changes follow the values of the log's start.
        Mapped third = read(ulogs.get(2));
        assertThat(third.changes()).containsExactly("SPEED=7.0");
        checkTypes(third);
        assertThat(flight.recorder().metric("contained_errors")).isZero();
    }

    private static Disk readsSlowly(Disk disk) {
        int[] opened = new int[1];
        return opening(disk, (name, file) -> {
            if (!name.endsWith(".bin.part") || opened[0]++ == 0) {
                return file;
            }
            return proxy(Disk.Access.class, file, (method, arguments) -> {
                if (method.equals("read") && arguments[1] instanceof ByteBuffer target) {
                    target.limit(Math.min(target.limit(), SLOW_BYTES));
                }
            });
        });
    }

    private interface Opened {
        Object file(String name, Object file) throws IOException;
    }

    private interface Before {
        void call(String method, Object[] arguments);
    }

    private static Disk opening(Disk disk, Opened opened) {
        return (Disk) Proxy.newProxyInstance(
                Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (proxy, method, arguments) -> {
                    Object result = invoke(disk, method, arguments);
                    return method.getName().equals("open") ? opened.file(arguments[0].toString(), result) : result;
                });
    }

    private static <T> T proxy(Class<T> type, Object target, Before before) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    before.call(method.getName(), arguments);
                    return invoke(target, method, arguments);
                }));
    }

    private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static void killAndContinue(ArduPilotFlight flight) {
        flight.runFor(KILL_S * SECOND_NS);
        flight.kill();
        flight.runFor(SECOND_NS);
        flight.restart();
        flight.runFor(5 * SECOND_NS);
    }

    private static WholeRecorder.Setup ulogAlone() {
        return WholeRecorder.Setup.plain().making(new RecordSettings.BlockFiles(false, true, false));
    }

    private static ArduPilotFlight flight(WholeRecorder.Setup setup) {
        LossySettings perfect = LossySettings.perfect(LossySettings.Medium.DATAGRAMS, 1);
        return new ArduPilotFlight(
                setup,
                DataFlashImage.of(log()),
                ArduPilotSettings.builder().build(),
                perfect.withDelayNs(MILLISECOND_NS),
                perfect.withDelayNs(MILLISECOND_NS));
    }

    private static byte[] log() {
        DataFlashBuilder log = DataFlashBuilder.aLog()
                .fmt(1, "TXT", "QZB", "TimeUS,Text,N")
                .fmtu("TXT", "s--", "F--")
                .fmt(2, "PARM", "QNff", "TimeUS,Name,Value,Default")
                .fmtu("PARM", "s---", "F---")
                .record("PARM", timeUs(0), "SPEED", 3.0, 2.0)
                .record("PARM", timeUs(0), "TURN", 1.5, 1.0);
        for (int i = 0; i < RECORDS; i++) {
            log.record("TXT", timeUs(i), "some text of the vehicle " + i, i % 100);
            if (i == CHANGE) {
                log.record("PARM", timeUs(i), "SPEED", 7.0, Double.NaN)
                        .fmt(9, "NEW", "QBf", "TimeUS,I,V")
                        .record("FMTU", timeUs(i), 9, "s#n", "F--");
            }
            if (i > CHANGE && i % 50 == 0) {
                log.record("NEW", timeUs(i), i / 50 % 2, 0.5 * i);
            }
        }
        return log.toByteArray();
    }

    private static long timeUs(int index) {
        return 1_000_000L + (long) index * US_EACH;
    }

    private static Mapped read(byte[] ulog) {
        try {
            return Mapped.read(ulog);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
