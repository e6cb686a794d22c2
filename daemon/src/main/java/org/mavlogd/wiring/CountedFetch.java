package org.mavlogd.wiring;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.mavlogd.fetch.FetchClient;
import org.mavlogd.fetch.RemoteLog;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;

/** Counts the results of fetches after flights. Link's thread. */
final class CountedFetch implements FetchClient {
    private final FetchClient client;
    private final Counters counters;

    /**
     * Counters of one link. Written by its thread.
     *
     * @param lists conversations in which the vehicle sent its list of logs
     * @param bytes of logs, including repeated ones
     * @param logs fetched completely
     * @param cut not fetched, or not completely
     * @param failures conversations that failed
     */
    record Counters(Counter lists, Counter bytes, Counter logs, Counter cut, Counter failures) {
        static Counters register(Metrics metrics, String link) {
            return new Counters(
                    metrics.counter("fetch.lists", "Lists of the vehicle's own logs that were received", "link", link),
                    metrics.counter("fetch.received.bytes", "Bytes of the vehicle's own logs received", "link", link),
                    metrics.counter("fetch.logs", "Logs of the vehicle fetched to their end", "link", link),
                    metrics.counter(
                            "fetch.cut.logs",
                            "Logs of the vehicle that could not be fetched to their end",
                            "link",
                            link),
                    metrics.counter("fetch.failures", "Conversations about logs that failed", "link", link));
        }
    }

    CountedFetch(FetchClient client, Counters counters) {
        this.client = client;
        this.counters = counters;
    }

    @Override
    public List<RemoteLog> onList(List<RemoteLog> logs, Way way) {
        counters.lists().increment();
        return client.onList(logs, way);
    }

    @Override
    public Optional<Start> begin(RemoteLog log, boolean isAnew) {
        return client.begin(log, isAnew).map(start -> new Start(new Sink(start.sink()), start.missing()));
    }

    private final class Sink implements LogSink {
        private final LogSink sink;

        Sink(LogSink sink) {
            this.sink = sink;
        }

        @Override
        public boolean write(long position, byte[] bytes, int offset, int length) {
            boolean taken = sink.write(position, bytes, offset, length);
            counters.bytes().add(taken ? length : 0);
            return taken;
        }

        @Override
        public String problem() {
            return sink.problem();
        }

        @Override
        public boolean isStale() {
            return sink.isStale();
        }
    }

    @Override
    public void onProgress(RemoteLog log, long doneBytes) {
        client.onProgress(log, doneBytes);
    }

    @Override
    public void onWhole(RemoteLog log, OptionalInt checksum) {
        counters.logs().increment();
        client.onWhole(log, checksum);
    }

    @Override
    public void onCut(RemoteLog log, String why) {
        counters.cut().increment();
        client.onCut(log, why);
    }

    @Override
    public void onEnd(String problem) {
        counters.failures().add(problem.isEmpty() ? 0 : 1);
        client.onEnd(problem);
    }
}
