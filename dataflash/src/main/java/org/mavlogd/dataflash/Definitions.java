package org.mavlogd.dataflash;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mavlogd.bytes.LittleEndian;
import org.mavlogd.memory.MemoryShare;

/**
 * The definitions of a log so far: types (FMT), their units and multipliers (FMTU), and the meanings of unit and
 * multiplier characters (UNIT, MULT).
 *
 * <p>Any of them may come late, in any order, or be missing: characters that the log does not define have their
 * meanings in ArduPilot's list. At most 256 types at a time, and {@value #MAX_UNITS} declarations of units.
 */
public final class Definitions {
    /** Maximum for all types, including replaced ones; real logs redeclare few. */
    static final int MAX_UNITS = 1024;

    private static final int CHARACTERS = 256;
    private static final String UNIT_IDS = "UnitIds";
    private static final String MULTIPLIER_IDS = "MultIds";

    /** Unit and multiplier characters of a type's fields, in order; either string may be shorter than the fields. */
    record FieldUnits(String units, String multipliers) {
        private static final char NONE = '-';

        char unit(int field) {
            return field < units.length() ? units.charAt(field) : NONE;
        }

        char multiplier(int field) {
            return field < multipliers.length() ? multipliers.charAt(field) : NONE;
        }
    }

    static final FieldUnits NO_UNITS = new FieldUnits("", "");

    private final @Nullable RecordType[] types = new RecordType[DataFlashLayout.TYPES];
    private final @Nullable RecordType[] first = new RecordType[DataFlashLayout.TYPES];
    private final @Nullable FieldUnits[] early = new FieldUnits[DataFlashLayout.TYPES];
    private final Map<RecordType, FieldUnits> units = new HashMap<>();
    private final @Nullable String[] unitLabels = StandardUnits.labels(CHARACTERS);
    private final double[] multipliers = StandardUnits.multipliers(CHARACTERS);
    private final MemoryShare share;
    private boolean declaresUnits;

    public Definitions() {
        this(MemoryShare.unlimited());
    }

    /** @param share memory for definitions: types and units that do not fit remain unknown */
    Definitions(MemoryShare share) {
        this.share = share;
        types[DataFlashLayout.FMT_TYPE] = RecordType.FMT;
        first[DataFlashLayout.FMT_TYPE] = RecordType.FMT;
    }

    /** The definitions for reading the same log again from its start: each type as first declared. */
    public Definitions rewound() {
        Definitions rewound = new Definitions(share);
        System.arraycopy(first, 0, rewound.types, 0, first.length);
        System.arraycopy(first, 0, rewound.first, 0, first.length);
        System.arraycopy(unitLabels, 0, rewound.unitLabels, 0, unitLabels.length);
        System.arraycopy(multipliers, 0, rewound.multipliers, 0, multipliers.length);
        rewound.units.putAll(units);
        rewound.declaresUnits = declaresUnits;
        return rewound;
    }

    /** Treats the following bytes as the start of a log: {@link #rewound} returns the types that are declared now. */
    void beginHere() {
        System.arraycopy(types, 0, first, 0, types.length);
    }

    /** Adopts a type with its units from elsewhere; null if it has none, or this id is already declared. */
    @Nullable
    RecordType adopt(Definitions other, int id) {
        RecordType type = other.types[id];
        if (type == null || types[id] != null) {
            return null;
        }
        types[id] = type;
        first[id] = type;
        FieldUnits told = early[id] == null ? other.units.get(type) : early[id];
        early[id] = null;
        if (told != null) {
            put(type, told);
        }
        return type;
    }

    /** The current type with this id; null if none was declared. Hot path. */
    @Nullable
    RecordType type(int id) {
        return types[id];
    }

    /** All types declared now, in the order of their ids, except FMT. */
    public RecordType[] types() {
        return Arrays.stream(types)
                .filter(type -> type != null && type.id() != DataFlashLayout.FMT_TYPE)
                .toArray(RecordType[]::new);
    }

    boolean hasUnits(RecordType type) {
        return units.containsKey(type);
    }

    /** Whether this log declares any units. */
    boolean declaresUnits() {
        return declaresUnits;
    }

    FieldUnits units(RecordType type) {
        return units.getOrDefault(type, NO_UNITS);
    }

    /** The unit of a character; empty if it has none or is undefined. */
    String unitLabel(char unit) {
        String label = unit < unitLabels.length ? unitLabels[unit] : null;
        return label == null ? "" : label;
    }

    /** The factor that converts a value to its unit; NaN if the character defines none. */
    double multiplier(char multiplier) {
        return multiplier < multipliers.length ? multipliers[multiplier] : Double.NaN;
    }

    /** Reads a record that defines something; returns the type that it declares, if any. */
    @Nullable
    RecordType learn(RecordType type, byte[] buffer, int offset) {
        if (type.id() == DataFlashLayout.FMT_TYPE) {
            return declare(buffer, offset);
        }
        switch (type.name()) {
            case "FMTU" -> learnUnits(type, buffer, offset);
            case "UNIT" -> learnUnit(type, buffer, offset);
            case "MULT" -> learnMultiplier(type, buffer, offset);
            default -> {
                // defines nothing
            }
        }
        return null;
    }

    /** Whether records of this type are definitions, which {@link #learn} reads, and not data. */
    static boolean isDefinition(RecordType type) {
        return switch (type.name()) {
            case "FMT", "FMTU", "UNIT", "MULT" -> true;
            default -> false;
        };
    }

