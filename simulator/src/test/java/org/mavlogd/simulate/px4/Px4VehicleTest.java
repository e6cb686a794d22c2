package org.mavlogd.simulate.px4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.simulate.px4.VehicleBench.MS;
import static org.mavlogd.simulate.px4.VehicleBench.S;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mavlogd.mavlink.AttitudeLayout;
import org.mavlogd.mavlink.CommandAck;
import org.mavlogd.mavlink.CommandLong;
import org.mavlogd.simulate.px4.StreamObserver.SessionEnd;
import org.mavlogd.simulate.px4.VehicleBench.Chunk;

/** Tests commands, stop-and-wait and the ends of a stream, one fact at a time. */
class Px4VehicleTest {
    private static Px4Settings.Builder quiet() {
        return Px4Settings.builder().telemetryHz(0);
    }

    private static LogImage samples() {
        return TestLog.withSamples(1000, 10_000).postFlight("counters").image();
    }

    @Test
    void sendsHeartbeatsAtOneHertzAndTelemetryAtItsRate() {
        VehicleBench bench = new VehicleBench(Px4Settings.builder().telemetryHz(20), samples());

        bench.run(10 * S);

        assertThat(bench.heartbeats).hasSize(11);
        assertThat(bench.heartbeats.get(0).autopilot()).isEqualTo(12);
        assertThat(bench.messageIds)
                .filteredOn(id -> id == AttitudeLayout.MESSAGE_ID)
                .hasSize(201);
        assertThat(bench.chunks).isEmpty();
    }

    @Test
    void silentVehicleSpeaksWhenItHearsAHeartbeat() {
        VehicleBench bench = new VehicleBench(Px4Settings.builder().silentUntilHeartbeat(true), samples());

        bench.run(3 * S);
        assertThat(bench.messageIds).isEmpty();

        bench.heartbeat();
        bench.run(2 * S);
        assertThat(bench.heartbeats).hasSizeBetween(2, 3);
    }

    @Test
    void startIsAcceptedBeforeTheFirstChunkAndTargetsTheSender() {
        VehicleBench bench = new VehicleBench(quiet(), samples());

        bench.command(CommandLong.LOGGING_START, 0, 77, 1, 1);
        bench.run(10 * MS);

        assertThat(bench.results()).containsExactly(CommandAck.ACCEPTED);
        assertThat(bench.answers.get(0).targetSystem()).isEqualTo(77);
        assertThat(bench.answers.get(0).targetComponent()).isEqualTo(VehicleBench.CLIENT_COMPONENT);
        assertThat(bench.messageIds.subList(0, 2)).containsExactly(77, 267);
        assertThat(bench.chunks.get(0).target()).isEqualTo(77 << 8 | VehicleBench.CLIENT_COMPONENT);
        assertThat(bench.chunks.get(0).sequence()).isZero();
    }

    @Test
    void takesCommandsForItselfAndForAllOnly() {
        VehicleBench bench = new VehicleBench(quiet(), samples());

        bench.command(CommandLong.LOGGING_START, 0, 1, 2, 1);
        bench.command(CommandLong.LOGGING_START, 0, 1, 1, 2);
        bench.run(S);
        assertThat(bench.answers).isEmpty();

        bench.command(CommandLong.LOGGING_START, 0, 1, 0, 0);
        assertThat(bench.results()).containsExactly(CommandAck.ACCEPTED);
    }

    @Test
    void refusesAnUnknownLogType() {
        VehicleBench bench = new VehicleBench(quiet(), samples());

        bench.command(CommandLong.LOGGING_START, 1);

        assertThat(bench.results()).containsExactly(CommandAck.UNSUPPORTED);
        assertThat(bench.vehicle.isStreaming()).isFalse();
    }

    @Test
    void slowLinkIsDeniedWithAText() {
        VehicleBench slow = new VehicleBench(quiet().linkBytesPerSecond(4999), samples());
        VehicleBench justEnough = new VehicleBench(quiet().linkBytesPerSecond(5000), samples());

        slow.start();
        slow.run(S);
        justEnough.start();

        assertThat(slow.results()).containsExactly(CommandAck.DENIED);
        assertThat(slow.texts.get(0).text()).isEqualTo("Not enough bandwidth to enable log streaming");
        assertThat(slow.chunks).isEmpty();
        assertThat(justEnough.results()).containsExactly(CommandAck.ACCEPTED);
    }

