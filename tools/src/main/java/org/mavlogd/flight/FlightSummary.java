package org.mavlogd.flight;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mavlogd.dataflash.Meanings;
import org.mavlogd.logtools.ByMessageId;
import org.mavlogd.logtools.TopicReader;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.TopicLayout;

/**
 * A summary of the flight in a log of PX4 or ArduPilot: modes, armed times, distance, speed, altitude and batteries.
 *
 * <p>Pass it the contents of a log, then query it. It reads samples of the few topics that it needs, and skips all
 * others with one look-up. Memory: at most {@value #MAX_INTERVALS} intervals of each kind. Samples allocate nothing.
 * Hot path.
 */
public final class FlightSummary implements TopicReader {
    static final int MAX_INTERVALS = 10_000;

    private static final int PX4_ARMED = 2;
    private static final int EVENT_ARMED = 10;
    private static final int EVENT_DISARMED = 11;

    /** A period with one state; {@code toUs} is the start of the next one, or the end of the log. */
    public record Interval(long fromUs, long toUs, String name) {
        public long durationUs() {
            return Math.max(0, toUs - fromUs);
        }
    }

    /** Reads a sample of one topic. Hot path. */
    @FunctionalInterface
    interface SampleReader {
        void read(SampleView sample);
    }

    private final ByMessageId<SampleReader> byId = new ByMessageId<>();
    private final FlightWay way = new FlightWay();
    private final FlightBatteries batteries = new FlightBatteries();
    private final Timeline modes = new Timeline();
    private final Timeline arming = new Timeline();
    private long latestUs;
    private long release;
    private int mavType = -1;
    private int arduPilotBuild = -1;
    private String software = "";
    private boolean isArduPilot;

    @Override
    public void onInfo(KeyedValue info) {
        switch (info.name()) {
            case "ver_sw_release" -> release = info.isInteger() ? info.integer() : 0;
            case "ver_sw_text" -> software = info.text();
            case "sys_name" -> isArduPilot = info.text().equals("ArduPilot");
            default -> {}
        }
    }

    @Override
    public void onTopic(Topic topic) {
        byId.put(
                topic.messageId(),
                topic.layout().map(layout -> reader(topic, layout)).orElse(null));
    }

    @Override
    public boolean reads(Topic topic) {
        return byId.get(topic.messageId()) != null;
    }

    /** Sets the end of the log, for callers that do not pass the samples of other topics. */
    public void onEnd(long timestampUs) {
        latestUs = Math.max(latestUs, timestampUs);
    }

    @Override
    public void onSample(SampleView sample) {
        latestUs = Math.max(latestUs, sample.timestampUs());
        SampleReader reader = byId.get(sample.topic().messageId());
        if (reader != null) {
            reader.read(sample);
        }
    }

    private @Nullable SampleReader reader(Topic topic, TopicLayout layout) {
        boolean isFirst = topic.multiId() == 0;
        return switch (topic.name()) {
            case "vehicle_status" -> isFirst ? status(layout) : null;
            case "MODE" -> number(layout, modes::add, "ModeNum", "Mode");
            case "ARM" -> number(layout, (us, state) -> arming.add(us, state == 0 ? 0 : 1), "ArmState");
            case "EV" -> number(layout, this::onEvent, "Id");
            case "VER" -> number(layout, (us, build) -> arduPilotBuild = build, "BU");
            case "battery_status", "BAT", "BAT2", "CURR", "CURR2" -> batteries.reader(topic, layout);
            default -> way.reader(topic, this::isArmedNow);
        };
    }

    /** Takes an integer with its time. */
    @FunctionalInterface
    private interface OnNumber {
        void accept(long timestampUs, int value);
    }

    /** A reader of the first of these columns that exists. */
    private static @Nullable SampleReader number(TopicLayout layout, OnNumber target, String... names) {
        Column column = LogPositions.column(layout, names);
        return column == null
                ? null
                : sample -> target.accept(sample.timestampUs(), (int) Math.rint(sample.number(column)));
    }

