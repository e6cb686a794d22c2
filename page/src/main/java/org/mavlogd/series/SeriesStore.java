package org.mavlogd.series;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.mavlogd.series.LogReading.Patience;

/**
 * Plots fields of ULogs, and keeps data for later requests as far as its memory allows. A log that has grown is read
 * from its previous end; one that shrank or was replaced is read again. Owned by one thread; others help to read long
 * logs.
 */
public final class SeriesStore {
    private final long maxBytes;
    private final Lanes lanes;
    // Least recently used first.
    private final Map<Path, OpenLog> logs = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * A log to read.
     *
     * @param file a ULog, not compressed
     * @param isGrowing whether it may still be written
     */
    public record Source(Path file, boolean isGrowing) {}

    /** Whether a result is still wanted. Any thread. */
    @FunctionalInterface
    public interface Wanted {
        boolean isWanted();

        default void check() throws NotWanted {
            if (!isWanted()) {
                throw new NotWanted();
            }
        }
    }

    /** A request ended because its result is no longer wanted. */
    public static final class NotWanted extends IOException {
        private static final long serialVersionUID = 1;
    }

    /** An operation on a log. */
    @FunctionalInterface
    private interface Use<T> {
        T of(OpenLog log, FileChannel channel, Patience patience) throws IOException;
    }

    /** @param maxBytes approximate heap for kept data; the log in use may exceed it */
    public SeriesStore(long maxBytes) {
        this(maxBytes, new Lanes(Lanes.BLOCKS_EACH));
    }

    SeriesStore(long maxBytes, Lanes lanes) {
        this.maxBytes = maxBytes;
        this.lanes = lanes;
    }

    /**
     * Plots a field.
     *
     * @throws NoSuchFieldInLog if the log lacks the field
     * @throws org.mavlogd.ulog.ULogException if it is not a log
     * @throws IllegalArgumentException if the request is invalid, with a text for the user
     */
    public Series series(Source log, SeriesRequest request, Wanted wanted) throws IOException {
        return use(log, wanted, (open, channel, patience) -> open.series(request, channel, lanes, patience));
    }

    /** Lists the fields that can be plotted. */
    public TopicList topics(Source log, Wanted wanted) throws IOException {
        return use(log, wanted, (open, channel, patience) -> TopicList.of(open.index()));
    }

    private <T> T use(Source source, Wanted wanted, Use<T> use) throws IOException {
        Patience patience = wanted::check;
        boolean isDone = false;
        try (FileChannel channel = FileChannel.open(source.file, StandardOpenOption.READ)) {
            OpenLog log = open(source, patience);
            T result = use.of(log, channel, patience);
            isDone = true;
            return result;
        } catch (NoSuchFieldInLog | NotWanted | IllegalArgumentException e) {
            isDone = true; // data read so far remains valid
            throw e;
        } finally {
            if (!isDone) {
                logs.remove(source.file);
            }
            trim();
        }
    }

    private OpenLog open(Source source, Patience patience) throws IOException {
        OpenLog log = logs.get(source.file);
        if (log == null || !log.index().reading().isOf(source.file)) {
            log = new OpenLog(source.file);
            logs.put(source.file, log);
        }
        log.index().reading().extend(source.file, source.isGrowing, patience);
        return log;
    }

    private void trim() {
        while (bytes() > maxBytes && logs.size() > 1) {
            Iterator<OpenLog> eldest = logs.values().iterator();
            eldest.next();
            eldest.remove();
        }
        for (OpenLog log : logs.values()) {
            while (bytes() > maxBytes && log.forgetField()) {
                // continue with the next one
            }
        }
    }

    private long bytes() {
        return logs.values().stream().mapToLong(OpenLog::bytes).sum();
    }
}