    @Test
    void vehicleWithoutLoggerAnswersNothing() {
        VehicleBench bench = new VehicleBench(quiet().loggerRuns(false), samples());

        bench.start();
        bench.run(S);
        bench.stop();
        bench.run(S);

        assertThat(bench.answers).isEmpty();
        assertThat(bench.chunks).isEmpty();
    }

    @Test
    void secondStartIsRejectedAndTheStreamGoesOn() {
        VehicleBench bench = new VehicleBench(quiet(), samples());
        bench.start();
        bench.run(S);
        int before = bench.chunks.size();

        bench.start();
        bench.run(S);

        assertThat(bench.results()).containsExactly(CommandAck.ACCEPTED, CommandAck.TEMPORARILY_REJECTED);
        assertThat(bench.chunks.size()).isGreaterThan(before);
        assertThat(bench.headers).hasSize(1);
    }

    @Test
    void unansweredChunkIsSentFiftyTimesThenTheStreamIsGone() {
        VehicleBench bench = new VehicleBench(quiet(), samples());
        bench.acks = false;

        bench.start();
        bench.run(2499 * MS);
        assertThat(bench.vehicle.isStreaming()).isTrue();
        bench.run(10 * S);

        assertThat(bench.chunks).hasSize(50).allMatch(c -> c.sequence() == 0 && c.acked());
        for (int i = 1; i < 50; i++) {
            assertThat(bench.chunks.get(i).timeNs() - bench.chunks.get(i - 1).timeNs())
                    .isEqualTo(50 * MS);
        }
        assertThat(bench.ends).containsExactly(SessionEnd.GAVE_UP);
        assertThat(bench.results()).containsExactly(CommandAck.ACCEPTED);
        assertThat(bench.texts).isEmpty();
    }

    @Test
    void aPatientVehicleSendsAnUnansweredChunkMoreOften() {
        VehicleBench bench = new VehicleBench(quiet().ackMaxTries(70), samples());
        bench.acks = false;

        bench.start();
        bench.run(3499 * MS);
        assertThat(bench.vehicle.isStreaming()).isTrue();
        bench.run(S);

        assertThat(bench.vehicle.isStreaming()).isFalse();
        assertThat(bench.chunks).hasSize(70);
    }

    @Test
    void streamThatWasGivenUpCanBeStartedAnew() {
        VehicleBench bench = new VehicleBench(quiet(), samples());
        bench.acks = false;
        bench.start();
        bench.run(3 * S);
        bench.acks = true;

        bench.start();
        bench.run(S);

        assertThat(bench.results()).containsExactly(CommandAck.ACCEPTED, CommandAck.ACCEPTED);
        assertThat(bench.headers).hasSize(2);
        assertThat(bench.headers.get(0)).isNotEqualTo(bench.headers.get(1));
        assertThat(bench.chunks.get(50).sequence()).isZero();
    }

    @Test
    void onlyTheAwaitedSequenceCountsAsAck() {
        VehicleBench bench = new VehicleBench(quiet(), samples());
        bench.acks = false;
        bench.start();

        bench.ack(1);
        bench.ack(65535);
        bench.run(120 * MS);
        assertThat(bench.chunks).allMatch(c -> c.sequence() == 0).hasSize(3);

        bench.ack(0);
        bench.ack(0);
        bench.run(10 * MS);
        assertThat(bench.vehicle.counters().acks()).isEqualTo(1);
        assertThat(bench.vehicle.counters().uselessAcks()).isEqualTo(3);
        assertThat(bench.vehicle.counters().repeats()).isEqualTo(2);
    }

