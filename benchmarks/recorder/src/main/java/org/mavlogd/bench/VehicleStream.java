package org.mavlogd.bench;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.ByteChannel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SelectableChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.mavlogd.mavlink.CommandLong;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.LoggingAck;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.simulate.px4.LogImage;
import org.mavlogd.simulate.px4.Px4Settings;
import org.mavlogd.simulate.px4.Px4Vehicle;
import org.mavlogd.simulate.px4.StreamObserver;
import org.mavlogd.simulate.px4.VehicleCounters;

/**
 * A simulated PX4 that streams at a given rate on its own thread, and measures how long its acknowledgements take.
 *
 * <p>It streams without a request of the daemon, like a vehicle that another program told to. So each stream begins at
 * once, even if the daemon is busy.
 */
final class VehicleStream implements AutoCloseable, StreamObserver {
    /** The origin of acknowledgements: the receiver, or this vehicle for a receiver that does not acknowledge. */
    enum Acks {
        FROM_RECEIVER,
        MADE_UP
    }

    /**
     * How a stream runs.
     *
     * @param burst frames of log data that are sent at once
     */
    record Plan(int rateKb, boolean streams, boolean acksAmidData, Acks acks, int burst) {
        /** Sends each frame when it is due. */
        Plan(int rateKb, boolean streams, boolean acksAmidData, Acks acks) {
            this(rateKb, streams, acksAmidData, acks, 1);
        }
    }

    private static final int OWN_SYSTEM = 1;
    private static final int RECORDER_COMPONENT = 191;
    private static final int ID_OFFSET = 7;
    private static final int LOGGING_DATA = 266;
    private static final int SEND_BUFFER_BYTES = 1 << 20;
    private static final long MIN_ACKED_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(80);
    private static final long MAX_ACKED_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(120);

    private final Plan plan;
    private final int definitionsLength;
    private final VehicleLoop loop;
    private final Px4Vehicle vehicle;
    private final FrameEncoder ackEncoder = new FrameEncoder(RECORDER_COMPONENT);
    private final byte[] ackPayload = new byte[255];
    private final byte[] ackFrame = new byte[FrameEncoder.MAX_FRAME_LENGTH];
    private final Latencies inDefinitions = new Latencies();
    private final Latencies amidData = new Latencies();
    private final SplittableRandom random = new SplittableRandom(1);
    private final AtomicLong unsent = new AtomicLong();
    private final List<byte[]> burst = new ArrayList<>();
    private long sentNs;
    private long nextAckedNs;
    private boolean begun;
    private int madeUpAck = -1;

    <C extends SelectableChannel & ByteChannel & NetworkChannel> VehicleStream(Plan plan, LogImage log, C channel)
            throws IOException {
        this.plan = plan;
        this.definitionsLength = log.definitionsLength();
        channel.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER_BYTES);
        long nowNs = System.nanoTime();
        Px4Settings settings = Px4Settings.builder()
                .rateBytesPerSecond(plan.rateKb() * 1000L)
                .loops(true)
                .build();
        vehicle = new Px4Vehicle(settings, log, this::send, this, nowNs);
        nextAckedNs = nowNs;
        loop = new VehicleLoop("bench-vehicle", channel, vehicle::onFrame, this::onTick);
        loop.start();
    }

    VehicleCounters counters() {
        return vehicle.counters();
    }

    /** Whether the definitions have been sent and the data has begun. */
    boolean isInData() {
        return counters().chunkBytes() > definitionsLength;
    }

    /** Datagrams that this computer's kernel did not accept. */
    long unsent() {
        return unsent.get();
    }

    /** Latencies of acknowledgements of definitions; complete once the vehicle is closed. */
    Latencies inDefinitions() {
        return inDefinitions;
    }

    /** Latencies of acknowledgements amid the data; complete once the vehicle is closed. */
    Latencies amidData() {
        return amidData;
    }

    @Override
    public void close() {
        loop.close();
    }

    private void onTick(long nowNs) {
        makeUpAck(nowNs);
        if (plan.acksAmidData() && nowNs - nextAckedNs >= 0 && isInData()) {
            nextAckedNs = nowNs + random.nextLong(MIN_ACKED_INTERVAL_NS, MAX_ACKED_INTERVAL_NS);
            vehicle.arm(nowNs); // flushes the current chunk, which is acknowledged
        }
        vehicle.onTick(nowNs);
        if (plan.streams() && !begun) {
            vehicle.commandElsewhere(CommandLong.LOGGING_START, OWN_SYSTEM, RECORDER_COMPONENT, nowNs);
        }
        begun = true;
    }

    private void send(byte[] frame, int offset, int length) {
        boolean waits = plan.burst() > 1
                && frame[offset + ID_OFFSET] == (byte) LOGGING_DATA
                && frame[offset + ID_OFFSET + 1] == LOGGING_DATA >> 8;
        if (waits) {
            burst.add(Arrays.copyOfRange(frame, offset, offset + length));
        }
        if (!waits || burst.size() >= plan.burst()) {
            burst.forEach(held -> sendNow(held, 0, held.length));
            burst.clear();
        }
        if (!waits) {
            sendNow(frame, offset, length);
        }
    }

    private void sendNow(byte[] frame, int offset, int length) {
        try {
            if (!loop.send(frame, offset, length)) {
                unsent.incrementAndGet();
            }
        } catch (IOException e) {
            unsent.incrementAndGet();
        }
    }

    private void makeUpAck(long nowNs) {
        if (madeUpAck >= 0) {
            int payloadLength = new LoggingAck(OWN_SYSTEM, OWN_SYSTEM, madeUpAck).encodePayload(ackPayload);
            int length = ackEncoder.encode(OWN_SYSTEM, MessageIds.LOGGING_ACK, ackPayload, payloadLength, ackFrame, 0);
            madeUpAck = -1;
            loop.receive(ackFrame, length, nowNs);
        }
    }

    @Override
    public void onChunkSent(int sequence, boolean acked, int attempt, long nowNs) {
        if (acked) {
            if (attempt == 1) {
                sentNs = System.nanoTime();
            }
            if (plan.acks() == Acks.MADE_UP) {
                madeUpAck = sequence;
            }
        }
    }

    @Override
    public void onChunkAcked(int sequence, long nowNs) {
        (isInData() ? amidData : inDefinitions).add(System.nanoTime() - sentNs);
    }
}
