package org.mavlogd.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.ChunkView;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.feed.LocalTopic;
import org.mavlogd.local.heard.ClockTopic;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.mavlink.Timesync;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.peer.Peer;
import org.mavlogd.signing.Signing;
import org.mavlogd.simulate.px4.LogImage;
import org.mavlogd.simulate.px4.Px4Settings;
import org.mavlogd.simulate.px4.Px4Vehicle;
import org.mavlogd.simulate.px4.StreamObserver;
import org.mavlogd.time.ClockFit;
import org.mavlogd.time.ClockState;
import org.mavlogd.vehicle.ConversationSettings;
import org.mavlogd.vehicle.HeardFrames;
import org.mavlogd.vehicle.LinkConversations;
import org.mavlogd.vehicle.LinkFeeds;
import org.mavlogd.vehicle.VehicleClaims;
import org.mavlogd.vehicle.VehicleLogs;

/**
 * A simulated vehicle that streams its log, a link with random delay, and the recorder's information about the
 * vehicle's clock.
 */
class ClockSimulationTest implements Feed.Handler, LocalFeed.Handler, StreamObserver, Peer {
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int STEPS_PER_TICK = 20;
    private static final long LONGEST_DELAY_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long SEED = 20_261_121;

    private final Feed feed = new Feed("test", 1 << 20);
    private final Feed.Consumer consumer = feed.consumer(this);
    private final LocalFeed local = new LocalFeed("test", 1 << 16);
    private final LocalFeed.Consumer localConsumer = local.consumer(this);
    private final Metrics metrics = new Metrics();
    private final LinkConversations conversations = new LinkConversations(
            new LinkFeeds("test", feed.publisher(), new ClockTopic("test", local.publisher(), metrics)),
            new ConversationSettings(0, 191, ConversationSettings.Mode.ALWAYS, 0, TimeUnit.SECONDS.toNanos(5)),
            VehicleLogs.of(new VehicleClaims()),
            Signing.LinkParts.OFF,
            HeardFrames.NONE,
            metrics);
    private final FrameDecoder vehicleDecoder =
            new FrameDecoder((frame, now) -> vehicle().onFrame(frame, now), FrameCounters.unregistered());
    private final FrameDecoder truthDecoder = new FrameDecoder(this::onVehicleFrame, FrameCounters.unregistered());
    private final RandomDelay down = new RandomDelay(
            SEED,
            0.02,
            LONGEST_DELAY_NS,
            (bytes, offset, length) -> conversations.onBytes(this, bytes, offset, length, nowNs()));
    private final RandomDelay up = new RandomDelay(
            SEED + 1,
            0.02,
            LONGEST_DELAY_NS,
            (bytes, offset, length) -> vehicleDecoder.decodeDatagram(bytes, offset, length, nowNs()));
    private @Nullable Px4Vehicle simulated;
    private long nowNs = TimeUnit.SECONDS.toNanos(1000);

    private final List<ClockFit> fits = new ArrayList<>();
    private final List<Double> errorsMs = new ArrayList<>();
    private final List<Double> leadsMs = new ArrayList<>();
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private int parsed = 16;
    private long youngestUs;
    private long lastUs;
    private int samples;
    private int ends;

    private Px4Vehicle vehicle() {
        return Objects.requireNonNull(simulated);
    }

    private long nowNs() {
        return nowNs;
    }

    private void begin(Px4Settings.Builder settings) {
        LogImage image = LogImage.of(SyntheticLog.make(SEED, 200_000));
        simulated = new Px4Vehicle(settings.loops(true).build(), image, this::sendDown, this, nowNs);
        conversations.onPeerUp(this, nowNs);
    }

    private void sendDown(byte[] frame, int offset, int length) {
        truthDecoder.decodeDatagram(frame, offset, length, nowNs);
        down.send(frame, offset, length, nowNs);
    }

    private void run(int seconds) {
        errorsMs.clear();
        leadsMs.clear();
        for (int step = 0; step < seconds * 1000; step++) {
            nowNs += STEP_NS;
            up.onTick(nowNs);
            vehicle().onTick(nowNs);
            down.onTick(nowNs);
            if (step % STEPS_PER_TICK == 0) {
                conversations.onTick(nowNs);
                consumer.drain(10_000);
                localConsumer.drain(10_000);
            }
        }
    }

    private ClockState state() {
        return conversations.statuses().get(0).clock();
    }

    private double worst(List<Double> values) {
        return values.stream().mapToDouble(Math::abs).max().orElse(Double.NaN);
    }