    private void onEvent(long timestampUs, int event) {
        if (event == EVENT_ARMED || event == EVENT_DISARMED) {
            arming.add(timestampUs, event == EVENT_ARMED ? 1 : 0);
        }
    }

    private SampleReader status(TopicLayout layout) {
        SampleReader mode = number(layout, modes::add, "nav_state");
        SampleReader armed = number(layout, (us, state) -> arming.add(us, state == PX4_ARMED ? 1 : 0), "arming_state");
        SampleReader type = number(layout, (us, value) -> mavType = value, "system_type");
        List<SampleReader> all = new ArrayList<>();
        for (SampleReader reader : new @Nullable SampleReader[] {mode, armed, type}) {
            if (reader != null) {
                all.add(reader);
            }
        }
        SampleReader[] readers = all.toArray(SampleReader[]::new);
        return sample -> {
            for (SampleReader reader : readers) {
                reader.read(sample);
            }
        };
    }

    /** The modes in chronological order. */
    public List<Interval> modes() {
        return modes.intervals(latestUs, isArduPilot ? arduPilotModes() : number -> FlightModes.px4(number, release));
    }

    private Timeline.Namer arduPilotModes() {
        Meanings meanings = Meanings.all();
        String kind = arduPilotVehicle(meanings);
        return number -> FlightModes.arduPilot(meanings, kind, number);
    }

    /** The periods in which the vehicle was armed; empty if never. */
    public List<Interval> armed() {
        return arming.intervals(latestUs, state -> state == 1 ? "armed" : "").stream()
                .filter(interval -> !interval.name().isEmpty())
                .toList();
    }

    /** Whether the log shows when the vehicle was armed. */
    public boolean knowsArming() {
        return arming.size > 0;
    }

    /** While the log is read: whether the vehicle is armed now. */
    public boolean isArmedNow() {
        return arming.latest == 1;
    }

    public long armedUs() {
        return armed().stream().mapToLong(Interval::durationUs).sum();
    }

    /** Number of changes of mode or arming that were dropped because there are too many. */
    public long leftOut() {
        return modes.leftOut + arming.leftOut;
    }

    boolean isArduPilot() {
        return isArduPilot;
    }

    /** The kind of vehicle, such as quadrotor or rover; empty if unknown. */
    public String vehicleKind() {
        return isArduPilot ? arduPilotVehicle(Meanings.all()) : FlightModes.vehicle(mavType);
    }

    private String arduPilotVehicle(Meanings meanings) {
        return meanings.of("vehicle", arduPilotBuild).orElseGet(() -> FlightModes.firmware(software));
    }

    /** The batteries with at least one figure. */
    public List<FlightBatteries.Battery> batteries() {
        return batteries.all();
    }

    /**
     * Distance, speed and height while the vehicle was armed; of the complete log if it never was, or the log does not
     * show it.
     */
    public FlightWay.Result way() {
        return way.result();
    }

    /** The times at which a number changed. */
    private static final class Timeline {
        private long[] times = new long[16];
        private int[] values = new int[16];
        private int size;
        private int latest = -1;
        private long leftOut;

        /** Names a value. */
        @FunctionalInterface
        interface Namer {
            String name(int value);
        }

        /** Adds a value; a repeated value costs one comparison. Hot path. */
        void add(long timestampUs, int value) {
            if (value == latest && size > 0) {
                return;
            }
            latest = value;
            if (size == MAX_INTERVALS) {
                leftOut++;
                return;
            }
            if (size == times.length) {
                times = Arrays.copyOf(times, 2 * size);
                values = Arrays.copyOf(values, 2 * size);
            }
            times[size] = timestampUs;
            values[size++] = value;
        }

        List<Interval> intervals(long endUs, Namer namer) {
            List<Interval> intervals = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                intervals.add(new Interval(times[i], i + 1 < size ? times[i + 1] : endUs, namer.name(values[i])));
            }
            return intervals;
        }
    }
}
