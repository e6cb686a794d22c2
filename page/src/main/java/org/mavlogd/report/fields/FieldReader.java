package org.mavlogd.report.fields;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mavlogd.report.fields.Expression.Function;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.TopicLayout;

/** Reads the value of an {@link Expression} from samples of one layout. Hot path: allocates nothing. */
abstract class FieldReader {
    private static final int QUATERNION = 4;

    /** An element of a column; {@code factor} converts its value to its unit. */
    private record Element(Column column, int index, double factor) {
        double of(SampleView sample) {
            return sample.number(column, index) * factor;
        }
    }

    abstract double read(SampleView sample);

    /** The reader of an expression; empty if the layout lacks one of its fields. */
    static Optional<FieldReader> of(Expression expression, TopicLayout layout, FieldFactors factors) {
        if (expression.function() == Function.INTERVAL) {
            return Optional.of(new Interval());
        }
        List<Element> elements = new ArrayList<>();
        for (String path : expression.fields()) {
            int before = elements.size();
            add(elements, layout, path, factors.of(expression.topic(), path));
            if (elements.size() == before) {
                return Optional.empty();
            }
        }
        return elements.isEmpty() ? Optional.empty() : of(expression, elements.toArray(Element[]::new));
    }

    private static Optional<FieldReader> of(Expression expression, Element[] elements) {
        double factor = expression.factor();
        return switch (expression.function()) {
            case VALUE -> Optional.of(new Value(elements[0], factor));
            case NORM -> Optional.of(new Norm(elements, factor));
            case RATIO -> Optional.of(new Ratio(elements, factor));
            case INTERVAL -> Optional.of(new Interval());
            case ROLL, PITCH, YAW, TILT ->
                elements.length == QUATERNION
                        ? Optional.of(new Angle(expression.function(), elements, factor))
                        : Optional.empty();
        };
    }

    /** Adds a field, the element of an array, or all elements of an array. */
    private static void add(List<Element> elements, TopicLayout layout, String path, double unit) {
        Optional<Column> whole = layout.column(path);
        if (whole.isPresent()) {
            Column column = whole.get();
            for (int i = 0; i < column.count() && elements.size() < 16; i++) {
                elements.add(new Element(column, i, unit));
            }
            return;
        }
        int bracket = path.endsWith("]") ? path.lastIndexOf('[') : -1;
        if (bracket > 0) {
            int index = Integer.parseInt(path.substring(bracket + 1, path.length() - 1));
            layout.column(path.substring(0, bracket))
                    .filter(column -> index < column.count())
                    .ifPresent(column -> elements.add(new Element(column, index, unit)));
        }
    }

    private static final class Value extends FieldReader {
        private final Element element;
        private final double factor;

        Value(Element element, double factor) {
            this.element = element;
            this.factor = factor;
        }

        @Override
        double read(SampleView sample) {
            return element.of(sample) * factor;
        }
    }

    private static final class Norm extends FieldReader {
        private final Element[] elements;
        private final double factor;

        Norm(Element[] elements, double factor) {
            this.elements = elements;
            this.factor = factor;
        }

        @Override
        double read(SampleView sample) {
            double sum = 0;
            for (Element element : elements) {
                double value = element.of(sample);
                sum += value * value;
            }
            return Math.sqrt(sum) * factor;
        }
    }

    private static final class Ratio extends FieldReader {
        private final Element[] elements;
        private final double factor;

        Ratio(Element[] elements, double factor) {
            this.elements = elements;
            this.factor = factor;
        }

        @Override
        double read(SampleView sample) {
            return elements[0].of(sample) / elements[1].of(sample) * factor;
        }
    }

    /** An angle of a quaternion w, x, y, z that rotates the body's axes to north, east, down. */
    private static final class Angle extends FieldReader {
        private final Function function;
        private final Element[] q;
        private final double factor;

        Angle(Function function, Element[] q, double factor) {
            this.function = function;
            this.q = q;
            this.factor = factor;
        }

        @Override
        double read(SampleView sample) {
            double w = q[0].of(sample);
            double x = q[1].of(sample);
            double y = q[2].of(sample);
            double z = q[3].of(sample);
            return factor
                    * switch (function) {
                        case ROLL -> Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y));
                        case PITCH -> Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x))));
                        case YAW -> Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
                        default -> 2 * Math.atan2(Math.hypot(x, y), Math.hypot(w, z));
                    };
        }
    }

    /** NaN for the first sample, and if time does not advance. */
    private static final class Interval extends FieldReader {
        private static final double MS = 1e-3;

        private long latestUs = Long.MIN_VALUE;

        @Override
        double read(SampleView sample) {
            long timeUs = sample.timestampUs();
            long before = latestUs;
            latestUs = timeUs;
            return before == Long.MIN_VALUE || timeUs <= before ? Double.NaN : (timeUs - before) * MS;
        }
    }
}