    @Test
    void mapsOurTimeToTheTimesInTheVehiclesLog() {
        begin(Px4Settings.builder().clockDriftPpm(50));
        run(20);

        run(60);

        System.out.println(String.format(
                Locale.ROOT,
                "whole link, 0 to 20 ms each way, 2 %% lost, 50 ppm, seed %d: worst %.3f ms of %d, drift %.1f ppm",
                SEED,
                worst(errorsMs),
                errorsMs.size(),
                state().driftPpm()));
        assertThat(errorsMs).hasSizeGreaterThan(50);
        assertThat(worst(errorsMs)).isLessThan(1);
        // The log's youngest time is never ahead of the vehicle's clock, and sometimes equals it.
        assertThat(leadsMs).hasSizeGreaterThan(500).allMatch(lead -> lead > -1.5);
        assertThat(leadsMs.stream().mapToDouble(Double::doubleValue).min().orElse(99))
                .isLessThan(1.5);
        assertThat(fits.stream().filter(ClockFit::step)).hasSize(1);
        assertThat(state().source()).isEqualTo(ClockState.Source.TIMESYNC);
        assertThat(samples).isBetween(70, 85);
        assertThat(metrics.total("timesync.requests")).isBetween(100L, 450L);
        assertThat(ends).isZero();
    }

    @Test
    void beginsAnewAfterAReboot() {
        begin(Px4Settings.builder().clockDriftPpm(-30));
        run(30);

        vehicle().reboot(nowNs);
        run(25);
        run(30);

        assertThat(worst(errorsMs)).isLessThan(1.5);
        assertThat(fits.stream().filter(ClockFit::step)).hasSize(2);
        assertThat(state().reboots()).isEqualTo(1);
    }

    @Test
    void takesSystemTimeFromAVehicleThatDoesNotAnswer() {
        begin(Px4Settings.builder().answersTimesync(false).sendsSystemTime(true));
        run(20);

        run(30);

        assertThat(state().source()).isEqualTo(ClockState.Source.SYSTEM_TIME);
        assertThat(leadsMs).hasSizeGreaterThan(200).allMatch(lead -> lead > -8);
        assertThat(metrics.total("timesync.requests")).isBetween(5L, 25L);
        assertThat(ends).isZero();
    }

    // The vehicle's end, which knows the clock's true time.

    private void onVehicleFrame(FrameView frame, long now) {
        if (frame.messageId() == MessageIds.TIMESYNC && !fits.isEmpty()) {
            long shownUs = Timesync.decode(frame).tc1() / 1000;
            errorsMs.add((fits.get(fits.size() - 1).vehicleUsAt(now) - shownUs) / 1000.0);
        }
    }

    @Override
    public void onSessionStart(byte[] header, long now) {
        log.reset();
        parsed = 16;
        youngestUs = 0;
    }

    @Override
    public void onChunk(int sequence, boolean acked, int first, byte[] data, int offset, int length, long now) {
        log.write(data, offset, length);
        ByteBuffer bytes = ByteBuffer.wrap(log.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
        boolean rose = false;
        while (parsed + 3 <= bytes.limit() && parsed + 3 + (bytes.getShort(parsed) & 0xFFFF) <= bytes.limit()) {
            if (bytes.get(parsed + 2) == 'D') {
                rose = true;
                youngestUs = Math.max(youngestUs, bytes.getLong(parsed + 5));
            }
            parsed += 3 + (bytes.getShort(parsed) & 0xFFFF);
        }
        if (log.size() > 1 << 14) {
            byte[] rest = new byte[bytes.limit() - parsed];
            bytes.get(parsed, rest);
            log.reset();
            log.writeBytes(rest);
            parsed = 0;
        }
        if (rose && !fits.isEmpty()) {
            leadsMs.add((fits.get(fits.size() - 1).vehicleUsAt(now) - youngestUs) / 1000.0);
        }
    }

    // The recorder's end.

    @Override
    public void onClockFit(int systemId, int componentId, ClockFit fit, long now) {
        assertThat(systemId).isEqualTo(1);
        assertThat(componentId).isEqualTo(1);
        if (!fits.isEmpty() && !fit.step()) {
            // Times never go backwards, whatever is corrected.
            assertThat(fit.vehicleUsAt(now)).isGreaterThanOrEqualTo(lastUs);
        }
        lastUs = fit.vehicleUsAt(now);
        fits.add(fit);
    }

    @Override
    public void onSample(LocalTopic topic, int instance, long takenNs, DirectBuffer values, int offset, int length) {
        assertThat(topic.name()).isEqualTo("companion_timesync");
        assertThat(instance).isZero();
        long offsetUs = values.getLong(offset, ByteOrder.LITTLE_ENDIAN);
        ClockFit fit = fits.get(fits.size() - 1);
        assertThat((double) (takenNs / 1000 + offsetUs - fit.vehicleUsAt(takenNs)))
                .isBetween(-60e3, 60e3);
        samples++;
    }

    @Override
    public void onText(int level, int tag, long takenNs, DirectBuffer text, int offset, int length) {
        throw new AssertionError("nobody said anything");
    }

    @Override
    public void onSessionBegin(int session, int systemId, int componentId, long now) {}

    @Override
    public void onSessionResume(int session, int systemId, int componentId, long now) {}

    @Override
    public void onChunk(int session, ChunkView chunk) {}

    @Override
    public void onSessionEnd(int session, org.mavlogd.feed.SessionEnd reason, int ringDropped, long now) {
        ends++;
    }

    // The link's view of the far end.

    @Override
    public String address() {
        return "test";
    }

    @Override
    public boolean isDatagram() {
        return true;
    }

    @Override
    public void send(byte[] buffer, int offset, int length) {
        up.send(buffer, offset, length, nowNs);
    }
}