    private @Nullable RecordType declare(byte[] buffer, int offset) {
        Optional<RecordType> declared = RecordType.declared(buffer, offset);
        if (declared.isEmpty()) {
            return null;
        }
        RecordType type = declared.get();
        int id = type.id();
        if (type.equals(types[id]) || !hasMemoryFor(type)) {
            return null;
        }
        types[id] = type;
        first[id] = first[id] == null ? type : first[id];
        declaresUnits |= type.name().equals("FMTU");
        FieldUnits waiting = early[id];
        if (waiting != null) {
            early[id] = null;
            put(type, waiting);
        }
        return type;
    }

    /** Reserves memory for the first and the latest type of an id; types in between are dropped. */
    private boolean hasMemoryFor(RecordType type) {
        int id = type.id();
        RecordType before = types[id];
        boolean replaces = before != null && !before.isSame(first[id]);
        boolean isThere = share.reserve(Footprint.type(type));
        if (isThere && replaces && !units.containsKey(before)) {
            share.release(Footprint.type(before));
        }
        return isThere;
    }

    private void learnUnits(RecordType type, byte[] buffer, int offset) {
        int id = describedId(type, buffer, offset);
        if (id < 0) {
            return;
        }
        FieldUnits told = new FieldUnits(
                text(type.text(UNIT_IDS).orElseThrow(), buffer, offset),
                text(type.text(MULTIPLIER_IDS).orElseThrow(), buffer, offset));
        RecordType declared = types[id];
        if (declared == null) {
            early[id] = told;
        } else {
            put(declared, told);
        }
    }

    /** The type whose units an FMTU record defines; null if it defines none, or the type is not declared yet. */
    @Nullable
    RecordType describedBy(RecordType fmtu, byte[] buffer, int offset) {
        int id = describedId(fmtu, buffer, offset);
        return id < 0 ? null : types[id];
    }

    /** Id of the type whose units a record defines; negative if it defines none. */
    private static int describedId(RecordType type, byte[] buffer, int offset) {
        Optional<RecordType.Field> of = type.integer("FmtType");
        if (of.isEmpty()
                || type.text(UNIT_IDS).isEmpty()
                || type.text(MULTIPLIER_IDS).isEmpty()) {
            return -1;
        }
        RecordType.Field field = of.get();
        return (int) Bytes.integer(field.format(), buffer, offset + field.offset()) & 0xFF;
    }

    private void put(RecordType type, FieldUnits told) {
        boolean isNew = !units.containsKey(type);
        if (!isNew || (units.size() < MAX_UNITS && share.reserve(Footprint.UNITS))) {
            units.put(type, told);
        }
    }

    private void learnUnit(RecordType type, byte[] buffer, int offset) {
        Optional<RecordType.Field> id = type.integer("Id");
        Optional<RecordType.Field> label = type.text("Label");
        if (id.isPresent() && label.isPresent()) {
            unitLabels[LittleEndian.uint8(buffer, offset + id.get().offset())] = text(label.get(), buffer, offset);
        }
    }

    private void learnMultiplier(RecordType type, byte[] buffer, int offset) {
        Optional<RecordType.Field> id = type.integer("Id");
        Optional<RecordType.Field> value =
                type.field("Mult").filter(field -> !field.format().isText());
        if (id.isPresent() && value.isPresent()) {
            double told = Bytes.number(
                    value.get().format(), buffer, offset + value.get().offset(), 0);
            multipliers[LittleEndian.uint8(buffer, offset + id.get().offset())] = Scale.snapped(told);
        }
    }

    private static String text(RecordType.Field field, byte[] buffer, int offset) {
        return Bytes.latin(buffer, offset + field.offset(), field.format().length());
    }

    /**
     * The meanings of unit and multiplier characters that a log does not define itself.
     *
     * @see <a href="https://github.com/ArduPilot/ardupilot/blob/master/libraries/AP_Logger/README.md">AP_Logger,
     *     "Units", "Multipliers"</a>
     */
    static final class StandardUnits {
        /** The unit of a field that has the instance of a record, one of several similar devices. */
        static final char INSTANCE = '#';

        /** Unknown, for units and multipliers. */
        static final char UNKNOWN = '?';

        private static final String UNITS = "A A|a Ah|d deg|b B|B B/s|k deg/s|D deglatitude|e deg/s/s|E rad/s|G Gauss"
                + "|h degheading|i A.s|J W.s|l l|L rad/s/s|m m|n m/s|N N|o m/s/s|O degC|% %|S satellites|s s|t N.m|q rpm"
                + "|r rad|U deglongitude|u ppm|v V|P Pa|w Ohm|W Watt|X W.h|y l/s|Y us|z Hz|# instance";
        private static final String MULTIPLIERS =
                "2 1e2|1 1e1|0 1e0|A 1e-1|B 1e-2|C 1e-3|D 1e-4|E 1e-5|F 1e-6|G 1e-7|I 1e-9" + "|! 3.6|/ 3600";

        private StandardUnits() {}

        static @Nullable String[] labels(int characters) {
            @Nullable String[] labels = new String[characters];
            for (String entry : UNITS.split("\\|", -1)) {
                labels[entry.charAt(0)] = entry.substring(2);
            }
            return labels;
        }

        static double[] multipliers(int characters) {
            double[] multipliers = new double[characters];
            Arrays.fill(multipliers, Double.NaN);
            for (String entry : MULTIPLIERS.split("\\|", -1)) {
                multipliers[entry.charAt(0)] = Double.parseDouble(entry.substring(2));
            }
            return multipliers;
        }
    }
}
