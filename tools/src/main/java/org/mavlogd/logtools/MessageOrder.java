package org.mavlogd.logtools;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.mavlogd.logtools.LogMessages.Kind;
import org.mavlogd.logtools.LogMessages.Message;

/**
 * Sorts the messages of a log by time, and drops logged messages that are also events. Messages wait until the end of
 * the log, up to {@value #MAX_WAITING} messages and {@value #MAX_CHARACTERS} characters; above that the older half is
 * passed on.
 *
 * <p>PX4 marks a text that it also sends as event with a tab at its end. Such a text is dropped only if there is an
 * event with one of its words within half a second: if the event was lost, the text remains.
 */
final class MessageOrder {
    /** Age of messages that no earlier ones can follow. */
    static final long SETTLED_US = 1_000_000;

    private static final int MAX_WAITING = 50_000;
    private static final int MAX_CHARACTERS = 4_000_000;
    private static final long SAME_US = 500_000;
    private static final int MAX_NEIGHBOURS = 100;
    private static final Pattern NO_WORD = Pattern.compile("[^a-z0-9]+");
    private static final int WORD_LENGTH = 4;

    /** A waiting message; {@code mayReplaceText} if it is an event that a text may repeat. */
    private static final class Waiting {
        private final Message message;
        private final boolean mayReplaceText;
        private boolean hasReplaced;
        private boolean isDropped;

        Waiting(Message message, boolean mayReplaceText) {
            this.message = message;
            this.mayReplaceText = mayReplaceText;
        }

        long timestampUs() {
            return message.timestampUs();
        }

        boolean isMarkedText() {
            return message.kind() == Kind.LOGGED && message.text().endsWith("\t");
        }
    }

    private final Consumer<Message> output;
    private final List<Waiting> waiting = new ArrayList<>();
    private long characters;

    MessageOrder(Consumer<Message> output) {
        this.output = output;
    }

    void add(Message message, boolean mayReplaceText) {
        waiting.add(new Waiting(message, mayReplaceText));
        characters += message.text().length();
        if (waiting.size() >= MAX_WAITING || characters >= MAX_CHARACTERS) {
            sort();
            deliverUntil(waiting.get(waiting.size() / 2).timestampUs());
        }
    }

    /** Passes on all messages up to and including a time. */
    void deliverUntil(long timestampUs) {
        sort();
        dropRepeated();
        int count = 0;
        while (count < waiting.size() && waiting.get(count).timestampUs() <= timestampUs) {
            Waiting next = waiting.get(count++);
            characters -= next.message.text().length();
            if (!next.isDropped) {
                output.accept(next.message);
            }
        }
        waiting.subList(0, count).clear();
    }

    private void sort() {
        waiting.sort(Comparator.comparingLong(Waiting::timestampUs));
    }

    private void dropRepeated() {
        for (int i = 0; i < waiting.size(); i++) {
            Waiting text = waiting.get(i);
            if (text.isMarkedText() && !text.isDropped) {
                text.isDropped = isReplaced(text, i, -1) || isReplaced(text, i, 1);
            }
        }
    }

    /** Whether an event on one side of a text replaces it. */
    private boolean isReplaced(Waiting text, int at, int step) {
        Set<String> words = words(text.message.text());
        for (int i = at + step; i >= 0 && i < waiting.size() && Math.abs(i - at) <= MAX_NEIGHBOURS; i += step) {
            Waiting event = waiting.get(i);
            if (Math.abs(event.timestampUs() - text.timestampUs()) > SAME_US) {
                return false;
            }
            boolean isFree = event.mayReplaceText && !event.hasReplaced;
            if (isFree && words(event.message.text()).stream().anyMatch(words::contains)) {
                event.hasReplaced = true;
                return true;
            }
        }
        return false;
    }

    private static Set<String> words(String text) {
        return NO_WORD.splitAsStream(text.toLowerCase(Locale.ROOT))
                .filter(word -> word.length() >= WORD_LENGTH)
                .collect(Collectors.toCollection(HashSet::new));
    }
}
