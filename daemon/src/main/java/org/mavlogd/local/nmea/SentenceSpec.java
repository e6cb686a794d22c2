package org.mavlogd.local.nmea;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.local.TopicBuilder;
import org.mavlogd.ulog.FieldType;

/**
 * A kind of sentence: the fields of its topic, and their places in the sentence. Immutable once built. Each topic ends
 * with the talker's two letters.
 */
final class SentenceSpec {
    private static final int NO_FIELD = 0;

    private final String kind;
    private final TopicBuilder topic;
    private final List<Reading> readings;
    private final int keyField;

    /** Copies one value, or an array, from the sentence into the sample. */
    @FunctionalInterface
    interface Reading {
        void put(Sentence sentence, LocalSample sample);
    }

    private SentenceSpec(Builder builder) {
        this.kind = builder.kind;
        this.topic = builder.topic.text(2, "talker");
        this.readings = List.copyOf(builder.readings);
        this.keyField = builder.keyField;
    }

    static Builder of(String kind) {
        return new Builder(kind);
    }

    String kind() {
        return kind;
    }

    TopicBuilder topic() {
        return topic;
    }

    /** A key that is equal for sentences of the same instance. */
    long key(Sentence sentence) {
        long talker = sentence.talkerKey();
        return keyField == NO_FIELD ? talker : sentence.keyWith(talker, keyField);
    }

    /** Fills a sample. */
    void fill(Sentence sentence, LocalSample sample) {
        for (int i = 0; i < readings.size(); i++) {
            readings.get(i).put(sentence, sample);
        }
        sample.integer(sentence.talker(0)).integer(sentence.talker(1));
    }

    /** Adds fields in the order of the topic. Numbers are those of the sentence's fields, from 1. */
    static final class Builder {
        private final String kind;
        private final TopicBuilder topic;
        private final List<Reading> readings = new ArrayList<>();
        private int keyField = NO_FIELD;

        private Builder(String kind) {
            this.kind = kind;
            this.topic = TopicBuilder.of("nmea_" + kind.toLowerCase(Locale.ROOT));
        }

        private Builder add(FieldType type, String name, String unit, Reading reading) {
            topic.field(type, name, unit);
            readings.add(reading);
            return this;
        }

        /** A number times a factor. */
        Builder number(String name, String unit, int field, double factor) {
            return add(FieldType.FLOAT, name, unit, (s, out) -> out.float32((float) (s.number(field) * factor)));
        }

        /** The first of several numbers that is not empty, each with its own factor. */
        Builder firstNumber(String name, String unit, int[] fields, double[] factors) {
            return add(FieldType.FLOAT, name, unit, (s, out) -> out.float32((float) first(s, fields, factors)));
        }

        private static double first(Sentence sentence, int[] fields, double[] factors) {
            for (int i = 0; i < fields.length; i++) {
                if (!sentence.isEmpty(fields[i])) {
                    return sentence.number(fields[i]) * factors[i];
                }
            }
            return Double.NaN;
        }

        /** A number whose sign is E or W in the next field. */
        Builder eastWest(String name, int field) {
            return add(FieldType.FLOAT, name, "deg", (s, out) -> out.float32((float) s.signed(field, 'E', 'W')));
        }

        /** Latitude in this field and the next, longitude in the following two. */
        Builder position(int field) {
            add(FieldType.DOUBLE, "latitude", "deg", (s, out) -> out.float64(s.angle(field, 'N', 'S', 90)));
            return add(
                    FieldType.DOUBLE, "longitude", "deg", (s, out) -> out.float64(s.angle(field + 2, 'E', 'W', 180)));
        }

        /** Seconds since midnight. */
        Builder timeOfDay(int field) {
            return add(FieldType.DOUBLE, "utc_of_day", "s", (s, out) -> out.float64(s.timeOfDay(field)));
        }

        Builder custom(FieldType type, String name, String unit, Reading reading) {
            return add(type, name, unit, reading);
        }

        Builder array(FieldType type, int length, String name, Reading reading) {
            topic.array(type, length, name, "");
            readings.add(reading);
            return this;
        }

        /** A letter, unchanged. */
        Builder letter(String name, int field) {
            return add(FieldType.CHAR, name, "", (s, out) -> out.integer(s.letter(field)));
        }

        /** Whether a letter is in the field. */
        Builder flag(String name, int field, char letter) {
            return add(FieldType.BOOL, name, "", (s, out) -> out.bool(s.letter(field) == letter));
        }

        /** A small integer; 0 if empty. */
        Builder count(FieldType type, String name, int field) {
            int max = (1 << (type.length() * Byte.SIZE)) - 1; // of uint8_t and uint16_t
            return add(type, name, "", (s, out) -> out.integer(s.count(field, max)));
        }

        /** Sentences that differ in this field are different instances. */
        Builder keyedBy(int field) {
            keyField = field;
            return this;
        }

        SentenceSpec build() {
            return new SentenceSpec(this);
        }
    }
}
