package org.mavlogd.report.fields;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A value read from the samples of a topic: {@code TOPIC[:INSTANCE].FIELD[,FIELD...]}, optionally with a function and a
 * factor.
 *
 * <pre>
 * vehicle_local_position.vx                 a field of instance 0
 * battery_status:*.voltage_v                of each instance
 * norm(vehicle_local_position.vx,vy) * 3.6  a function of several fields, and a factor
 * roll(vehicle_attitude.q) deg              radians as degrees
 * interval(sensor_combined)                 milliseconds since the sample before
 * </pre>
 *
 * @param instance {@link #EVERY_INSTANCE} or a number
 * @param fields paths; elements of arrays by their index, as in {@code xyz[0]}
 */
public record Expression(Function function, String topic, int instance, List<String> fields, double factor) {
    public static final int EVERY_INSTANCE = -1;

    private static final Pattern FORM = Pattern.compile(
            "(?:(\\w+)\\()?(\\w+)(?::(\\d+|\\*))?(?:\\.([^\\s()]+))?\\)?(?: \\* (-?[0-9.eE+-]+)| (deg))?");

    /** The function of the fields. */
    public enum Function {
        VALUE,
        /** Angles of a quaternion w, x, y, z in radians; tilt is that from the vertical. */
        ROLL,
        PITCH,
        YAW,
        TILT,
        /** The length of a vector. */
        NORM,
        /** The first field divided by the second. */
        RATIO,
        /** Milliseconds since the previous sample. */
        INTERVAL
    }

    public Expression {
        fields = List.copyOf(fields);
    }

    /** Parses an expression; throws IllegalArgumentException if it is invalid. */
    public static Expression parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw new IllegalArgumentException("no expression: \"" + text + "\"");
        }
        Function function = form.group(1) == null
                ? Function.VALUE
                : Function.valueOf(form.group(1).toUpperCase(Locale.ROOT));
        String instance = form.group(3);
        return new Expression(
                function,
                form.group(2),
                instance == null ? 0 : instance.equals("*") ? EVERY_INSTANCE : Integer.parseInt(instance),
                form.group(4) == null ? List.of() : List.of(form.group(4).split(",", -1)),
                form.group(5) != null
                        ? Double.parseDouble(form.group(5))
                        : form.group(6) != null ? Math.toDegrees(1) : 1);
    }

    public boolean includes(int multiId) {
        return instance == EVERY_INSTANCE || instance == multiId;
    }

    /** The topic and the fields in the form that people search for: {@code TOPIC[.INSTANCE].FIELD}. */
    public String field(int multiId) {
        return topic + (multiId == 0 ? "" : "." + multiId) + (fields.isEmpty() ? "" : "." + String.join(",", fields));
    }
}
