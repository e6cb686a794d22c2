package org.mavlogd.survey;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mavlogd.dataflash.LoggedFile;
import org.mavlogd.logtools.LogSource;
import org.mavlogd.logtools.Progress;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.TopicLayout;
import org.mavlogd.ulog.ULogException;
import org.mavlogd.ulog.ULogHandler;

/**
 * The files that an ArduPilot vehicle has put into its log, such as its scripts or the state of its ports: topic {@code
 * FILE}, in chunks.
 *
 * <p>Of a file that was logged several times the last complete copy is used, or else the last one. At most {@value
 * #MAX_FILES} files of {@value #MAX_FILE_BYTES} bytes, together {@value #MAX_BYTES}; a log with more is refused with
 * {@link ULogException}.
 */
public final class LoggedFiles {
    static final int MAX_FILES = 1024;
    static final int MAX_FILE_BYTES = 4 << 20;
    static final long MAX_BYTES = 16L << 20;

    private final Map<String, Copies> files = new LinkedHashMap<>();
    private final byte[] chunk = new byte[Copies.CHUNK_BYTES];
    private long bytes;

    private LoggedFiles() {}

    /** Reads the files of a log. */
    public static LoggedFiles of(Path log, Progress progress) throws IOException {
        LoggedFiles logged = new LoggedFiles();
        LogSource.read(log, logged.new Collector(), progress);
        return logged;
    }

    /** The files in the order of their first chunks. */
    public Collection<Copies> files() {
        return files.values();
    }

    /** The file of this name. */
    public Optional<Copies> file(String name) {
        return Optional.ofNullable(files.get(name));
    }

    private void onChunk(String name, long offset, int length) throws ULogException {
        Copies file = files.get(name);
        if (file == null) {
            if (files.size() == MAX_FILES) {
                throw new ULogException("more than " + MAX_FILES + " logged files");
            }
            file = new Copies(name);
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
                int length = (int) Math.min(sample.integer(columns.length), Copies.CHUNK_BYTES);
                for (int i = 0; i < length; i++) {
                    chunk[i] = (byte) sample.integer(columns.data, i);
                }
                onChunk(sample.text(columns.name), sample.integer(columns.offset), length);
            }
        }
    }

    /** Columns of a chunk's sample. */
    private record Chunk(Column name, Column offset, Column length, Column data) {
        static Optional<Chunk> of(TopicLayout layout) {
            Optional<Column> name = column(layout, LoggedFile.NAME, FieldType.CHAR);
            Optional<Column> offset = column(layout, LoggedFile.OFFSET, FieldType.UINT32);
            Optional<Column> length = column(layout, LoggedFile.LENGTH, FieldType.UINT8);
            Optional<Column> data = column(layout, LoggedFile.DATA, FieldType.UINT8)
                    .filter(column -> column.count() == Copies.CHUNK_BYTES);
            return name.isPresent() && offset.isPresent() && length.isPresent() && data.isPresent()
                    ? Optional.of(new Chunk(name.get(), offset.get(), length.get(), data.get()))
                    : Optional.empty();
        }

        private static Optional<Column> column(TopicLayout layout, String path, FieldType type) {
            return layout.column(path).filter(column -> column.type() == type);
        }
    }

    /** A file from a log, assembled from its chunks. A chunk for the start of the file starts another copy. */
    public static final class Copies {
        static final int CHUNK_BYTES = 64;

        private final String name;
        private int copies;
        private byte[] kept = {};
        private boolean isKeptWhole;
        private boolean isKeptEnded;
        private byte[] data = {};
        private final BitSet there = new BitSet();
        private int size;
        private boolean ended;

        Copies(String name) {
            this.name = name;
        }

        /** The vehicle's name of the file; any text. */
        public String name() {
            return name;
        }

        /** Number of copies, including incomplete ones. */
        public int copies() {
            return copies;
        }

        /** The bytes of the best copy; missing ones are zero. */
        public byte[] bytes() {
            return (isKeptWhole && !isWhole()) ? kept.clone() : Arrays.copyOf(data, size);
        }

        /** Whether a copy is complete. */
        public boolean isComplete() {
            return isKeptWhole || isWhole();
        }

        /**
         * Whether the last chunk of the best copy is shorter than the others, which marks the end. A file that fills
         * its last chunk has no such mark; then it is unknown whether more chunks should follow.
         */
        public boolean isEndMarked() {
            return (isKeptWhole && !isWhole()) ? isKeptEnded : ended;
        }

        /** Number of bytes known to be missing in the best copy. */
        public int missingBytes() {
            return isComplete() ? 0 : Math.max(0, size - there.cardinality());
        }

        /** Adds a chunk; returns the number of additional bytes kept. */
        long add(int offset, byte[] chunk, int length) {
            long before = (long) kept.length + data.length;
            if (offset == 0 || copies == 0) {
                begin();
            }
            if (offset + length > data.length) {
                data = Arrays.copyOf(
                        data, Math.max(offset + length, Math.min(data.length * 2, LoggedFiles.MAX_FILE_BYTES)));
            }
            System.arraycopy(chunk, 0, data, offset, length);
            there.set(offset, offset + length);
            size = Math.max(size, offset + length);
            ended |= length < CHUNK_BYTES;
            return kept.length + data.length - before;
        }

        private void begin() {
            if (copies > 0 && isWhole()) {
                kept = Arrays.copyOf(data, size);
                isKeptWhole = true;
                isKeptEnded = ended;
            }
            copies++;
            data = new byte[CHUNK_BYTES];
            there.clear();
            size = 0;
            ended = false;
        }

        /** Whether there is no gap from the start to the last chunk; of two such copies the longer one is used. */
        private boolean isWhole() {
            return there.nextClearBit(0) >= size && (ended || (size > 0 && size >= kept.length));
        }
    }
}
