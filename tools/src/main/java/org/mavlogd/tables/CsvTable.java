package org.mavlogd.tables;

import java.io.IOException;
import java.io.OutputStream;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.TopicLayout;

/** Builds the table of one topic instance; rows are buffered before they are written. */
final class CsvTable {
    private final SampleColumns columns;
    private final boolean hasTimestamp;
    private final CsvExport.Times times;
    private final long bootUtcUs;
    private final OutputStream output;
    private final CsvText row;
    private final byte[] gathered;
    private int length;
    private long rows;

    /**
     * @param bootUtcUs start of the vehicle's clock, for times in UTC
     * @param gathered buffer for rows
     * @param row for building rows; shared by all tables
     */
    CsvTable(
            TopicLayout layout,
            CsvExport.Times times,
            long bootUtcUs,
            OutputStream output,
            byte[] gathered,
            CsvText row) {
        this.hasTimestamp = layout.timestamp().isPresent();
        this.columns = new SampleColumns(SampleColumns.withoutTimestamp(layout));
        this.times = times;
        this.bootUtcUs = bootUtcUs;
        this.output = output;
        this.gathered = gathered;
        this.row = row;
    }

    /** Writes the header. */
    void begin() throws IOException {
        row.clear();
        if (hasTimestamp) {
            row.text(times.column());
        }
        columns.names().forEach(row::text);
        endRow();
    }

    void add(SampleView sample) throws IOException {
        row.clear();
        if (hasTimestamp) {
            switch (times) {
                case US -> row.unsigned(sample.timestampUs());
                case S -> row.seconds(sample.timestampUs());
                case UTC -> row.utc(bootUtcUs + sample.timestampUs());
            }
        }
        columns.cells(sample, row);
        endRow();
        rows++;
    }

    void flush() throws IOException {
        if (length > 0) {
            output.write(gathered, 0, length);
            length = 0;
        }
    }

    long rows() {
        return rows;
    }

    private void endRow() throws IOException {
        row.endRow();
        if (row.length() > gathered.length - length) {
            flush();
        }
        if (row.length() > gathered.length) {
            output.write(row.bytes(), 0, row.length());
        } else {
            System.arraycopy(row.bytes(), 0, gathered, length, row.length());
            length += row.length();
        }
    }
}