    @Test
    void stopBringsPostFlightDataAckedBeforeAccepted() {
        VehicleBench bench = new VehicleBench(quiet().postFlightBytes(3000), samples());
        bench.start();
        bench.run(S);
        int before = bench.chunks.size();

        bench.stop();
        assertThat(bench.results()).endsWith(CommandAck.IN_PROGRESS);
        bench.run(S);

        assertThat(bench.results()).containsExactly(CommandAck.ACCEPTED, CommandAck.IN_PROGRESS, CommandAck.ACCEPTED);
        List<Chunk> last = bench.chunks.subList(before, bench.chunks.size());
        assertThat(last).hasSizeBetween(12, 14).allMatch(Chunk::acked);
        assertThat(bench.ends).containsExactly(SessionEnd.STOPPED);
        assertThat(bench.received()).isEqualTo(bench.truth.toByteArray());
        assertThat(LogImage.of(bench.received()).ignoredTailBytes()).isZero();
        assertThat(LogImage.of(bench.received()).postFlightLength()).isEqualTo(3000);
    }

    @Test
    void postFlightDataHasTheAskedSize() {
        for (int size : new int[] {0, 60, 123, 124, 125, 126, 247, 248, 249, 1000, 100_000}) {
            VehicleBench bench = new VehicleBench(quiet().postFlightBytes(size), samples());
            bench.start();
            bench.run(S);
            bench.stop();
            bench.run(3 * S);

            assertThat(LogImage.of(bench.received()).postFlightLength()).isEqualTo(size);
        }
    }

    @Test
    void stopOfNoStreamIsAcceptedAtOnce() {
        VehicleBench bench = new VehicleBench(quiet(), samples());

        bench.stop();

        assertThat(bench.results()).containsExactly(CommandAck.ACCEPTED);
    }

    @Test
    void stopDuringTheDefinitionsWaitsForTheirEnd() {
        VehicleBench bench = new VehicleBench(quiet(), RoverLog.image());
        bench.start();
        bench.run(100 * MS);

        bench.stop();
        bench.run(100 * MS);
        assertThat(bench.results()).hasSize(1);

        bench.run(3 * S);
        assertThat(bench.results()).containsExactly(CommandAck.ACCEPTED, CommandAck.IN_PROGRESS, CommandAck.ACCEPTED);
        assertThat(bench.chunks).allMatch(Chunk::acked);
    }

    @Test
    void stopWithoutAcksStillEndsAccepted() {
        VehicleBench bench = new VehicleBench(quiet(), samples());
        bench.start();
        bench.run(S);
        bench.acks = false;

        bench.stop();
        bench.run(3 * S);

        assertThat(bench.results()).endsWith(CommandAck.IN_PROGRESS, CommandAck.ACCEPTED);
        assertThat(bench.ends).containsExactly(SessionEnd.GAVE_UP);
    }

    @Test
    void oldVersionsEndInMidMessage() {
        VehicleBench bench = new VehicleBench(quiet().flushesAtStop(false), samples());
        bench.start();
        bench.run(S + 7 * MS);

        bench.stop();
        bench.run(S);

        assertThat(bench.results()).containsExactly(CommandAck.ACCEPTED, CommandAck.ACCEPTED);
        assertThat(bench.tailLost).isBetween(1, 248);
        assertThat(LogImage.of(bench.received()).ignoredTailBytes()).isPositive();
    }

    @Test
    void streamsOnForEverWhenTheClientVanishes() {
        VehicleBench bench = new VehicleBench(quiet().loops(true), samples());
        bench.start();
        bench.run(S);
        bench.acks = false;

        bench.run(60 * S);

        assertThat(bench.vehicle.isStreaming()).isTrue();
        assertThat(bench.chunks.get(bench.chunks.size() - 1).timeNs()).isGreaterThan(bench.nowNs - S);
    }

    @Test
    void armingFlushesTheChunkAcked() {
        VehicleBench bench = new VehicleBench(quiet(), samples());
        bench.start();
        bench.run(S + 7 * MS);

        bench.vehicle.arm(bench.nowNs);
        bench.run(2 * S);

        List<Chunk> flushed = bench.chunks.stream()
                .filter(c -> c.acked() && c.timeNs() >= -4 * S)
                .toList();
        assertThat(flushed).hasSize(1);
        assertThat(flushed.get(0).length()).isBetween(1, 248);
        assertThat(bench.heartbeats.get(bench.heartbeats.size() - 1).isArmed()).isTrue();
        assertThat(bench.ends).isEmpty();
    }

