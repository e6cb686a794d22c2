package org.mavlogd.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.LogBlockLayout;
import org.mavlogd.mavlink.LogBlockStatus;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.simulate.ardupilot.ArduPilotCounters;
import org.mavlogd.simulate.ardupilot.ArduPilotSettings;
import org.mavlogd.simulate.ardupilot.ArduPilotVehicle;
import org.mavlogd.simulate.ardupilot.DataFlashImage;

/**
 * A simulated ArduPilot with default settings that plays its log at the log's own pace on its own thread, and measures
 * on the wire how long the acknowledgement of each block takes.
 */
final class BlockVehicle implements AutoCloseable {
    // More blocks than the vehicle's buffer can hold.
    private static final int REMEMBERED = 1024;
    private static final int MESSAGE_ID_OFFSET = 7;
    private static final int PAYLOAD_OFFSET = 10;

    private final VehicleLoop loop;
    private final ArduPilotVehicle vehicle;
    private final Latencies latencies = new Latencies();
    private final long[] sentNs = new long[REMEMBERED];
    private long newest = -1;
    private volatile boolean measuring;

    BlockVehicle(DataFlashImage log, DatagramChannel channel) {
        this.vehicle = new ArduPilotVehicle(
                ArduPilotSettings.builder().loops(true).build(),
                log,
                this::send,
                ArduPilotVehicle.Observer.NONE,
                System.nanoTime());
        this.loop = new VehicleLoop("bench-blocks", channel, this::onFrame, vehicle::onTick);
        loop.start();
    }

    ArduPilotCounters counters() {
        return vehicle.counters();
    }

    /** Starts the measurement. */
    void measure() {
        measuring = true;
    }

    /** The latencies; complete once the vehicle is closed. */
    Latencies latencies() {
        return latencies;
    }

    @Override
    public void close() {
        loop.close();
    }

    private void onFrame(FrameView frame, long nowNs) {
        if (frame.messageId() == MessageIds.REMOTE_LOG_BLOCK_STATUS) {
            LogBlockStatus status = LogBlockStatus.decode(frame);
            boolean isAck = status.status() == LogBlockStatus.ACK && status.number() <= newest;
            int slot = (int) (status.number() % REMEMBERED);
            if (isAck && measuring && sentNs[slot] != 0) {
                latencies.add(nowNs - sentNs[slot]);
                sentNs[slot] = 0;
            }
        }
        vehicle.onFrame(frame, nowNs);
    }

    private void send(byte[] frame, int offset, int length) {
        noteBlock(frame, offset);
        try {
            loop.send(frame, offset, length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Notes when a block is sent for the first time, even if its datagram is lost. */
    private void noteBlock(byte[] frame, int offset) {
        if ((frame[offset + MESSAGE_ID_OFFSET] & 0xFF) == MessageIds.REMOTE_LOG_DATA_BLOCK) {
            long number = ByteBuffer.wrap(frame)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .getInt(offset + PAYLOAD_OFFSET + LogBlockLayout.NUMBER_OFFSET)
                    & 0xFFFF_FFFFL;
            if (number > newest) {
                newest = number;
                sentNs[(int) (number % REMEMBERED)] = System.nanoTime();
            }
        }
    }
}
