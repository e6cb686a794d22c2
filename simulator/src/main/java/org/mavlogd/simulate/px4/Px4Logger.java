package org.mavlogd.simulate.px4;

import org.mavlogd.mavlink.LogChunkLayout;
import org.mavlogd.simulate.px4.Px4Settings.Stall;
import org.mavlogd.simulate.px4.StreamObserver.SessionEnd;

/**
 * PX4's logger as a client of its MAVLink backend: decides what is logged, when, and in which chunks. It waits while an
 * acked chunk is in transit. Owned by the vehicle's thread. Hot path.
 */
final class Px4Logger {
    private static final byte[] NOTHING = new byte[0];
    /** A longer pause is not caught up: a burst would lose chunks in the receiver's socket. */
    private static final double MAX_BURST_S = 0.05;

    private static final double NS_PER_S = 1e9;

    private final Px4Settings settings;
    private final LogImage log;
    private final LogReel reel;
    private final PostFlight postFlight;
    private final ChunkWriter chunk = new ChunkWriter();
    private final ChunkSender sender;
    private final StreamObserver observer;
    private final VehicleCounters counters;
    private final BootClock clock;

    private State state = State.IDLE;
    private byte[] source = NOTHING;
    private int sourcePosition;
    private int sourceEnd;
    private boolean reliable;
    private boolean flushes;
    private int nextDefinition;
    private int postFlightPosition;
    private boolean endsAfterPostFlight;
    private long blockedSinceNs;
    private long dataStartNs;
    private long skipsAfterNs;
    private long skipsUntilNs;
    private double budgetBytes;
    private long budgetNs;

    private enum State {
        IDLE,
        DEFINITIONS,
        DATA,
        POST_FLIGHT
    }

    Px4Logger(
            Px4Settings settings,
            LogImage log,
            BootClock clock,
            ChunkSender sender,
            StreamObserver observer,
            VehicleCounters counters) {
        this.settings = settings;
        this.log = log;
        this.sender = sender;
        this.observer = observer;
        this.counters = counters;
        this.clock = clock;
        reel = new LogReel(log, settings.loops());
        postFlight = PostFlight.of(log, settings.postFlightBytes(), settings.seed());
        postFlightPosition = postFlight.end();
    }

    boolean isStreaming() {
        return state != State.IDLE;
    }

    /** Whether the log has been played to its end, and only LOGGING_STOP brings more. */
    boolean isAtEnd() {
        return state == State.DATA && reel.atEnd() && isReady();
    }

    /** Whether the logger's loop is ready for commands. */
    boolean isReady() {
        return !sender.isBlocked()
                && sourcePosition == sourceEnd
                && !flushes
                && (state == State.IDLE || state == State.DATA);
    }

    void start(int targetSystem, int targetComponent, long startTimeUs, long nowNs) {
        sender.reset();
        chunk.restart(targetSystem, targetComponent);
        state = State.DEFINITIONS;
        reliable = true;
        flushes = false;
        nextDefinition = 0;
        counters.sessions.increment();
        byte[] header = log.header(startTimeUs);
        observer.onSessionStart(header, nowNs);
        write(header, 0, header.length);
    }

    /** Flushes the chunk, as arming does. */
    void flush() {
        if (state == State.DATA) {
            reliable = true;
            flushes = true;
        }
    }

    /** Logs the post-flight data and continues, as disarming does. */
    void logPostFlight() {
        if (state == State.DATA) {
            beginPostFlight(false);
        }
    }

    /** Logs the post-flight data and ends the session; versions without post-flight data end it at once. */
    void stop(long nowNs) {
        if (settings.flushesAtStop()) {
            beginPostFlight(true);
            return;
        }
        if (chunk.length() > 0) {
            observer.onTailLost(chunk.length(), nowNs);
        }
        end(SessionEnd.STOPPED, nowNs);
    }

    /** Ends the session, because the vehicle reboots. */
    void abort(long nowNs) {
        if (state != State.IDLE) {
            end(SessionEnd.REBOOTED, nowNs);
        }
    }

    /** Does everything that is due. */
    void run(long nowNs) {
        if (sender.hasGivenUp()) {
            end(SessionEnd.GAVE_UP, nowNs);
        }
        while (state != State.IDLE && !sender.isBlocked()) {
            if (sourcePosition < sourceEnd) {
                fill(nowNs);
            } else if (flushes) {
                flushes = false;
                finishReliably(nowNs);
            } else if (!next(nowNs)) {
                return;
            }
        }
    }

    /** Continues after an acknowledgement. */
    void onUnblocked(long nowNs) {
        if (settings.stall() == Stall.DELAYS_LOG) {
            dataStartNs += nowNs - blockedSinceNs;
        } else {
            // Several acked chunks in a row are one pause: nothing was logged between them.
            skipsAfterNs = isSkipping() ? skipsAfterNs : blockedSinceNs;
            skipsUntilNs = nowNs;
        }
        budgetNs = nowNs;
    }

