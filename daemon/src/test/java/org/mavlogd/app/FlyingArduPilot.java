package org.mavlogd.app;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ObjLongConsumer;
import org.mavlogd.simulate.ardupilot.ArduPilotSettings;
import org.mavlogd.simulate.ardupilot.ArduPilotVehicle;
import org.mavlogd.simulate.ardupilot.DataFlashImage;

/** A simulated ArduPilot on its own thread, at the end of a {@link VehicleWire}. */
public final class FlyingArduPilot implements AutoCloseable {
    private final ArduPilotVehicle vehicle;
    private final List<SentBlocks> sent = new CopyOnWriteArrayList<>();
    private final VehicleThread thread;
    private volatile boolean streaming;

    public FlyingArduPilot(VehicleWire wire, ArduPilotSettings settings, DataFlashImage log) {
        this.vehicle = new ArduPilotVehicle(settings, log, wire::send, new Truth(), System.nanoTime());
        this.thread = new VehicleThread("vehicle-" + settings.systemId(), wire, vehicle::onFrame, this::onTick);
    }

    private void onTick(long nowNs) {
        vehicle.onTick(nowNs);
        streaming = vehicle.isStreaming();
    }

    /** All logs that the vehicle started, including those that never arrived. */
    public List<SentBlocks> sent() {
        return sent;
    }

    public boolean isStreaming() {
        return streaming;
    }

    /** Runs an action on the vehicle's thread. */
    public void order(ObjLongConsumer<ArduPilotVehicle> order) {
        thread.order(timeNs -> order.accept(vehicle, timeNs));
    }

    @Override
    public void close() {
        thread.close();
    }

    private final class Truth implements ArduPilotVehicle.Observer {
        @Override
        public void onLogStart(long nowNs) {
            sent.add(new SentBlocks());
        }

        @Override
        public void onBlock(long number, byte[] data, long nowNs) {
            sent.get(sent.size() - 1).add(number, data, nowNs);
        }

        @Override
        public void onAck(long number, long nowNs) {
            sent.get(sent.size() - 1).acked(number, nowNs);
        }

        @Override
        public void onLogEnd(long nowNs) {
            sent.get(sent.size() - 1).ended();
        }
    }
}
