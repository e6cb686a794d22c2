package org.mavlogd.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.contain.Thrown;
import org.mavlogd.contain.UncaughtErrors;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.Heartbeat;
import org.mavlogd.mavlink.MessageIds;

class AfterFlightTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long DELAY_NS = 20 * SECOND_NS;
    private static final int ARMED = 128;

    private final List<Integer> said = new ArrayList<>();
    private final List<MemoryClient> clients = new ArrayList<>();
    private final AfterFlight.OwnLogs ownLogs = new AfterFlight.OwnLogs() {
        @Override
        public boolean areWanted() {
            return true;
        }

        @Override
        public long delayNs() {
            return DELAY_NS;
        }

        @Override
        public FetchClient client(FetchTarget vehicle) {
            MemoryClient client = MemoryClient.ofAll();
            clients.add(client);
            return client;
        }
    };
    private final FrameEncoder encoder = new FrameEncoder(1);
    private final ContainedPart part = ContainedPart.unlisted("fetch", Recovery.PAUSES);
    private long nowNs;

    private AfterFlight flight(boolean isArmed, int autopilot) {
        return new AfterFlight(
                ownLogs,
                new FetchTarget(1, 1, autopilot, 191),
                isArmed,
                (messageId, payload, length) -> said.add(messageId),
                part);
    }

    /** Whatever fetching throws, from whichever method behind it: the vehicle's conversation does not hear of it. */
    @Test
    void containsWhatIsThrownBehindIt() {
        for (Method faulty : faultyMethods()) {
            for (Supplier<Throwable> error : Thrown.CONTAINABLE) {
                ContainedPart its = ContainedPart.unlisted("fetch", Recovery.CONTINUES);
                AfterFlight.OwnLogs real = new AfterFlight.OwnLogs() {
                    @Override
                    public boolean areWanted() {
                        return true;
                    }

                    @Override
                    public long delayNs() {
                        return 0;
                    }

                    @Override
                    public FetchClient client(FetchTarget vehicle) {
                        return fails(faulty, "FetchClient")
                                ? Thrown.from(FetchClient.class, MemoryClient.ofAll(), faulty, error)
                                : MemoryClient.ofAll();
                    }
                };
                AfterFlight.OwnLogs logs =
                        fails(faulty, "OwnLogs") ? Thrown.from(AfterFlight.OwnLogs.class, real, faulty, error) : real;
                FetchOutbox outbox = (messageId, payload, length) -> {
                    if (fails(faulty, "FetchOutbox")) {
                        throw Thrown.<RuntimeException>sneak(error.get());
                    }
                };
                AfterFlight flight = new AfterFlight(
                        logs, new FetchTarget(1, 1, Heartbeat.AUTOPILOT_ARDUPILOT, 191), true, outbox, its);

                List<Throwable> uncaught = UncaughtErrors.of(() -> {
                    heartbeat(flight, false);
                    pass(flight, 3 * SECOND_NS);
                    heartbeat(flight, true);
                    flight.shutDown(nowNs);
                    pass(flight, SECOND_NS);
                });

                assertThat(uncaught).as(faulty.getName()).isEmpty();
                assertThat(its.errors()).as(faulty.getName()).isBetween(1L, 4L);
            }
        }
    }

    private static boolean fails(Method faulty, String type) {
        return faulty.getDeclaringClass().getSimpleName().equals(type);
    }

    /** Those that are called of a vehicle that answers nothing. */
    private static List<Method> faultyMethods() {
        return Stream.of(AfterFlight.OwnLogs.class, FetchClient.class, FetchOutbox.class)
                .flatMap(type -> Thrown.methods(type).stream())
                .filter(method -> Set.of("delayNs", "client", "onEnd", "send").contains(method.getName()))
                .toList();
    }

    private void pass(AfterFlight flight, long durationNs) {
        long untilNs = nowNs + durationNs;
        while (nowNs < untilNs) {
            nowNs += SECOND_NS / 10;
            flight.onTick(true, nowNs);
        }
    }

    private void heartbeat(AfterFlight flight, boolean isArmed) {
        Heartbeat heartbeat = new Heartbeat(10, Heartbeat.AUTOPILOT_ARDUPILOT, isArmed ? ARMED : 0, 0, 3);
        byte[] payload = new byte[20];
        byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        int length = encoder.encode(1, MessageIds.HEARTBEAT, payload, heartbeat.encodePayload(payload), frame, 0);
        flight.onArming(isArmed, nowNs);
        new FrameDecoder(flight::onFrame, FrameCounters.unregistered()).decodeDatagram(frame, 0, length, nowNs);
    }

    @Test
    void asksNothingOfAVehicleThatDidNotFly() {
        AfterFlight flight = flight(false, Heartbeat.AUTOPILOT_ARDUPILOT);
        heartbeat(flight, false);
        pass(flight, 10 * DELAY_NS);

        assertThat(said).isEmpty();
    }

    @Test
    void asksSomeTimeAfterDisarmAndStopsAtOnceWhenItArms() {
        AfterFlight flight = flight(true, Heartbeat.AUTOPILOT_ARDUPILOT);
        heartbeat(flight, true);
        pass(flight, SECOND_NS);
        heartbeat(flight, false);
        pass(flight, DELAY_NS - SECOND_NS);
        assertThat(said).isEmpty();

        pass(flight, 2 * SECOND_NS);
        assertThat(said).isNotEmpty().containsOnly(MessageIds.FILE_TRANSFER_PROTOCOL);

        heartbeat(flight, true);
        assertThat(clients.get(0).end()).contains("armed");
        int until = said.size();
        pass(flight, 10 * DELAY_NS);
        assertThat(said).hasSize(until);
    }

    @Test
    void armedAgainBeforeTheTimeIsUpItIsNotAsked() {
        AfterFlight flight = flight(true, Heartbeat.AUTOPILOT_PX4);
        heartbeat(flight, false);
        pass(flight, DELAY_NS / 2);
        heartbeat(flight, true);
        pass(flight, 2 * DELAY_NS);

        assertThat(said).isEmpty();
    }

    @Test
    void anArduPilotIsNeverAskedByLogMessages() {
        AfterFlight flight = flight(true, Heartbeat.AUTOPILOT_ARDUPILOT);
        heartbeat(flight, false);
        for (int i = 0; i < 200; i++) {
            pass(flight, SECOND_NS);
            heartbeat(flight, false);
        }

        assertThat(clients).hasSize(1);
        assertThat(clients.get(0).end()).isNotEmpty();
        assertThat(said).isNotEmpty().containsOnly(MessageIds.FILE_TRANSFER_PROTOCOL);
    }

    @Test
    void theEndOfTheProgramEndsIt() {
        AfterFlight flight = flight(true, Heartbeat.AUTOPILOT_ARDUPILOT);
        heartbeat(flight, false);
        pass(flight, DELAY_NS + SECOND_NS);
        flight.shutDown(nowNs);

        assertThat(clients.get(0).end()).contains("mavlogd ends");
    }
}
