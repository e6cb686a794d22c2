package org.mavlogd.report;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.mavlogd.report.tally.ColumnSeries;

/**
 * Writes the columns of a series: {@code t_us}, {@code min} and, if it differs, {@code max}. A gap is a point without a
 * value between its neighbours.
 */
final class ColumnJson {
    private static final int GAP = -1;

    private final ColumnSeries series;
    private final JsonGenerator json;
    // The columns in chronological order, with GAP between separate ones.
    private final int[] order;
    private int size;

    ColumnJson(ColumnSeries series, JsonGenerator json) {
        this.series = series;
        this.json = json;
        this.order = new int[2 * series.columns()];
        long gapUs = series.gapUs();
        int[] sorted = IntStream.range(0, series.columns())
                .boxed()
                .sorted(Comparator.comparingLong(series::timeUs))
                .mapToInt(Integer::intValue)
                .toArray();
        for (int column : sorted) {
            if (size > 0 && series.timeUs(column) - series.timeUs(order[size - 1]) > gapUs) {
                order[size++] = GAP;
            }
            order[size++] = column;
        }
    }

    void write() throws IOException {
        json.writeArrayFieldStart("t_us");
        for (int i = 0; i < size; i++) {
            json.writeNumber(order[i] == GAP ? middleUs(i) : series.timeUs(order[i]));
        }
        json.writeEndArray();
        json.writeArrayFieldStart("min");
        for (int i = 0; i < size; i++) {
            value(order[i], order[i] == GAP ? 0 : series.least(order[i]));
        }
        json.writeEndArray();
        boolean hasRange = Arrays.stream(order, 0, size)
                .anyMatch(column -> column != GAP && series.least(column) != series.most(column));
        if (hasRange) {
            json.writeArrayFieldStart("max");
            for (int i = 0; i < size; i++) {
                value(order[i], order[i] == GAP ? 0 : series.most(order[i]));
            }
            json.writeEndArray();
        }
    }

    private long middleUs(int gap) {
        long from = series.timeUs(order[gap - 1]);
        return from + (series.timeUs(order[gap + 1]) - from) / 2;
    }

    private void value(int column, double value) throws IOException {
        if (column == GAP) {
            json.writeNull();
        } else {
            json.writeNumber(Numbers.plotted(value));
        }
    }
}
