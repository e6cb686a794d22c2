package org.mavlogd.edit;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.ULogException;
import org.mavlogd.ulog.ULogLayout;

/**
 * Finds out which logs use the same clock and which belong to the same vehicle, and the offsets of the other clocks
 * from that of the first log. An offset that cannot be proved is an error.
 */
public final class MergeClocks {
    // Logs whose start differs by less have the same clock: UTC in logs is at least this exact, and no computer
    // restarts that quickly.
    private static final long SAME_START_US = 2_000_000;

    // The same limit if the logs do not identify the vehicle.
    private static final long SAME_NAMELESS_START_US = 50_000;
    private static final long RESTART_SLACK_US = 1_000_000;
    private static final long MAX_APART_US = 3_600_000_000L;

    /** How the clocks of the logs are related. */
    public enum Align {
        /** By a common clock or by UTC, as the logs show; refused if they show neither. */
        AUTO,
        /** All logs use the same clock. */
        BOOT,
        /** By UTC, unless the logs prove a common clock. */
        UTC
    }

    private enum Same {
        YES,
        NO,
        UNKNOWN
    }

    private final List<MergeInput> logs;
    private final Align align;
    private final int[] clocks;
    private final int[] sources;

    MergeClocks(List<MergeInput> logs, Align align) throws ULogException {
        this.logs = logs;
        this.align = align;
        this.clocks = new int[logs.size()];
        this.sources = new int[logs.size()];
        for (int i = 0; i < logs.size(); i++) {
            clocks[i] = clock(i);
            sources[i] = source(i);
        }
    }

    /** Index of the first log with the same clock. */
    int clockOf(int log) {
        return clocks[log];
    }

    /** Index of the first log of the same vehicle or computer. */
    int sourceOf(int log) {
        return sources[log];
    }

    /** Offset that converts a log's times to those of the first log. */
    long shiftUs(int log) throws ULogException {
        if (clocks[log] == 0) {
            return 0;
        }
        long shiftUs = ChronoUnit.MICROS.between(requireBoot(0), requireBoot(log));
        MergeInput first = logs.get(0);
        MergeInput other = logs.get(log);
        long apartUs = Math.max(other.beginUs + shiftUs - first.endUs, first.beginUs - other.endUs - shiftUs);
        if (align == Align.AUTO && apartUs > MAX_APART_US) {
            throw new ULogException(first.name() + " and " + other.name() + " are " + Words.duration(apartUs)
                    + " apart, so they are not of one flight; to merge them anyway, use --align utc");
        }
        return shiftUs;
    }

    private Instant requireBoot(int log) throws ULogException {
        for (int i = 0; i < logs.size(); i++) {
            Optional<Instant> boot = logs.get(i).utc.at(0);
            if (clocks[i] == clocks[log] && boot.isPresent()) {
                return boot.get();
            }
        }
        throw new ULogException(logs.get(log).name() + " has no UTC, so its times cannot be aligned with"
                + " those of others; if all logs are of one clock, use --align boot");
    }

    private int clock(int log) throws ULogException {
        int unknown = -1;
        for (int i = 0; i < log; i++) {
            Same same = isSameClock(logs.get(i), logs.get(log));
            if (same == Same.YES) {
                return clocks[i];
            }
            unknown = same == Same.UNKNOWN ? i : unknown;
        }
        if (unknown >= 0 && align == Align.AUTO) {
            throw new ULogException(
                    "nothing proves whether " + logs.get(unknown).name() + " and "
                            + logs.get(log).name()
                            + " are of one clock; use --align boot if they are, or --align utc to align them by UTC");
        }
        return log;
    }

    private Same isSameClock(MergeInput one, MergeInput other) {
        if (align == Align.BOOT || follows(one, other) || follows(other, one)) {
            return Same.YES;
        }
        if (!one.vehicleId.equals(other.vehicleId)) {
            return Same.NO;
        }
        Optional<Instant> boot = one.utc.at(0);
        Optional<Instant> otherBoot = other.utc.at(0);
        boolean isOverlapping = one.sketch.overlaps(other.sketch);
        if (boot.isEmpty() || otherBoot.isEmpty()) {
            return isOverlapping ? Same.YES : Same.UNKNOWN;
        }
        boolean isNameless = one.vehicleId.isEmpty();
        long apartUs = Math.abs(ChronoUnit.MICROS.between(boot.get(), otherBoot.get()));
        if (apartUs <= (isNameless && !isOverlapping ? SAME_NAMELESS_START_US : SAME_START_US)) {
            return Same.YES;
        }
        return isNameless || isRestarted(one, other) || isRestarted(other, one) ? Same.NO : Same.UNKNOWN;
    }

    /** Whether the later log's clock started after the end of the earlier one: a vehicle has one clock at a time. */
    private static boolean isRestarted(MergeInput earlier, MergeInput later) {
        Optional<Instant> end = earlier.utc.at(earlier.endUs);
        return end.isPresent()
                && later.utc
                        .at(RESTART_SLACK_US)
                        .filter(boot -> boot.isAfter(end.get()))
                        .isPresent();
    }

    /** Whether the recorder marked one log as the continuation of the other. */
    private static boolean follows(MergeInput one, MergeInput other) {
        byte[] previous = other.infos.get("log_previous");
        String name = previous == null ? "" : text(previous);
        return !name.isEmpty() && withoutSuffix(one.name()).equals(withoutSuffix(name));
    }

    private static String text(byte[] info) {
        int from = ULogLayout.MESSAGE_HEADER_LENGTH + 1 + (info[ULogLayout.MESSAGE_HEADER_LENGTH] & 0xFF);
        return new String(info, from, info.length - from, StandardCharsets.UTF_8);
    }

    private static String withoutSuffix(String name) {
        int at = name.indexOf(".ulg");
        return at < 0 ? name : name.substring(0, at);
    }

    private int source(int log) {
        for (int i = 0; i < log; i++) {
            String id = logs.get(log).vehicleId;
            if (clocks[i] == clocks[log] || (!id.isEmpty() && id.equals(logs.get(i).vehicleId))) {
                return sources[i];
            }
        }
        return log;
    }
}
