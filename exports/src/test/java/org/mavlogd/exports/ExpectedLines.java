package org.mavlogd.exports;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.LoggedText;
import org.mavlogd.ulog.Parameter;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogReader;

/** The contents of a log, in the form in which the script with the independent readers prints its export. */
final class ExpectedLines implements ULogHandler {
    final List<String> lines = new ArrayList<>();
    final List<String> infoNames = new ArrayList<>();
    private final long offsetUs;
    private long lastUs;

    private ExpectedLines(long offsetUs) {
        this.offsetUs = offsetUs;
    }

    static ExpectedLines of(byte[] log, long offsetUs) throws IOException {
        ExpectedLines expected = new ExpectedLines(offsetUs);
        ULogReader reader = new ULogReader(expected);
        reader.feed(log, 0, log.length);
        reader.finish();
        return expected;
    }

    @Override
    public void onStart(int version, long startUs) {
        lastUs = startUs;
    }

    @Override
    public void onInfo(KeyedValue info) {
        if (info.isText() || !info.key().isArray()) {
            infoNames.add(info.name());
        }
    }

    @Override
    public void onParameter(Parameter parameter, boolean change) {
        parameter(parameter, 0);
    }

    @Override
    public void onDefaultParameter(Parameter parameter, int defaultTypes) {
        parameter(parameter, defaultTypes);
    }

    private void parameter(Parameter parameter, int defaultTypes) {
        lines.add("parameters " + nanos(lastUs) + " name=" + json(parameter.name()) + " value="
                + bits(parameter.value()) + " default=" + bits(defaultTypes == 0 ? 0 : 1) + " default_types="
                + bits(defaultTypes) + " type=" + json(parameter.type().text()) + " timestamp=" + lastUs);
    }

    @Override
    public void onDropout(int durationMs) {
        lines.add("dropout " + nanos(lastUs) + " timestamp=" + lastUs + " duration_ms=" + bits(durationMs));
    }

    @Override
    public void onLoggedText(LoggedText text) {
        long timeNs = nanos(text.timestampUs());
        lines.add("log_message " + timeNs + " timestamp=" + Long.toUnsignedString(text.timestampUs()) + " severity="
                + bits(text.level().code() - '0') + " text=" + json(text.text()) + " tag="
                + bits(text.isTagged() ? text.tag() : 0));
        lines.add("log " + timeNs + " timestamp.seconds=" + timeNs / 1_000_000_000 + " timestamp.nanos="
                + bits((double) (timeNs % 1_000_000_000)) + " level=" + bits(level(text.level())) + " message="
                + json(text.text()) + " name=" + json(text.isTagged() ? "tag " + text.tag() : "") + " file=\"\" line="
                + bits(0));
    }

    private static int level(LogLevel level) {
        return switch (level) {
            case EMERGENCY, ALERT -> 5;
            case CRITICAL, ERROR -> 4;
            case WARNING -> 3;
            case NOTICE, INFO -> 2;
            case DEBUG -> 1;
        };
    }

    @Override
    public void onSample(SampleView sample) {
        lastUs = sample.timestampUs() == 0 ? lastUs : sample.timestampUs();
        StringBuilder line = new StringBuilder(sample.topic().name())
                .append('/')
                .append(sample.topic().multiId())
                .append(' ')
                .append(nanos(lastUs));
        for (Column column : sample.topic().layout().orElseThrow().columns()) {
            if (column.type() == FieldType.CHAR) {
                line.append(' ').append(column.path()).append('=').append(json(sample.text(column)));
                continue;
            }
            for (int i = 0; i < column.count(); i++) {
                line.append(' ').append(column.path());
                line.append(column.isArray() ? "[" + i + "]" : "").append('=');
                line.append(value(sample, column, i));
            }
        }
        lines.add(line.toString());
    }

    private static String value(SampleView sample, Column column, int index) {
        return switch (column.type()) {
            case UINT64 -> Long.toUnsignedString(sample.integer(column, index));
            case INT64 -> Long.toString(sample.integer(column, index));
            case BOOL -> bits(sample.integer(column, index) == 0 ? 0 : 1);
            default -> bits(sample.number(column, index));
        };
    }

    private long nanos(long timestampUs) {
        return (timestampUs + offsetUs) * 1000;
    }

    private static String bits(double value) {
        return Double.isNaN(value) ? "NaN" : Long.toHexString(Double.doubleToRawLongBits(value));
    }

    static String json(String text) {
        StringBuilder json = new StringBuilder("\"");
        text.chars().forEach(c -> {
            switch (c) {
                case '"' -> json.append("\\\"");
                case '\\' -> json.append("\\\\");
                case '\n' -> json.append("\\n");
                case '\r' -> json.append("\\r");
                case '\t' -> json.append("\\t");
                case '\b' -> json.append("\\b");
                case '\f' -> json.append("\\f");
                default -> json.append(c < ' ' ? String.format("\\u%04x", c) : Character.toString(c));
            }
        });
        return json.append('"').toString();
    }
}
