package org.mavlogd.dataflash;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mavlogd.ulog.LogLevel;

/** Describes mode, event, error and arming records in words. */
final class EventTexts {
    /** The value of a field that a record lacks. */
    private static final long NONE = -1;

    private final MappedLog log;
    private final Meanings meanings;
    private final String modes;

    /** @param vehicle kind of vehicle, for the names of its modes; empty if unknown */
    EventTexts(MappedLog log, Meanings meanings, String vehicle) {
        this.log = log;
        this.meanings = meanings;
        this.modes = "mode." + vehicle;
    }

    /** The meaning of records of a type; null for all other types. */
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

    /** The first of several fields that a type has; {@link #NONE} if it has none. */
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
