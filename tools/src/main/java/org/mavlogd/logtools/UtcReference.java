package org.mavlogd.logtools;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.ULogException;

/**
 * Finds the UTC at which the vehicle's clock, the clock of the log's times, started.
 *
 * <p>Uses, in this order: the info {@code boot_time_utc_us}; the satellite receiver's first sample with a 3D fix;
 * mavlogd's info about the start of the recording; the receiver's first sample with any time. Times before 2010 or
 * after 2100 are ignored: those clocks were not set.
 */
public final class UtcReference implements TopicReader {
    private static final String BOOT_TIME = "boot_time_utc_us";
    // The last one is used: it was written when a better clock was known.
    public static final String RECORDER_START = "recorder_start_utc_us";
    /** The info with the origin of the log's times; without it they count from the vehicle's boot. */
    public static final String TIME_ORIGIN = "time_origin";

    private static final String GPS_TOPIC = "vehicle_gps_position";
    private static final String GPS_UTC = "time_utc_usec";
    private static final String GPS_FIX = "fix_type";
    private static final DateTimeFormatter TEXT = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final int FIX_3D = 3;
    private static final long EARLIEST_US = 1_262_304_000_000_000L;
    private static final long LATEST_US = 4_102_444_800_000_000L;

    private enum Source {
        NONE,
        GPS_WITHOUT_FIX,
        RECORDER,
        GPS,
        INFO
    }

    private Source source = Source.NONE;
    private long bootUs;
    private long logStartUs;
    private @Nullable Topic topic;
    private @Nullable Column utc;
    private @Nullable Column fix;

    @Override
    public void onStart(int version, long startUs) {
        logStartUs = startUs;
    }

    @Override
    public void onInfo(KeyedValue info) {
        if (!info.isInteger()) {
            return;
        }
        if (info.name().equals(BOOT_TIME)) {
            take(Source.INFO, info.integer(), 0);
        } else if (info.name().equals(RECORDER_START)) {
            source = source == Source.RECORDER ? Source.NONE : source;
            take(Source.RECORDER, info.integer(), logStartUs);
        }
    }

    @Override
    public void onTopic(Topic announced) {
        if (topic != null || !announced.name().equals(GPS_TOPIC)) {
            return;
        }
        announced.layout().ifPresent(layout -> {
            utc = layout.column(GPS_UTC)
                    .filter(column -> column.type() == FieldType.UINT64)
                    .orElse(null);
            fix = layout.column(GPS_FIX)
                    .filter(column -> column.type().isInteger())
                    .orElse(null);
            topic = utc == null ? null : announced;
        });
    }

    @Override
    public boolean reads(Topic announced) {
        return announced == topic;
    }

    /** Hot path. */
    @Override
    public void onSample(SampleView sample) {
        if (sample.topic() != topic || utc == null || source.compareTo(Source.GPS) >= 0) {
            return;
        }
        boolean hasFix = fix == null || sample.integer(fix) >= FIX_3D;
        take(hasFix ? Source.GPS : Source.GPS_WITHOUT_FIX, sample.integer(utc), sample.timestampUs());
    }

    /** The UTC of a time of the log; empty if unknown. */
    public Optional<Instant> at(long timestampUs) {
        return source == Source.NONE
                ? Optional.empty()
                : Optional.of(Instant.EPOCH.plus(bootUs, ChronoUnit.MICROS).plus(timestampUs, ChronoUnit.MICROS));
    }

    /**
     * Refuses a log without UTC.
     *
     * @throws ULogException if the log has no UTC
     */
    public void require() throws ULogException {
        if (source == Source.NONE) {
            throw new ULogException("the log has no UTC; give times in seconds since boot, or as +SECONDS");
        }
    }

    /** Start of the vehicle's clock, in microseconds UTC; 0 if unknown. */
    public long bootUtcUs() {
        return source == Source.NONE ? 0 : bootUs;
    }

    /** A time of the log for people: in UTC if known, otherwise since the vehicle's boot. */
    public String text(long timestampUs) {
        return at(timestampUs).map(TEXT::format).orElseGet(() -> String.format(Locale.US, "%.3f s", timestampUs / 1e6));
    }

    private void take(Source from, long utcUs, long timestampUs) {
        boolean isUtc = utcUs >= EARLIEST_US && utcUs <= LATEST_US;
        // A vehicle's clock may count from 1970, but none counts longer than that.
        boolean isTime = timestampUs >= 0 && timestampUs <= LATEST_US;
        if (from.compareTo(source) > 0 && isUtc && isTime) {
            source = from;
            bootUs = utcUs - timestampUs;
        }
    }
}
