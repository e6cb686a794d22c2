package org.mavlogd.app;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.concurrent.NanoClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delays the start of a recorder that keeps crashing soon after its start; see docs/decisions/0023-restart-delay.md.
 * The first start after a crash is never delayed, nor is one after {@link #WELL_NS} of running.
 *
 * <p>A file in the runtime directory of the service counts the crashes. systemd keeps it over a restart and removes it
 * when the service is stopped; without such a directory nothing is counted. If the file cannot be read or written,
 * there is no delay.
 */
final class RestartDelay {
    static final String FILE = "restarts";
    /** A recorder that ran for longer did not crash because of its start. */
    static final long WELL_NS = TimeUnit.MINUTES.toNanos(5);

    /** The start must stay within TimeoutStartSec of the unit. */
    static final long MAX_DELAY_MS = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(RestartDelay.class);
    private static final long FIRST_DELAY_MS = 500;
    private static final int MAX_DEATHS = 99;
    private static final int MAX_NOTE_BYTES = 64;
    // "<crashes> <ns since boot at the end of the last start>"
    private static final Pattern NOTE = Pattern.compile("(\\d{1,2}) (\\d{1,18})\n");

    private final Optional<Path> file;
    private final NanoClock clock;

    /** @param clock continues over processes, like Linux' monotonic clock */
    RestartDelay(Optional<Path> directory, NanoClock clock) {
        this.file = directory.map(place -> place.resolve(FILE));
        this.clock = clock;
    }

    static RestartDelay of(Map<String, String> environment, NanoClock clock) {
        return new RestartDelay(ServiceDirectory.of(environment, "RUNTIME_DIRECTORY"), clock);
    }

    /** Notes this start, and waits if previous ones failed. */
    void await() throws InterruptedException {
        int deaths = note();
        long delayMs = delayMs(deaths);
        if (delayMs > 0) {
            LOG.warn("the recorder ended {} times soon after its start: waiting {} ms", deaths, delayMs);
            TimeUnit.MILLISECONDS.sleep(delayMs);
        }
    }

    /** Notes a start; returns how many consecutive runs before it ended soon. */
    int note() {
        if (file.isEmpty()) {
            return 0;
        }
        long nowNs = clock.nanoTime();
        try {
            int deaths = deaths(nowNs);
            long startedNs = nowNs + TimeUnit.MILLISECONDS.toNanos(delayMs(deaths));
            Files.writeString(
                    file.get(),
                    deaths + " " + startedNs + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    LinkOption.NOFOLLOW_LINKS);
            return deaths;
        } catch (IOException e) {
            LOG.warn("starts cannot be counted: {}", e.toString());
            return 0;
        }
    }

    /** Notes an orderly end, or one that needs the operator: the next start is not delayed. */
    void end() {
        try {
            if (file.isPresent()) {
                Files.deleteIfExists(file.get());
            }
        } catch (IOException e) {
            LOG.debug("restarts: {}", e.toString());
        }
    }

    /** How long a start waits after this many crashes. */
    static long delayMs(int deaths) {
        return deaths < 2 ? 0 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS << Math.min(deaths - 2, 16));
    }

    private int deaths(long nowNs) throws IOException {
        Matcher note = NOTE.matcher(read());
        if (!note.matches()) {
            return 0;
        }
        // Negative if it crashed while it waited.
        long livedNs = nowNs - Long.parseLong(note.group(2));
        boolean isSeries = livedNs < WELL_NS && livedNs > -TimeUnit.MILLISECONDS.toNanos(MAX_DELAY_MS);
        return isSeries ? Math.min(MAX_DEATHS, Integer.parseInt(note.group(1)) + 1) : 1;
    }

    /** Empty if there is none; anything but a small file is refused. */
    private String read() throws IOException {
        Path note = file.orElseThrow();
        if (!Files.exists(note, LinkOption.NOFOLLOW_LINKS)) {
            return "";
        }
        if (!Files.isRegularFile(note, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(note + " is not a file");
        }
        try (var in = Files.newInputStream(note, LinkOption.NOFOLLOW_LINKS)) {
            return new String(in.readNBytes(MAX_NOTE_BYTES), StandardCharsets.US_ASCII);
        } catch (NoSuchFileException e) {
            return "";
        }
    }
}
