package org.mavlogd.tags;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Names of tags and their numbers, one to one. It always has the ten names of the specification's example; a
 * configuration can add names, and give those ten other numbers. Immutable.
 *
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog, "Tagged Logged String Message"</a>
 */
public final class TagMap {
    /** The info of a log that contains {@link #infoText}. */
    public static final String INFO = "recorder_tags";

    /** The largest number. */
    public static final int MAX_ID = 65_535;

    /** How many names a configuration may set. */
    public static final int MAX_SET = 64;

    /** The rule for names, for messages. */
    public static final String NAME_RULE = "1 to 32 letters, digits, \"_\" and \"-\" with a letter first";

    public static final String UNASSIGNED = "unassigned";
    public static final String MAVLINK_HANDLER = "mavlink_handler";
    public static final String PPK_HANDLER = "ppk_handler";
    public static final String CAMERA_HANDLER = "camera_handler";
    public static final String PTP_HANDLER = "ptp_handler";
    public static final String SERIAL_HANDLER = "serial_handler";
    public static final String WATCHDOG = "watchdog";
    public static final String IO_SERVICE = "io_service";
    public static final String CBUF = "cbuf";
    public static final String ULG = "ulg";

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,31}");
    private static final Pattern ENTRY = Pattern.compile("([0-9]{1,5})=([A-Za-z][A-Za-z0-9_-]{0,31})");

    /** The specification's ten names only. */
    public static final TagMap DEFAULT = of(Map.of());

    /** No names: for a log that contains none. */
    public static final TagMap NONE = new TagMap(Map.of());

    private final Map<String, Integer> ids;
    private final SortedMap<Integer, String> names = new TreeMap<>();

    private TagMap(Map<String, Integer> ids) {
        this.ids = Map.copyOf(ids);
        this.ids.forEach((name, id) -> names.put(id, name));
    }

    /**
     * The specification's names and those of the configuration.
     *
     * @throws IllegalArgumentException if there is a {@link #problem}
     */
    public static TagMap of(Map<String, Integer> set) {
        Optional<String> problem = problem(set);
        if (problem.isPresent()) {
            throw new IllegalArgumentException(problem.get());
        }
        return new TagMap(withDefaults(set));
    }

    /** Why these names and numbers cannot be set; empty if they can. */
    public static Optional<String> problem(Map<String, Integer> set) {
        if (set.size() > MAX_SET) {
            return Optional.of(set.size() + " names, allowed: up to " + MAX_SET);
        }
        Map<Integer, String> taken = new HashMap<>();
        for (Map.Entry<String, Integer> tag : new TreeMap<>(withDefaults(set)).entrySet()) {
            if (!isName(tag.getKey())) {
                return Optional.of("\"" + tag.getKey() + "\" is not a name, allowed: " + NAME_RULE);
            }
            int id = tag.getValue();
            if (id < 0 || id > MAX_ID) {
                return Optional.of(tag.getKey() + " = " + id + ", allowed: 0 to " + MAX_ID);
            }
            String other = taken.putIfAbsent(id, tag.getKey());
            if (other != null) {
                return Optional.of(other + " and " + tag.getKey() + " both have " + id);
            }
        }
        return Optional.empty();
    }

    /** Whether this is a valid name. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    private static Map<String, Integer> withDefaults(Map<String, Integer> set) {
        Map<String, Integer> all = new LinkedHashMap<>();
        all.put(UNASSIGNED, 0);
        all.put(MAVLINK_HANDLER, 1);
        all.put(PPK_HANDLER, 2);
        all.put(CAMERA_HANDLER, 3);
        all.put(PTP_HANDLER, 4);
        all.put(SERIAL_HANDLER, 5);
        all.put(WATCHDOG, 6);
        all.put(IO_SERVICE, 7);
        all.put(CBUF, 8);
        all.put(ULG, 9);
        all.putAll(set);
        return all;
    }

    /** Reads {@link #infoText} from a log that anyone may have made; skips invalid entries. */
    public static TagMap read(String infoText) {
        Map<String, Integer> ids = new LinkedHashMap<>();
        Map<Integer, String> taken = new HashMap<>();
        for (String part : infoText.split(",", 2 * MAX_SET)) {
            var entry = ENTRY.matcher(part);
            if (entry.matches()) {
                int id = Integer.parseInt(entry.group(1));
                String name = entry.group(2);
                if (id <= MAX_ID && !ids.containsKey(name) && taken.putIfAbsent(id, name) == null) {
                    ids.put(name, id);
                }
            }
        }
        return new TagMap(ids);
    }

    /** The number of a name. */
    public OptionalInt id(String name) {
        Integer id = ids.get(name);
        return id == null ? OptionalInt.empty() : OptionalInt.of(id);
    }

    /** The number of one of the specification's names, which every map has, except one that was {@link #read}. */
    public int defaultId(String name) {
        return id(name).orElseThrow(() -> new IllegalArgumentException("no tag \"" + name + '"'));
    }

    /** The name of a number. */
    public Optional<String> name(int id) {
        return Optional.ofNullable(names.get(id));
    }

    /** All names by number, ascending. */
    public SortedMap<Integer, String> names() {
        return new TreeMap<>(names);
    }

    /**
     * The text for the info of a log: {@code 0=unassigned,1=mavlink_handler,...} by ascending number; at most 3 KiB.
     */
    public String infoText() {
        StringJoiner text = new StringJoiner(",");
        names.forEach((id, name) -> text.add(id + "=" + name));
        return text.toString();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TagMap that && names.equals(that.names);
    }

    @Override
    public int hashCode() {
        return names.hashCode();
    }

    @Override
    public String toString() {
        return infoText();
    }
}
