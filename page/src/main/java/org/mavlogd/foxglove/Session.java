package org.mavlogd.foxglove;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.mavlogd.exports.McapExport;
import org.mavlogd.series.LogReading;
import org.mavlogd.series.SeriesStore.NotWanted;
import org.mavlogd.series.SeriesStore.Source;
import org.mavlogd.text.Words;

/** Shows one client a recorded log, or the current recordings one after the other. Runs on its own thread. */
final class Session implements Runnable {
    private static final Logger LOG = Logger.getLogger(Session.class.getName());
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);
    /** Shorter than the time after which a silent connection is closed. */
    private static final long ALIVE_NS = TimeUnit.SECONDS.toNanos(10);

    /** Clients subscribe the channels of their panels one by one, most of them within milliseconds. */
    private static final long SUBSCRIBING_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final short FAILED = 1011;
    private static final int MAX_TEXT = 100;

    private final Logs logs;
    private final Opening opening;
    private final Outbox out;
    private final Subscriptions subscriptions;
    private final Channels channels;
    private final Semaphore bell = new Semaphore(0);
    private long bootUtcUs;

    Session(Logs logs, Opening opening, Outbox out, Subscriptions subscriptions) {
        this.logs = logs;
        this.opening = opening;
        this.out = out;
        this.subscriptions = subscriptions;
        this.channels = new Channels(subscriptions, out);
    }

    /** Wakes the thread after a change: the client left, or subscribed. Any thread. */
    void ring() {
        bell.release();
    }

    @Override
    public void run() {
        try {
            if (opening.recorded().isPresent()) {
                play(opening.recorded().get());
            } else {
                live();
            }
        } catch (NotWanted e) {
            // The client is gone.
        } catch (IOException e) {
            fail("the log cannot be read: " + e.getMessage());
        } catch (RuntimeException e) {
            LOG.log(Level.SEVERE, "internal error, please report this", e);
            fail("internal error, please report this: " + e);
        } catch (OutOfMemoryError e) {
            fail("not enough memory for this");
        }
    }

    private void fail(String text) {
        String line = Words.line(text, MAX_TEXT);
        out.text(Protocol.status(Protocol.Level.ERROR, line));
        out.end(FAILED, "the log cannot be shown");
    }

    private void play(Source log) throws IOException {
        LogStream survey = new LogStream(channels, () -> 0, Pace.AT_ONCE);
        new LogReading(log.file(), survey).extend(log.file(), false, this::check);
        bootUtcUs = survey.bootUtcUs();
        channels.advertise();
        int count;
        do {
            count = subscriptions.count();
            tick(survey.firstUs(), count == 0 ? ALIVE_NS : SUBSCRIBING_NS);
        } while (count == 0 || count != subscriptions.count());
        channels.rewind();
        FlightPace pace = new FlightPace(opening.speed(), System::nanoTime, this::tick);
        LogStream flight = new LogStream(channels, () -> bootUtcUs, pace);
        new LogReading(log.file(), flight).extend(log.file(), false, this::check);
        tell("the log has ended");
        stay(flight.lastUs());
    }

    /** Stays at this time of the log. */
    private void stay(long positionUs) throws IOException {
        while (true) {
            tick(positionUs, out.hasDropped() ? LOOK_NS : ALIVE_NS);
        }
    }

    private void live() throws IOException {
        boolean isTold = false;
        while (true) {
            Optional<String> name = opening.log().isEmpty() ? logs.recording() : Optional.of(opening.log());
            if (name.isPresent()) {
                long endUs = follow(name.get());
                tell(Words.line(name.get(), MAX_TEXT) + " is no longer being recorded");
                if (!opening.log().isEmpty()) {
                    stay(endUs);
                }
            } else if (!isTold) {
                tell("no ULog is being recorded; waiting for one");
            }
            isTold = true;
            tick(0, LOOK_NS);
        }
    }

    /** Follows a log; returns the time of its last sample. */
    private long follow(String name) throws IOException {
        channels.clear();
        bootUtcUs = 0;
        LogStream stream = new LogStream(channels, () -> bootUtcUs, Pace.AT_ONCE);
        try {
            Source log = logs.source(name);
            LogReading reading = new LogReading(log.file(), stream);
            for (boolean isGrowing = true; isGrowing && reading.isOf(log.file()); log = logs.source(name)) {
                isGrowing = log.isGrowing();
                reading.extend(log.file(), isGrowing, this::check);
                bootUtcUs = bootUtcUs == 0 ? stream.bootUtcUs() : bootUtcUs;
                channels.advertise();
                tick(stream.lastUs(), isGrowing ? POLL_NS : 0);
            }
        } catch (NoSuchFileException e) {
            // The log was deleted, or its disk removed.
        }
        return stream.lastUs();
    }

    private void tell(String text) {
        out.text(Protocol.status(Protocol.Level.INFO, text));
    }

    /** Sends everything due, then waits. */
    private void tick(long positionUs, long waitNs) throws IOException {
        out.tellDropped(System.nanoTime(), LOOK_NS);
        // Sent even without a log: a silent connection is closed.
        out.time(positionUs == 0 ? TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) : nanos(positionUs));
        out.flush();
        check();
        if (waitNs > 0) {
            try {
                bell.tryAcquire(waitNs, TimeUnit.NANOSECONDS);
                bell.drainPermits();
            } catch (InterruptedException e) {
                throw new NotWanted();
            }
            check();
        }
    }

    private long nanos(long positionUs) {
        return McapExport.nanos(positionUs, bootUtcUs);
    }

    private void check() throws NotWanted {
        if (out.isClosed()) {
            throw new NotWanted();
        }
    }
}
