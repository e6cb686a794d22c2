package org.mavlogd.logtools;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.TopicLayout;

/**
 * One table in the making: the rows of one topic instance. The file is open only while gathered rows are written, so
 * that any number of tables can be written at once.
 */
final class CsvTable {
    private static final int BUFFER_BYTES = 8 * 1024;

    private final List<Column> columns;
    private final boolean hasTimestamp;
    private final OutputFile file;
    private final CsvText row;
    private final ByteBuffer gathered = ByteBuffer.allocate(BUFFER_BYTES);
    private long rows;

    /** @param row to build rows in; shared by all tables */
    CsvTable(TopicLayout layout, OutputFile file, CsvText row) {
        this.hasTimestamp = layout.timestamp().isPresent();
        this.columns = layout.columns().stream()
                .filter(column -> !layout.timestamp().filter(column::equals).isPresent())
                .toList();
        this.file = file;
        this.row = row;
    }

    /** Creates the file with the row of names. */
    void begin() throws IOException {
        try {
            Files.createFile(file.temporary());
        } catch (IOException e) {
            throw file.failed(e);
        }
        row.clear();
        if (hasTimestamp) {
            row.text("timestamp");
        }
        for (Column column : columns) {
            header(column);
        }
        endRow();
    }

    void add(SampleView sample) throws IOException {
        row.clear();
        if (hasTimestamp) {
            row.unsigned(sample.timestampUs());
        }
        for (Column column : columns) {
            cells(sample, column);
        }
        endRow();
        rows++;
    }

    void flush() throws IOException {
        if (gathered.position() > 0) {
            write(gathered.flip());
            gathered.clear();
        }
    }

    OutputFile file() {
        return file;
    }

    long rows() {
        return rows;
    }

    private void header(Column column) {
        if (!column.isArray() || column.type() == FieldType.CHAR) {
            row.text(column.path());
            return;
        }
        for (int i = 0; i < column.count(); i++) {
            row.text(column.path() + "[" + i + "]");
        }
    }

    private void cells(SampleView sample, Column column) {
        if (column.type() == FieldType.CHAR) {
            row.text(column.count() == 0 ? "" : sample.text(column));
            return;
        }
        for (int i = 0; i < column.count(); i++) {
            switch (column.type()) {
                case FLOAT -> row.number(sample.float32(column, i));
                case DOUBLE -> row.number(sample.number(column, i));
                case UINT64 -> row.unsigned(sample.integer(column, i));
                default -> row.integer(sample.integer(column, i));
            }
        }
    }

    private void endRow() throws IOException {
        row.endRow();
        if (row.length() > gathered.remaining()) {
            flush();
        }
        if (row.length() > gathered.remaining()) {
            write(ByteBuffer.wrap(row.bytes(), 0, row.length()));
        } else {
            gathered.put(row.bytes(), 0, row.length());
        }
    }

    private void write(ByteBuffer bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file.temporary(), StandardOpenOption.APPEND)) {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            throw file.failed(e);
        }
    }
}
