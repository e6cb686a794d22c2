package org.mavlogd.survey;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.mavlogd.text.Words;

/** Sections of topics with their counts, in common columns as narrow as their words, for terminals of 80 columns. */
final class TopicTable {
    private static final int NAME_WIDTH = 43;
    private static final int COLUMNS = 5;
    private static final String GAP = "  ";

    private final long logBytes;
    private final int shown;
    private final List<Section> sections = new ArrayList<>();

    /** The head and rows of cells, and how many topics are not among them. */
    private record Section(List<List<String>> rows, int left) {}

    /**
     * A table without sections.
     *
     * @param logBytes size of the log, of which topics have a share
     * @param shown maximum topics of a section
     */
    TopicTable(long logBytes, int shown) {
        this.logBytes = logBytes;
        this.shown = shown;
    }

    /** Adds a section, unless there are no topics. */
    void add(String title, List<TopicTally> topics) {
        if (topics.isEmpty()) {
            return;
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(title, "Messages", "Rate", "Size", "Share"));
        topics.stream().limit(shown).forEach(topic -> rows.add(row(topic)));
        sections.add(new Section(rows, Math.max(0, topics.size() - shown)));
    }

    private List<String> row(TopicTally topic) {
        String instance = topic.multiId() == 0 ? "" : ":" + topic.multiId();
        return List.of(
                Words.line(topic.name(), NAME_WIDTH - instance.length()) + instance,
                Words.number(topic.messages()),
                topic.rateHz() == 0 ? "-" : String.format(Locale.US, "%.1f Hz", topic.rateHz()),
                // One fixed unit, for a column of numbers.
                String.format(Locale.US, "%,.1f KB", topic.bytes() / 1e3),
                String.format(Locale.US, "%.1f %%", 100.0 * topic.bytes() / logBytes));
    }

    /** All lines; an empty one precedes each section. */
    List<String> lines() {
        int[] widths = widths();
        List<String> lines = new ArrayList<>();
        for (Section section : sections) {
            lines.add("");
            section.rows.forEach(row -> lines.add(line(row, widths)));
            if (section.left > 0) {
                lines.add(GAP + "and " + Words.count(section.left, "smaller topic") + "; --all-topics lists them");
            }
        }
        return lines;
    }

    private int[] widths() {
        int[] widths = new int[COLUMNS];
        for (Section section : sections) {
            for (List<String> row : section.rows) {
                for (int i = 0; i < COLUMNS; i++) {
                    widths[i] = Math.max(widths[i], row.get(i).length());
                }
            }
        }
        return widths;
    }

    /** The name to the left, numbers to the right. */
    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < COLUMNS; i++) {
            String blanks = " ".repeat(widths[i] - row.get(i).length());
            line.append(GAP).append(i == 0 ? row.get(i) + blanks : blanks + row.get(i));
        }
        return line.toString();
    }
}
