package org.mavlogd.dataflash;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mavlogd.ulog.LogLevel;

/** Puts the records of modes, events, errors and arming into words. */
final class EventTexts {
    /** What stands for a number that a record has not. */
    private static final long NONE = -1;

    private final MappedLog log;
    private final Meanings meanings;
    private final String modes;

    /** @param vehicle the kind of vehicle, whose modes these are; empty if not known */
    EventTexts(MappedLog log, Meanings meanings, String vehicle) {
        this.log = log;
        this.meanings = meanings;
        this.modes = "mode." + vehicle;
    }

    /** What the records of a type say; null if it is none of these. */
    @Nullable
    RecordMeaning of(RecordType type) {
        return switch (type.name()) {
            case "MODE" -> mode(type);
            case "EV" -> event(type);
            case "ERR" -> error(type);
            case "ARM" -> arming(type);
            default -> null;
        };
    }

    private RecordMeaning mode(RecordType type) {
        NumberField mode = new NumberField(type, "ModeNum", "Mode");
        NumberField reason = new NumberField(type, "Rsn");
        return (buffer, offset, timeUs) -> {
            String name = meanings.orNumber(modes, mode.of(buffer, offset), "number");
            Optional<String> why = meanings.of("reason", reason.of(buffer, offset));
            log.text(
                    LogLevel.INFO,
                    timeUs,
                    "Mode " + name + why.map(text -> " (" + text + ")").orElse(""));
        };
    }

    private RecordMeaning event(RecordType type) {
        NumberField id = new NumberField(type, "Id");
        return (buffer, offset, timeUs) -> log.text(
                LogLevel.INFO, timeUs, "Event: " + meanings.orNumber("event", id.of(buffer, offset), "number"));
    }

    private RecordMeaning error(RecordType type) {
        NumberField subsystem = new NumberField(type, "Subsys");
        NumberField code = new NumberField(type, "ECode");
        return (buffer, offset, timeUs) -> {
            long part = subsystem.of(buffer, offset);
            long what = code.of(buffer, offset);
            String where = meanings.orNumber("subsystem", part, "subsystem");
            if (what == 0) {
                log.text(LogLevel.NOTICE, timeUs, "Error resolved: " + where);
            } else {
                log.text(LogLevel.ERROR, timeUs, "Error: " + where + ", " + error(part, what));
            }
        };
    }

    private String error(long subsystem, long code) {
        return meanings.of("error." + subsystem, code)
                .or(() -> code == 1 ? Optional.of("failed to initialise") : Optional.empty())
                .or(() -> code == 4 ? Optional.of("unhealthy") : Optional.empty())
                .orElse("code " + code);
    }

    private RecordMeaning arming(RecordType type) {
        NumberField state = new NumberField(type, "ArmState");
        NumberField forced = new NumberField(type, "Forced");
        NumberField method = new NumberField(type, "Method");
        return (buffer, offset, timeUs) -> {
            String what = state.of(buffer, offset) == 0 ? "Disarmed" : "Armed";
            String how = meanings.orNumber("arm", method.of(buffer, offset), "method");
            String force = forced.of(buffer, offset) > 0 ? ", forced" : "";
            log.text(LogLevel.NOTICE, timeUs, what + " (" + how + force + ")");
        };
    }

    /** The first of some fields that a type has; without any a value that means nothing. */
    private static final class NumberField {
        private final RecordType.@Nullable Field field;

        NumberField(RecordType type, String... labels) {
            RecordType.Field found = null;
            for (int i = labels.length - 1; i >= 0; i--) {
                found = type.integer(labels[i]).orElse(found);
            }
            field = found;
        }

        long of(byte[] buffer, int offset) {
            return field == null ? NONE : Bytes.integer(field.format(), buffer, offset + field.offset());
        }
    }
}