    @Test
    void disarmingPutsPostFlightDataIntoTheStreamWhichGoesOn() {
        VehicleBench bench = new VehicleBench(quiet().startsArmed(true).postFlightBytes(1000), samples());
        bench.start();
        bench.run(S);

        bench.vehicle.disarm(bench.nowNs);
        bench.run(2 * S);
        bench.stop();
        bench.run(S);

        String text = new String(bench.received(), StandardCharsets.ISO_8859_1);
        assertThat(text.split("perf_counter_postflight", -1)).hasSize(1 + 2 * messages(1000));
        assertThat(bench.results()).endsWith(CommandAck.IN_PROGRESS, CommandAck.ACCEPTED);
    }

    private static int messages(int postFlightBytes) {
        PostFlight made = PostFlight.of(samples(), postFlightBytes, 1);
        int count = 0;
        for (int at = made.start(); at < made.end(); at += made.lengthAt(at)) {
            count++;
        }
        return count;
    }

    @Test
    void commandOnAnotherLinkGetsNoAnswerHereButStopsAndStarts() {
        VehicleBench bench = new VehicleBench(quiet(), samples());
        bench.start();
        bench.run(S);

        bench.vehicle.commandElsewhere(CommandLong.LOGGING_STOP, 255, 190, bench.nowNs);
        bench.run(S);
        assertThat(bench.ends).containsExactly(SessionEnd.STOPPED);

        bench.vehicle.commandElsewhere(CommandLong.LOGGING_START, 255, 190, bench.nowNs);
        bench.run(S);
        assertThat(bench.results()).containsExactly(CommandAck.ACCEPTED);
        assertThat(bench.headers).hasSize(2);
        assertThat(bench.chunks.get(bench.chunks.size() - 1).target()).isEqualTo(255 << 8 | 190);
    }

    @Test
    void rebootFallsSilentAndForgetsTheStream() {
        VehicleBench bench = new VehicleBench(quiet().rebootNs(2 * S), samples());
        bench.start();
        bench.run(S);
        int frames = bench.messageIds.size();

        bench.vehicle.reboot(bench.nowNs);
        bench.start();
        bench.run(2 * S - 1);
        assertThat(bench.messageIds).hasSize(frames);

        bench.run(5 * S);
        assertThat(bench.headers).hasSize(1);
        assertThat(bench.headerSequences.get(frames)).isZero();
        bench.start();
        bench.run(S);
        assertThat(bench.ends).containsExactly(SessionEnd.REBOOTED);
        assertThat(headerTimeUs(bench.headers.get(1))).isNotEqualTo(headerTimeUs(bench.headers.get(0)));
    }

    @Test
    void vehicleMayRestartItsStreamUnaskedAfterAReboot() {
        VehicleBench bench = new VehicleBench(quiet().rebootNs(S).restartsStreamItself(true), samples());
        bench.start();
        bench.run(S);
        int before = bench.chunks.size();

        bench.vehicle.reboot(bench.nowNs);
        bench.run(3 * S);

        assertThat(bench.headers).hasSize(2);
        assertThat(bench.results()).containsExactly(CommandAck.ACCEPTED);
        assertThat(bench.chunks.get(before).sequence()).isZero();
        assertThat(Arrays.copyOf(bench.chunks.get(before).data(), 16)).isEqualTo(bench.headers.get(1));
    }

    @Test
    void commandsWaitWhileTheLoggerWaitsAndTooManyAreCounted() {
        VehicleBench bench = new VehicleBench(quiet(), samples());
        bench.acks = false;
        bench.start();

        for (int i = 0; i < 20; i++) {
            bench.start();
        }

        assertThat(bench.results()).hasSize(1);
        assertThat(bench.vehicle.counters().ignoredCommands()).isEqualTo(12);
    }

    private static long headerTimeUs(byte[] header) {
        return ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).getLong(8);
    }
}
