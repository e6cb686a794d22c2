package org.mavlogd.page;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.mavlogd.flight.FlightSummary;
import org.mavlogd.logtools.LogMessages;
import org.mavlogd.logtools.LogMessages.Kind;
import org.mavlogd.logtools.LogMessages.Message;
import org.mavlogd.series.LogReading;
import org.mavlogd.series.SeriesStore;
import org.mavlogd.series.SeriesStore.Wanted;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.LoggedText;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.ULogHandler;

/** The messages, modes and armed times of a log. Continues when the log has grown. */
final class Story {
    /** Maximum messages of an answer. */
    static final int MAX_ANSWER = 5000;

    private static final int MAX_MESSAGES = 50_000;
    private static final int MAX_CHARACTERS = 4 << 20;
    private static final int MAX_TEXT = 1000;

    private final FlightSummary flight = new FlightSummary();
    private final LogMessages messages = new LogMessages(LogMessages.Filter.NONE, this::take);
    private final List<Message> taken = new ArrayList<>();
    private final LogReading reading;
    private int characters;
    private boolean isFull;
    private boolean isWhole;

    Story(Path log) throws IOException {
        reading = new LogReading(log, new Listener(messages.handler()));
    }

    boolean isOf(Path log) throws IOException {
        return reading.isOf(log);
    }

    void extend(SeriesStore.Source log, Wanted wanted) throws IOException {
        reading.extend(log.file(), log.isGrowing(), wanted::check);
        if (log.isGrowing()) {
            messages.deliverSettled();
        } else if (!isWhole) {
            messages.finish();
            isWhole = true;
        }
    }

    private void take(Message message, LogMessages log) {
        String text = message.text().stripTrailing();
        text = text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) : text;
        if (taken.size() == MAX_MESSAGES || characters + text.length() > MAX_CHARACTERS) {
            isFull = true;
            return;
        }
        characters += text.length();
        taken.add(new Message(message.timestampUs(), message.level(), message.kind(), message.tag(), text));
    }

    /** Writes the messages of a time range with at least this severity. */
    void writeMessages(JsonGenerator json, long fromUs, long toUs, LogLevel level) throws IOException {
        int written = 0;
        boolean isCut = isFull;
        json.writeArrayFieldStart("messages");
        for (Message message : taken) {
            boolean isMeant = message.timestampUs() >= fromUs
                    && message.timestampUs() <= toUs
                    && message.level().compareTo(level) <= 0;
            isCut |= isMeant && written >= MAX_ANSWER;
            if (isMeant && written < MAX_ANSWER) {
                write(json, message);
                written++;
            }
        }
        json.writeEndArray();
        if (isCut) {
            json.writeBooleanField("more", true);
        }
    }

    private void write(JsonGenerator json, Message message) throws IOException {
        json.writeStartObject();
        json.writeNumberField("t_us", message.timestampUs());
        json.writeStringField(
                "utc",
                messages.utcAt(message.timestampUs()).map(Instant::toString).orElse(null));
        json.writeStringField("level", message.level().name().toLowerCase(Locale.ROOT));
        json.writeStringField("kind", message.kind().text());
        if (message.kind() == Kind.TAGGED) {
            Optional<String> tag = messages.tagName(message.tag());
            json.writeStringField("tag", tag.orElse(Integer.toString(message.tag())));
        }
        json.writeStringField("message", message.text());
        json.writeEndObject();
    }

    void writeModes(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("armed");
        for (FlightSummary.Interval armed : flight.armed()) {
            json.writeStartArray();
            json.writeNumber(armed.fromUs());
            json.writeNumber(armed.toUs());
            json.writeEndArray();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("modes");
        for (FlightSummary.Interval mode : flight.modes()) {
            json.writeStartObject();
            json.writeNumberField("from_us", mode.fromUs());
            json.writeNumberField("to_us", mode.toUs());
            json.writeStringField("mode", mode.name());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private final class Listener implements ULogHandler {
        private final ULogHandler toMessages;

        Listener(ULogHandler toMessages) {
            this.toMessages = toMessages;
        }

        @Override
        public void onStart(int version, long startUs) throws IOException {
            toMessages.onStart(version, startUs);
        }

        @Override
        public void onInfo(KeyedValue info) throws IOException {
            flight.onInfo(info);
            toMessages.onInfo(info);
        }

        @Override
        public void onMultiInfo(KeyedValue info, boolean continued) throws IOException {
            toMessages.onMultiInfo(info, continued);
        }

        @Override
        public void onTopic(Topic topic) throws IOException {
            flight.onTopic(topic);
            toMessages.onTopic(topic);
        }

        @Override
        public void onSample(SampleView sample) throws IOException {
            flight.onSample(sample);
            toMessages.onSample(sample);
        }

        @Override
        public void onLoggedText(LoggedText text) throws IOException {
            toMessages.onLoggedText(text);
        }
    }
}
