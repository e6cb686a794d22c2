package org.mavlogd.local.publish;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.local.Outlet;

/**
 * Delays answers until the recorder has taken the samples, because only then it is known whether a log has them. If too
 * many answers wait, or while the recorder takes nothing because a log is about to start, the answer is that the sample
 * is waiting. Owned by the source's thread.
 */
final class PendingAnswers {
    /** A sender with more waiting answers is answered at once. */
    static final int MAX_QUESTIONS = 256;

    /** How many published lines of a datagram an id at its end covers; later ones count as recorded. */
    static final int MAX_LINES = 256;

    /** In place of a topic: the ring was full. */
    static final int NO_ROOM = -1;

    static final long PATIENCE_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Outlet outlet;
    private final PublishedTopics topics;
    private final Answers answers;
    private final ArrayDeque<Question> questions = new ArrayDeque<>();
    private final int[] indexes = new int[MAX_LINES];
    private final int[] numbers = new int[MAX_LINES];
    private int lines;

    /**
     * A waiting answer.
     *
     * @param number of its line
     * @param indexes of the topics in question, {@link LocalFeed#TEXTS} for log messages
     * @param numbers of the lines with them
     * @param isWhole whether the line with the id is itself the one in question, so that it has one answer
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared, and never changed once it is made
    private record Question(
            Answers.Sender sender,
            int number,
            long id,
            int[] indexes,
            int[] numbers,
            boolean isWhole,
            long position,
            long deadlineNs) {}

    PendingAnswers(Outlet outlet, PublishedTopics topics, Answers answers) {
        this.outlet = outlet;
        this.topics = topics;
        this.answers = answers;
    }

    boolean isEmpty() {
        return questions.isEmpty();
    }

    /** Begins a datagram. */
    void beginDatagram() {
        lines = 0;
    }

    /** A line without an id published a sample or message. Hot path. */
    void published(int topic, int number) {
        if (lines < MAX_LINES) {
            indexes[lines] = topic;
            numbers[lines] = number;
            lines++;
        }
    }

    /** A line with an id published a sample or message. */
    void askLine(Answers.Sender sender, int number, long id, int topic, long nowNs) {
        ask(new Question(
                sender,
                number,
                id,
                new int[] {topic},
                new int[] {number},
                true,
                outlet.position(),
                nowNs + PATIENCE_NS));
    }

    /** A line asks about all lines before it in its datagram. */
    void askAll(Answers.Sender sender, int number, long id, long nowNs) {
        ask(new Question(
                sender,
                number,
                id,
                Arrays.copyOf(indexes, lines),
                Arrays.copyOf(numbers, lines),
                false,
                outlet.position(),
                nowNs + PATIENCE_NS));
        lines = 0;
    }

    private void ask(Question question) {
        questions.addLast(question);
        if (questions.size() > MAX_QUESTIONS) {
            answer(questions.removeFirst(), question.deadlineNs() - PATIENCE_NS);
        }
        answerDue(question.deadlineNs() - PATIENCE_NS);
    }

    /** Sends answers that are known, or have waited too long. */
    void answerDue(long nowNs) {
        while (!questions.isEmpty() && isDue(questions.getFirst(), nowNs)) {
            answer(questions.removeFirst(), nowNs);
        }
    }

    private boolean isDue(Question question, long nowNs) {
        return outlet.isTaken(question.position()) || nowNs - question.deadlineNs() >= 0;
    }

    private void answer(Question question, long nowNs) {
        boolean isTaken = outlet.isTaken(question.position());
        boolean isLost = isTaken && reportLosses(question, nowNs);
        if (!isLost || !question.isWhole()) {
            answers.taken(question.sender(), question.number(), question.id(), !isTaken, nowNs);
        }
    }

    /** Sends an answer for each topic that is in no log; returns whether there was any. */
    private boolean reportLosses(Question question, long nowNs) {
        boolean any = false;
        for (int i = 0; i < question.indexes().length; i++) {
            if (isFirst(question.indexes(), i)) {
                any |= reportLoss(question, question.indexes()[i], question.numbers()[i], nowNs);
            }
        }
        return any;
    }

    private boolean reportLoss(Question question, int topic, int number, long nowNs) {
        long id = question.isWhole() ? question.id() : Answers.NO_ID;
        if (topic == NO_ROOM) {
            answers.full(question.sender(), number, id, nowNs);
            return true;
        }
        String why = outlet.loss(topic);
        if (!why.isEmpty()) {
            answers.notRecorded(question.sender(), "line", number, topics.describe(topic), why, id, nowNs);
        }
        return !why.isEmpty();
    }

    private static boolean isFirst(int[] indexes, int at) {
        for (int i = 0; i < at; i++) {
            if (indexes[i] == indexes[at]) {
                return false;
            }
        }
        return true;
    }

    /** A sender is gone. */
    void forget(Answers.Sender sender) {
        questions.removeIf(question -> question.sender() == sender);
    }
}
