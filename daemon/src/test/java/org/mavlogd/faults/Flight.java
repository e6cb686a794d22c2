package org.mavlogd.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.app.SystemTests.await;
import static org.mavlogd.app.SystemTests.fastVehicle;
import static org.mavlogd.app.SystemTests.fly;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.mavlogd.app.FlyingVehicle;
import org.mavlogd.app.SentLog;
import org.mavlogd.app.VehicleWire;
import org.mavlogd.computer.FreePorts;
import org.mavlogd.simulate.px4.Px4Vehicle;
import org.mavlogd.whole.LogContent;

/**
 * One flight from arming to disarming, with a program that records while the vehicle is armed. After the flight no data
 * is under way, so sent, stored and counted chunks can be compared exactly.
 */
final class Flight implements AutoCloseable {
    private static final int CHUNK_LENGTH = 249;
    // The 350 chunks of definitions are acknowledged one by one. With a quarter of a core, most of which the warm-up
    // takes, one answer takes a scheduler's period of 100 ms: half a minute for all of them.
    private static final Duration PATIENCE = Duration.ofSeconds(Host.isBusy() ? 150 : 60);

    private final Path home;
    private final Path logs;
    private final FlyingVehicle vehicle;
    private final RecorderProcess recorder;

    /** The chunks of one flight. */
    record Ledger(long sentChunks, long storedChunks, long lostChunks) {
        @Override
        public String toString() {
            return sentChunks + " chunks sent = " + storedChunks + " stored + " + lostChunks + " counted as lost";
        }
    }

    /** Takes off; a relative directory is below the flight's own. */
    Flight(Path directory, int bytesPerSecond, String... startedBy) throws IOException {
        int port = FreePorts.udp();
        home = Host.newDirectory();
        logs = home.resolve(directory);
        recorder = new RecorderProcess.Setup(home, logs, port)
                .log("mode = \"armed\"\nlead_out_s = 0")
                .startedBy(startedBy)
                .start();
        vehicle = fly(
                VehicleWire.udpTo(port),
                fastVehicle().rateBytesPerSecond(bytesPerSecond).loops(true));
        vehicle.order(Px4Vehicle::arm);
        await("data", PATIENCE, () -> !vehicle.sent().isEmpty() && LogDirectory.bytes(logs) > 200_000);
    }

    RecorderProcess recorder() {
        return recorder;
    }

    FlyingVehicle vehicle() {
        return vehicle;
    }

    Path logs() {
        return logs;
    }

    /** Continues the flight for this time. */
    void continueFor(Duration time) {
        recorder.continueFor(time);
    }

    /** Disarms; the recorder then stops the stream. */
    void stopStream() {
        vehicle.order(Px4Vehicle::disarm);
        await("the stream's end", PATIENCE, () -> !vehicle.isStreaming());
    }

    /**
     * Lands, and checks that each chunk was stored or counted as lost, and that nothing was stored that was not sent.
     */
    Ledger land() throws Exception {
        stopStream();
        await(
                "finished files",
                PATIENCE,
                () -> LogDirectory.files(logs).stream()
                        .noneMatch(file -> file.toString().endsWith(".part")));
        Ledger ledger = new Ledger(
                vehicle.chunksSent(),
                recorder.metric("record_chunks_total"),
                recorder.metric("record_lost_chunks_total"));
        long discarded = recorder.metric("record_discarded_bytes_total");
        recorder.terminate();
        vehicle.close();
        assertThat(ledger.storedChunks() + ledger.lostChunks())
                .as("stored and lost chunks of %d sent", ledger.sentChunks())
                .isEqualTo(ledger.sentChunks());
        checkFiles(ledger, discarded);
        return ledger;
    }

    private void checkFiles(Ledger ledger, long discarded) throws IOException {
        List<String> sent = new ArrayList<>();
        for (SentLog log : vehicle.sent()) {
            sent.addAll(LogContent.of("sent", log.bytes()).texts());
        }
        Set<String> genuine = new HashSet<>(sent);
        Set<String> stored = new HashSet<>();
        for (LogContent file : LogDirectory.contents(logs)) {
            assertThat(file.isComplete())
                    .as("%s ends with a complete message", file.name())
                    .isTrue();
            for (String text : file.texts()) {
                assertThat(text.charAt(2) != 'D' || genuine.contains(text))
                        .as("a sample in %s was sent", file.name())
                        .isTrue();
                stored.add(text);
            }
        }
        long missing = sent.stream()
                .filter(text -> !stored.contains(text))
                .mapToLong(String::length)
                .sum();
        // With identical messages it is unknown which ones are missing.
        assertThat(missing)
                .as("missing bytes, with %d discarded and %d chunks lost", discarded, ledger.lostChunks())
                .isBetween(discarded * 98 / 100 - 2000, discarded + ledger.lostChunks() * CHUNK_LENGTH);
    }

    @Override
    public void close() throws IOException {
        vehicle.close();
        recorder.close();
        Host.delete(home);
    }
}
