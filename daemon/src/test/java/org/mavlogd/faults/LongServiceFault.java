package org.mavlogd.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.whole.WholeRecorder.MILLISECOND_NS;
import static org.mavlogd.whole.WholeRecorder.SECOND_NS;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Locale;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.simulate.px4.LogImage;
import org.mavlogd.simulate.px4.Px4Settings;
import org.mavlogd.simulate.px4.Px4Vehicle;
import org.mavlogd.simulate.px4.StreamObserver;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.vehicle.ConversationSettings;
import org.mavlogd.whole.SyntheticLog;
import org.mavlogd.whole.WholeRecorder;

/**
 * A day of service in virtual time: a stream at PX4's usual rate, a flight and a reboot each hour. All data is stored,
 * and the heap does not grow.
 */
final class LongServiceFault implements Fault {
    private static final long HOUR_NS = 3600 * SECOND_NS;
    private static final int HOURS_OF_A_DAY = 24;
    private static final long STEP_NS = 20 * MILLISECOND_NS;
    private static final int RATE = 40_000;
    private static final long MAX_GROWTH_BYTES = 1 << 20;
    private static final Duration MAX_TIME_FOR_A_DAY = Duration.ofSeconds(90);
    private static final int COLLECTIONS = 4;

    @Override
    public String name() {
        return "long-service";
    }

    @Override
    public String run(Form form, Progress progress) {
        int hours = form.pick(2, HOURS_OF_A_DAY);
        boolean isBusy = Host.isBusy();
        long startNs = System.nanoTime();
        long startCpuNs = cpuNs();
        Service service = new Service();
        long afterFirstHour = 0;
        for (int hour = 1; hour <= hours; hour++) {
            service.flyForAnHour();
            afterFirstHour = hour == 1 ? usedHeap() : afterFirstHour;
            progress.at(hour, hours);
        }
        long growth = usedHeap() - afterFirstHour;
        service.finish();
        Duration taken = Duration.ofNanos(System.nanoTime() - startNs);
        Duration cpu = Duration.ofNanos(cpuNs() - startCpuNs);
        assertThat(service.stored.text()).isEqualTo(service.sent.text());
        assertThat(service.stored.samples()).isPositive();
        assertThat(growth).as("growth of the heap, bytes").isLessThanOrEqualTo(MAX_GROWTH_BYTES);
        // Of a few hours, and on a busy machine, most is code that Java's compiler has not reached yet.
        if (hours == HOURS_OF_A_DAY && !isBusy) {
            assertThat(cpu).as("time for a day").isLessThan(MAX_TIME_FOR_A_DAY);
        }
        return String.format(
                Locale.ROOT,
                "%d hours in %.0f s, %.0f s of them on a processor%s: %d MB sent, %d samples, all stored; heap %+d KB from the first hour to the last",
                hours,
                taken.toMillis() / 1e3,
                cpu.toMillis() / 1e3,
                isBusy ? " (not judged: the machine was busy before)" : "",
                service.sent.bytes() / 1_000_000,
                service.stored.samples(),
                growth / 1024);
    }

    private static long cpuNs() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static long usedHeap() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }

    /** Vehicle and recorder with a perfect link between them. */
    private static final class Service {
        private final SampleSum sent = new SampleSum();
        private final SampleSum stored = new SampleSum();
        private final Deque<byte[]> uplink = new ArrayDeque<>();
        private final WholeRecorder recorder;
        private final Px4Vehicle vehicle;
        private final FrameDecoder vehicleDecoder;
        private long nowNs;

        Service() {
            FakeDisk disk = new FakeDisk().seenThrough(unused -> new ForgettingDisk(stored));
            recorder = new WholeRecorder(
                    new WholeRecorder.Setup(ConversationSettings.Mode.ALWAYS, 0, true, 1 << 20, disk),
                    (frame, offset, length) -> uplink.add(Arrays.copyOfRange(frame, offset, offset + length)));
            nowNs = recorder.nowNs();
            LogImage log = LogImage.of(SyntheticLog.make(1, 900_000));
            Px4Settings settings =
                    Px4Settings.builder().rateBytesPerSecond(RATE).loops(true).build();
            vehicle = new Px4Vehicle(settings, log, recorder::receive, new Sent(sent), nowNs);
            vehicleDecoder = new FrameDecoder(vehicle::onFrame, FrameCounters.unregistered());
        }

        void flyForAnHour() {
            runFor(HOUR_NS / 4);
            vehicle.arm(nowNs);
            runFor(HOUR_NS / 4);
            vehicle.disarm(nowNs);
            runFor(HOUR_NS / 4);
            vehicle.reboot(nowNs);
            runFor(HOUR_NS / 4);
        }

        void finish() {
            recorder.shutDown();
            while (!recorder.isAtRest()) {
                runFor(STEP_NS);
            }
            recorder.close();
        }

        private void runFor(long durationNs) {
            long endNs = nowNs + durationNs;
            while (endNs - nowNs > 0) {
                nowNs += STEP_NS;
                recorder.advanceTo(nowNs);
                for (byte[] frame = uplink.poll(); frame != null; frame = uplink.poll()) {
                    vehicleDecoder.decodeDatagram(frame, 0, frame.length, nowNs);
                }
                vehicle.onTick(nowNs);
            }
        }
    }

    /** Sums up the messages that the vehicle sent. */
    private static final class Sent implements StreamObserver {
        private final SampleSum sum;
        private final Deque<byte[]> waiting = new ArrayDeque<>();
        private SampleSum.Log log;

        Sent(SampleSum sum) {
            this.sum = sum;
            this.log = sum.log();
        }

        @Override
        public void onSessionStart(byte[] header, long timeNs) {
            log = sum.log();
            waiting.clear();
        }

        @Override
        public void onChunk(
                int sequence, boolean acked, int firstMessageOffset, byte[] data, int offset, int length, long timeNs) {
            waiting.add(Arrays.copyOfRange(data, offset, offset + length));
        }

        @Override
        public void onChunkSent(int sequence, boolean acked, int attempt, long timeNs) {
            if (attempt == 1) {
                log.add(ByteBuffer.wrap(waiting.remove()));
            }
        }
    }
}