    /** Time of the next work in {@link #run}, unless an acknowledgement arrives earlier. */
    long dueNs(long nowNs) {
        if (sender.isBlocked() || state != State.DATA || reel.atEnd()) {
            return nowNs + ChunkSender.ACK_TIMEOUT_NS;
        }
        if (settings.rateBytesPerSecond() == 0) {
            return dataDueNs();
        }
        return budgetNs + (long) Math.ceil(Math.max(0, 1 - budgetBytes) / settings.rateBytesPerSecond() * NS_PER_S);
    }

    private boolean next(long nowNs) {
        return switch (state) {
            case IDLE -> false;
            case DEFINITIONS -> nextDefinition(nowNs);
            case DATA -> nextData(nowNs);
            case POST_FLIGHT -> nextPostFlight(nowNs);
        };
    }

    private boolean nextDefinition(long nowNs) {
        if (nextDefinition < log.firstData()) {
            chunk.beginMessage();
            write(log.bytes(), log.start(nextDefinition), log.end(nextDefinition));
            nextDefinition++;
        } else if (reliable) {
            flushes = true;
        } else {
            beginData(nowNs);
        }
        return true;
    }

    private void beginData(long nowNs) {
        state = State.DATA;
        dataStartNs = nowNs;
        if (clock.isLogTime()) {
            reel.rewind(clock.us(nowNs) - log.zeroUs());
        } else {
            // The first stream keeps the log's times, so that its bytes equal those of the log.
            reel.rewind(0);
            clock.setLogTime(log.zeroUs(), nowNs);
        }
        skipsAfterNs = skipsUntilNs;
        budgetBytes = 0;
        budgetNs = nowNs;
    }

    private boolean nextData(long nowNs) {
        if (reel.atEnd() || !isDataDue(nowNs)) {
            return false;
        }
        if (isSkipped()) {
            counters.skippedMessages.increment();
            observer.onMessageSkipped(reel.length(), nowNs);
            reel.skip();
            return true;
        }
        if (reel.type() == 'A') {
            reliable = true;
            flushes = true;
        }
        reel.take();
        budgetBytes -= reel.end() - reel.start();
        chunk.beginMessage();
        write(reel.bytes(), reel.start(), reel.end());
        return true;
    }

    private long dataDueNs() {
        return dataStartNs + clock.ns(reel.dueUs());
    }

    private boolean isDataDue(long nowNs) {
        long rate = settings.rateBytesPerSecond();
        if (rate == 0) {
            return nowNs - dataDueNs() >= 0;
        }
        budgetBytes += (nowNs - budgetNs) / NS_PER_S * rate;
        budgetBytes = Math.min(budgetBytes, Math.max(1, MAX_BURST_S * rate));
        budgetNs = nowNs;
        return budgetBytes >= 1;
    }

    private boolean isSkipping() {
        return skipsUntilNs - skipsAfterNs > 0;
    }

    /** Whether the next message's time was in a pause. Only samples are skipped: a subscription or a text is late. */
    private boolean isSkipped() {
        if (!isSkipping() || settings.rateBytesPerSecond() != 0) {
            return false;
        }
        long dueNs = dataDueNs();
        if (dueNs - skipsUntilNs > 0) {
            skipsAfterNs = skipsUntilNs;
            return false;
        }
        return dueNs - skipsAfterNs > 0 && (reel.type() == 'D' || reel.type() == 'S');
    }

    private void beginPostFlight(boolean ends) {
        state = State.POST_FLIGHT;
        endsAfterPostFlight = ends;
        reliable = true;
        postFlightPosition = postFlight.start();
    }

    private boolean nextPostFlight(long nowNs) {
        if (postFlightPosition < postFlight.end()) {
            int end = postFlightPosition + postFlight.lengthAt(postFlightPosition);
            chunk.beginMessage();
            write(postFlight.bytes(), postFlightPosition, end);
            postFlightPosition = end;
        } else if (reliable) {
            flushes = true;
        } else if (endsAfterPostFlight) {
            end(SessionEnd.STOPPED, nowNs);
        } else {
            state = State.DATA;
        }
        return true;
    }

    private void write(byte[] bytes, int start, int end) {
        source = bytes;
        sourcePosition = start;
        sourceEnd = end;
    }

    private void fill(long nowNs) {
        sourcePosition += chunk.put(source, sourcePosition, sourceEnd - sourcePosition);
        if (chunk.isFull()) {
            publish(nowNs);
        }
    }

    private void finishReliably(long nowNs) {
        if (chunk.length() > 0) {
            publish(nowNs);
        }
        reliable = false;
    }

    private void publish(long nowNs) {
        byte[] payload = chunk.finish();
        int sequence = chunk.sequence();
        observer.onChunk(
                sequence,
                reliable,
                chunk.firstMessageOffset(),
                payload,
                LogChunkLayout.DATA_OFFSET,
                chunk.length(),
                nowNs);
        chunk.next();
        blockedSinceNs = nowNs;
        sender.publish(payload, sequence, reliable, nowNs);
    }

    private void end(SessionEnd end, long nowNs) {
        sender.reset();
        state = State.IDLE;
        source = NOTHING;
        sourcePosition = 0;
        sourceEnd = 0;
        flushes = false;
        reliable = false;
        observer.onSessionEnd(end, nowNs);
    }
}
