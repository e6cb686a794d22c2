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
import org.mavlogd.memory.MemoryShare;

class CardFetchTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long DELAY_NS = 20 * SECOND_NS;
    private static final int ARMED = 128;

    private final List<Integer> sentIds = new ArrayList<>();
    private final List<MemoryClient> clients = new ArrayList<>();
    private final CardFetch.VehicleCardLogs cardLogs = new CardFetch.VehicleCardLogs() {
        @Override
        public boolean areWanted() {
            return true;
        }

        @Override
        public long delayNs() {
            return DELAY_NS;
        }

        @Override
        public MemoryShare memory(int systemId) {
            return MemoryShare.unlimited();
        }

        @Override
        public FetchClient client(FetchTarget vehicle) {
            MemoryClient client = MemoryClient.ofAll();
            clients.add(client);
            return client;
        }

        @Override
        public FetchClient client(FetchTarget vehicle, List<RemoteLog> chosen) {
            return client(vehicle);
        }
    };
    private final FrameEncoder encoder = new FrameEncoder(1);
    private final ContainedPart part = ContainedPart.unlisted("fetch", Recovery.PAUSES);
    private long nowNs;

    private CardFetch flight(boolean isArmed, int autopilot) {
        return new CardFetch(
                cardLogs,
                new FetchTarget(1, 1, autopilot, 191),
                isArmed,
                (messageId, payload, length) -> sentIds.add(messageId),
                part,
                null);
    }

    /** Whatever method of fetching throws, the vehicle's conversation continues. */
    @Test
    void containsWhatIsThrownBehindIt() {
        for (Method faulty : faultyMethods()) {
            for (Supplier<Throwable> error : Thrown.CONTAINABLE) {
                ContainedPart its = ContainedPart.unlisted("fetch", Recovery.CONTINUES);
                CardFetch.VehicleCardLogs real = new CardFetch.VehicleCardLogs() {
                    @Override
                    public boolean areWanted() {
                        return true;
                    }

                    @Override
                    public long delayNs() {
                        return 0;
                    }

                    @Override
                    public MemoryShare memory(int systemId) {
                        return MemoryShare.unlimited();
                    }

                    @Override
                    public FetchClient client(FetchTarget vehicle) {
                        return fails(faulty, "FetchClient")
                                ? Thrown.from(FetchClient.class, MemoryClient.ofAll(), faulty, error)
                                : MemoryClient.ofAll();
                    }

                    @Override
                    public FetchClient client(FetchTarget vehicle, List<RemoteLog> chosen) {
                        return client(vehicle);
                    }
                };
                CardFetch.VehicleCardLogs logs = fails(faulty, "VehicleCardLogs")
                        ? Thrown.from(CardFetch.VehicleCardLogs.class, real, faulty, error)
                        : real;
                FetchOutbox outbox = (messageId, payload, length) -> {
                    if (fails(faulty, "FetchOutbox")) {
                        throw Thrown.<RuntimeException>sneak(error.get());
                    }
                };
                CardFetch flight = new CardFetch(
                        logs, new FetchTarget(1, 1, Heartbeat.AUTOPILOT_ARDUPILOT, 191), true, outbox, its, null);

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

    /** Methods that are called for a vehicle that answers nothing. */
    private static List<Method> faultyMethods() {
        return Stream.of(CardFetch.VehicleCardLogs.class, FetchClient.class, FetchOutbox.class)
                .flatMap(type -> Thrown.methods(type).stream())
                .filter(method -> Set.of("delayNs", "client", "onEnd", "send").contains(method.getName()))
                .filter(method ->
                        method.getParameterCount() != 2 || !method.getName().equals("client"))
                .toList();
    }

    private void pass(CardFetch flight, long durationNs) {
        long untilNs = nowNs + durationNs;
        while (nowNs < untilNs) {
            nowNs += SECOND_NS / 10;
            flight.onTick(true, nowNs);
        }
    }

    private void heartbeat(CardFetch flight, boolean isArmed) {
        Heartbeat heartbeat = new Heartbeat(10, Heartbeat.AUTOPILOT_ARDUPILOT, isArmed ? ARMED : 0, 0, 3);
        byte[] payload = new byte[20];
        byte[] frame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        int length = encoder.encode(1, MessageIds.HEARTBEAT, payload, heartbeat.encodePayload(payload), frame, 0);
        flight.onArming(isArmed, nowNs);
        new FrameDecoder(flight::onFrame, FrameCounters.unregistered()).decodeDatagram(frame, 0, length, nowNs);
    }

    @Test
    void asksNothingOfAVehicleThatDidNotFly() {
        CardFetch flight = flight(false, Heartbeat.AUTOPILOT_ARDUPILOT);
        heartbeat(flight, false);
        pass(flight, 10 * DELAY_NS);

        assertThat(sentIds).isEmpty();
    }

    @Test
    void asksSomeTimeAfterDisarmAndStopsAtOnceWhenItArms() {
        CardFetch flight = flight(true, Heartbeat.AUTOPILOT_ARDUPILOT);
        heartbeat(flight, true);
        pass(flight, SECOND_NS);
        heartbeat(flight, false);
        pass(flight, DELAY_NS - SECOND_NS);
        assertThat(sentIds).isEmpty();

        pass(flight, 2 * SECOND_NS);
        assertThat(sentIds).isNotEmpty().containsOnly(MessageIds.FILE_TRANSFER_PROTOCOL);

        heartbeat(flight, true);
        assertThat(clients.get(0).end()).contains("armed");
        int until = sentIds.size();
        pass(flight, 10 * DELAY_NS);
        assertThat(sentIds).hasSize(until);
    }

    @Test
    void armedAgainBeforeTheTimeIsUpItIsNotAsked() {
        CardFetch flight = flight(true, Heartbeat.AUTOPILOT_PX4);
        heartbeat(flight, false);
        pass(flight, DELAY_NS / 2);
        heartbeat(flight, true);
        pass(flight, 2 * DELAY_NS);

        assertThat(sentIds).isEmpty();
    }

    @Test
    void anArduPilotIsNeverAskedByLogMessages() {
        CardFetch flight = flight(true, Heartbeat.AUTOPILOT_ARDUPILOT);
        heartbeat(flight, false);
        for (int i = 0; i < 200; i++) {
            pass(flight, SECOND_NS);
            heartbeat(flight, false);
        }

        assertThat(clients).hasSize(1);
        assertThat(clients.get(0).end()).isNotEmpty();
        assertThat(sentIds).isNotEmpty().containsOnly(MessageIds.FILE_TRANSFER_PROTOCOL);
    }

    /** For example by a disk that forces a file for a minute. */
    @Test
    void timeInWhichItsThreadWasHeldUpIsNoSilenceOfTheVehicle() {
        CardFetch flight = flight(true, Heartbeat.AUTOPILOT_ARDUPILOT);
        heartbeat(flight, false);
        pass(flight, DELAY_NS + SECOND_NS);
        nowNs += 70 * SECOND_NS;
        pass(flight, 59 * SECOND_NS);
        assertThat(clients.get(0).end()).isEqualTo("still running");

        pass(flight, 2 * SECOND_NS);
        assertThat(clients.get(0).end()).isEqualTo("nothing came from the vehicle for 60 s");
    }

    @Test
    void theEndOfTheProgramEndsIt() {
        CardFetch flight = flight(true, Heartbeat.AUTOPILOT_ARDUPILOT);
        heartbeat(flight, false);
        pass(flight, DELAY_NS + SECOND_NS);
        flight.shutDown(nowNs);

        assertThat(clients.get(0).end()).contains("mavlogd ends");
    }

    private final FetchChannels channels = new FetchChannels(1000);

    private CardFetch asked(boolean isArmed, CardFetch.VehicleCardLogs logs) {
        FetchTarget target = new FetchTarget(1, 1, Heartbeat.AUTOPILOT_ARDUPILOT, 191);
        FetchReport report =
                new FetchReport(channels.forLink("air", id -> MemoryShare.unlimited()), target, isArmed, nowNs);
        return new CardFetch(
                logs, target, isArmed, (messageId, payload, length) -> sentIds.add(messageId), part, report);
    }

    private FetchChannel channel() {
        return channels.find("air", 1, 1).orElseThrow();
    }

    private static CardFetch.VehicleCardLogs onlyWhenAsked(FetchClient client) {
        return new CardFetch.VehicleCardLogs() {
            @Override
            public boolean areWanted() {
                return false;
            }

            @Override
            public long delayNs() {
                return 0;
            }

            @Override
            public MemoryShare memory(int systemId) {
                return MemoryShare.unlimited();
            }

            @Override
            public FetchClient client(FetchTarget vehicle) {
                throw new AssertionError("not after a flight");
            }

            @Override
            public FetchClient client(FetchTarget vehicle, List<RemoteLog> chosen) {
                return client;
            }
        };
    }

    @Test
    void asksTheVehicleWhenSomebodyAsksForItsList() {
        CardFetch fetch = asked(false, onlyWhenAsked(MemoryClient.ofAll()));
        heartbeat(fetch, false);
        pass(fetch, SECOND_NS);
        assertThat(sentIds).isEmpty();

        assertThat(channel().list()).isEmpty();
        assertThat(channel().list()).contains("still pending");
        pass(fetch, SECOND_NS);

        assertThat(sentIds).isNotEmpty().containsOnly(MessageIds.FILE_TRANSFER_PROTOCOL);
        assertThat(channel().status().isRunning()).isTrue();
        assertThat(channel().status().run().isRequested()).isTrue();
        assertThat(channel().list()).contains("one fetch at a time");
    }

    @Test
    void noFlightIsFollowedByAFetchThatIsWantedOnRequestOnly() {
        CardFetch fetch = asked(true, onlyWhenAsked(MemoryClient.ofAll()));
        heartbeat(fetch, true);
        heartbeat(fetch, false);
        pass(fetch, 3 * DELAY_NS);

        assertThat(sentIds).isEmpty();
    }

    @Test
    void anArmedVehicleIsNotAskedAndOneThatArmsIsLeftAlone() {
        MemoryClient client = MemoryClient.ofAll();
        CardFetch fetch = asked(true, onlyWhenAsked(client));
        heartbeat(fetch, true);
        pass(fetch, SECOND_NS);
        assertThat(channel().list()).isEqualTo("ArduPilot 1 is armed: logs are fetched only while it is disarmed");

        heartbeat(fetch, false);
        pass(fetch, SECOND_NS);
        assertThat(channel().list()).isEmpty();
        // It arms before the link's thread takes the request; the link's thread knows it too.
        heartbeat(fetch, true);
        pass(fetch, SECOND_NS);
        assertThat(sentIds).isEmpty();
        assertThat(channel().status().run().problem()).contains("is armed");

        heartbeat(fetch, false);
        pass(fetch, SECOND_NS);
        assertThat(channel().list()).isEmpty();
        pass(fetch, SECOND_NS);
        assertThat(sentIds).isNotEmpty();
        heartbeat(fetch, true);
        int until = sentIds.size();
        pass(fetch, 10 * SECOND_NS);
        assertThat(sentIds).hasSize(until);
        assertThat(channel().status().isRunning()).isFalse();
        assertThat(channel().status().run().problem()).contains("is armed");
    }

    @Test
    void canBeCancelledAndAskedAgain() {
        MemoryClient client = MemoryClient.ofAll();
        CardFetch fetch = asked(false, onlyWhenAsked(client));
        heartbeat(fetch, false);
        pass(fetch, SECOND_NS);
        assertThat(channel().cancel()).contains("nothing is being fetched");
        assertThat(channel().list()).isEmpty();
        pass(fetch, SECOND_NS);

        assertThat(channel().cancel()).isEmpty();
        pass(fetch, SECOND_NS);

        assertThat(client.end()).isEqualTo("cancelled");
        assertThat(channel().status().isRunning()).isFalse();
        assertThat(channel().status().run().problem()).isEqualTo("cancelled");
        assertThat(channel().list()).isEmpty();
    }

    @Test
    void aSilentVehicleAndOneOfAnotherLinkAreNotAsked() {
        CardFetch fetch = asked(false, onlyWhenAsked(MemoryClient.ofAll()));
        heartbeat(fetch, false);
        pass(fetch, 5 * SECOND_NS);
        assertThat(channel().list()).contains("is silent");

        heartbeat(fetch, false);
        nowNs += SECOND_NS;
        fetch.onTick(false, nowNs);
        assertThat(channel().list()).contains("through another link");
    }

    @Test
    void anInternalErrorEndsTheFetchAndIsTold() {
        FetchClient broken = Thrown.always(FetchClient.class, () -> new IllegalStateException("test"));
        CardFetch fetch = asked(false, onlyWhenAsked(broken));
        heartbeat(fetch, false);
        pass(fetch, SECOND_NS);
        assertThat(channel().list()).isEmpty();
        pass(fetch, SECOND_NS);

        assertThat(UncaughtErrors.of(() -> heartbeat(fetch, true))).isEmpty();
        pass(fetch, SECOND_NS);

        assertThat(part.errors()).isPositive();
        assertThat(channel().status().isRunning()).isFalse();
        assertThat(channel().status().run().problem()).isNotEmpty();
    }

    @Test
    void aVehicleThatLeavesCannotBeAskedAnyMore() {
        CardFetch fetch = asked(false, onlyWhenAsked(MemoryClient.ofAll()));
        assertThat(channels.all()).hasSize(1);

        fetch.shutDown(nowNs);

        assertThat(channels.all()).isEmpty();
    }
}
