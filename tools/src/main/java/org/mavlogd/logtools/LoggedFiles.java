package org.mavlogd.logtools;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mavlogd.dataflash.LoggedFile;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.TopicLayout;
import org.mavlogd.ulog.ULogException;
import org.mavlogd.ulog.ULogHandler;

/**
 * The files that an ArduPilot vehicle has put into its log, such as its scripts or the state of its ports: topic
 * {@code FILE}, in chunks.
 *
 * <p>A file that was logged several times is its last whole copy, or without any the last. At most {@value #MAX_FILES}
 * files of {@value #MAX_FILE_BYTES} bytes, together {@value #MAX_BYTES}; a log with more is refused with
 * {@link ULogException}.
 */
public final class LoggedFiles {
    static final int MAX_FILES = 1024;
    static final int MAX_FILE_BYTES = 4 << 20;
    static final long MAX_BYTES = 16L << 20;

    private final Map<String, FileCopies> files = new LinkedHashMap<>();
    private final byte[] chunk = new byte[FileCopies.CHUNK_BYTES];
    private long bytes;

    private LoggedFiles() {}

    /** Reads the files of a log. */
    public static LoggedFiles of(Path log, Progress progress) throws IOException {
        LoggedFiles logged = new LoggedFiles();
        LogSource.read(log, logged.new Collector(), progress);
        return logged;
    }

    /** In the order in which they came first. */
    public Collection<FileCopies> files() {
        return files.values();
    }

    /** The file of this name. */
    public Optional<FileCopies> file(String name) {
        return Optional.ofNullable(files.get(name));
    }

    private void onChunk(String name, long offset, int length) throws ULogException {
        FileCopies file = files.get(name);
        if (file == null) {
            if (files.size() == MAX_FILES) {
                throw new ULogException("more than " + MAX_FILES + " logged files");
            }
            file = new FileCopies(name);
            files.put(name, file);
        }
        if (offset + length > MAX_FILE_BYTES) {
            throw new ULogException("logged file \"" + name + "\" is larger than " + MAX_FILE_BYTES + " bytes");
        }
        bytes += file.add((int) offset, chunk, length);
        if (bytes > MAX_BYTES) {
            throw new ULogException("logged files of more than " + MAX_BYTES + " bytes");
        }
    }

    /** Finds the chunks among the samples. */
    private final class Collector implements ULogHandler {
        private @Nullable Topic topic;
        private @Nullable Chunk columns;

        @Override
        public void onTopic(Topic announced) {
            if (topic == null && announced.name().equals(LoggedFile.TYPE)) {
                columns = announced.layout().flatMap(Chunk::of).orElse(null);
                topic = announced;
            }
        }

        @Override
        public void onSample(SampleView sample) throws IOException {
            if (sample.topic() == topic && columns != null) {
                int length = (int) Math.min(sample.integer(columns.length), FileCopies.CHUNK_BYTES);
                for (int i = 0; i < length; i++) {
                    chunk[i] = (byte) sample.integer(columns.data, i);
                }
                onChunk(sample.text(columns.name), sample.integer(columns.offset), length);
            }
        }
    }

    /** Where things stand in a sample. */
    private record Chunk(Column name, Column offset, Column length, Column data) {
        static Optional<Chunk> of(TopicLayout layout) {
            Optional<Column> name = column(layout, LoggedFile.NAME, FieldType.CHAR);
            Optional<Column> offset = column(layout, LoggedFile.OFFSET, FieldType.UINT32);
            Optional<Column> length = column(layout, LoggedFile.LENGTH, FieldType.UINT8);
            Optional<Column> data = column(layout, LoggedFile.DATA, FieldType.UINT8)
                    .filter(column -> column.count() == FileCopies.CHUNK_BYTES);
            return name.isPresent() && offset.isPresent() && length.isPresent() && data.isPresent()
                    ? Optional.of(new Chunk(name.get(), offset.get(), length.get(), data.get()))
                    : Optional.empty();
        }

        private static Optional<Column> column(TopicLayout layout, String path, FieldType type) {
            return layout.column(path).filter(column -> column.type() == type);
        }
    }
}
