package org.mavlogd.local.publish;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.mavlogd.peer.Peer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers programs about their lines, with one line of JSON in one datagram, and logs the first bad line of each
 * minute. Owned by one thread.
 */
final class Answers {
    private static final Logger LOG = LoggerFactory.getLogger(PublishSource.class);
    private static final long LOG_NS = TimeUnit.MINUTES.toNanos(1);
    private static final int MAX_ERROR = 1500; // an answer fits into the smallest datagram that any link takes

    /** Loaded with the first answer. */
    private static final class Json {
        static final JsonFactory FACTORY = new JsonFactory();
    }

    /** The id of a line without id. */
    static final long NO_ID = -1;

    private final String source;
    private final PublishCounters counters;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean hasLogged;
    private long loggedNs;
    private long unloggedLines;

    Answers(String source, PublishCounters counters) {
        this.source = source;
        this.counters = counters;
    }

    /** The fields of an answer. */
    private interface Content {
        void write(JsonGenerator json) throws IOException;
    }

    /** Rejects a line: counts it, logs it at most once a minute, and answers if the sender can be answered. */
    void bad(Sender sender, String place, int number, LineReader line, BadLineException bad, long nowNs) {
        counters.bad(bad.fault()).increment();
        log(sender, place + " " + number, bad.text(), nowNs);
        send(sender, nowNs, json -> {
            json.writeStringField("error", shorten(bad.text()));
            json.writeNumberField(place, number);
            id(json, line);
        });
    }

    /** Answers a good line that found the ring full, which the caller counts. */
    void full(Sender sender, int number, long id, long nowNs) {
        send(sender, nowNs, json -> {
            json.writeStringField("error", "lost: the ring is full, because more is published than can be recorded");
            json.writeNumberField("line", number);
            id(json, id);
        });
    }

    /** Answers a datagram that was truncated. */
    void cut(Sender sender, int most, long nowNs) {
        String text = "the datagram was cut; it must have less than " + most + " bytes";
        log(sender, "the end of a datagram", text, nowNs);
        send(sender, nowNs, json -> json.writeStringField("error", text));
    }

    /** Answers a line with an id; {@code isWaiting} if the recorder has not taken it from the queue yet. */
    void taken(Sender sender, int number, long id, boolean isWaiting, long nowNs) {
        send(sender, nowNs, json -> {
            json.writeBooleanField("ok", true);
            json.writeNumberField("line", number);
            json.writeNumberField("id", id);
            if (isWaiting) {
                json.writeBooleanField("waiting", true);
            }
        });
    }

    /**
     * Answers a sample or message that was taken, but is in no log.
     *
     * @param place "line" or "sample"
     * @param what name of its topic, or that it is a text
     * @param id {@link #NO_ID} for none
     */
    void notRecorded(Sender sender, String place, int number, String what, String why, long id, long nowNs) {
        counters.notRecorded().increment();
        send(sender, nowNs, json -> {
            json.writeStringField("error", what + " is not recorded: " + why);
            json.writeNumberField(place, number);
            id(json, id);
            json.writeBooleanField("recorded", false);
        });
    }

    void defined(Sender sender, int number, LineReader line, long nowNs) {
        PublishedTopic topic = line.topic();
        send(sender, nowNs, json -> {
            json.writeBooleanField("ok", true);
            json.writeNumberField("line", number);
            id(json, line);
            json.writeStringField("define", topic.name());
            json.writeNumberField("handle", Integer.toUnsignedLong(topic.handle()));
            json.writeNumberField("bytes", topic.values().length);
        });
    }

    private static void id(JsonGenerator json, LineReader line) throws IOException {
        id(json, line.hasId() ? line.id() : NO_ID);
    }

    private static void id(JsonGenerator json, long id) throws IOException {
        if (id != NO_ID) {
            json.writeNumberField("id", id);
        }
    }

    private static String shorten(String error) {
        return error.length() <= MAX_ERROR ? error : error.substring(0, MAX_ERROR) + "...";
    }

    private void send(Sender sender, long nowNs, Content content) {
        if (!sender.peer().isReachable()) {
            return;
        }
        if (!sender.takeAnswer(nowNs)) {
            counters.unanswered().increment();
            return;
        }
        bytes.reset();
        try (JsonGenerator json = Json.FACTORY.createGenerator(bytes)) {
            json.writeStartObject();
            content.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory", e);
        }
        bytes.write('\n');
        counters.answers().increment();
        sender.peer().send(bytes.toByteArray(), 0, bytes.size());
    }

    private void log(Sender sender, String place, String error, long nowNs) {
        if (hasLogged && nowNs - loggedNs < LOG_NS) {
            unloggedLines++;
            return;
        }
        String more = unloggedLines == 0 ? "" : " (" + unloggedLines + " more since the last report)";
        LOG.warn("{}: {} of {} was rejected: {}{}", source, place, sender.peer().address(), shorten(error), more);
        hasLogged = true;
        loggedNs = nowNs;
        unloggedLines = 0;
    }

    /** A program that sends, with a limit for answers: a burst, and then a number per second. Owned by one thread. */
    static final class Sender {
        static final int BURST = 200;

        private static final long PER_ANSWER_NS = TimeUnit.SECONDS.toNanos(1) / 200;

        private final Peer peer;
        private long freeAtNs;

        Sender(Peer peer, long nowNs) {
            this.peer = peer;
            this.freeAtNs = nowNs - BURST * PER_ANSWER_NS;
        }

        Peer peer() {
            return peer;
        }

        /** Counts an answer; false if there were too many lately. */
        boolean takeAnswer(long nowNs) {
            long earliest = nowNs - BURST * PER_ANSWER_NS;
            long next = freeAtNs - earliest < 0 ? earliest : freeAtNs;
            if (nowNs - next < PER_ANSWER_NS) {
                return false;
            }
            freeAtNs = next + PER_ANSWER_NS;
            return true;
        }
    }
}
