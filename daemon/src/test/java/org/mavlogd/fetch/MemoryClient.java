package org.mavlogd.fetch;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;

/** Fetches into memory; checks that only requested data arrives. */
public final class MemoryClient implements FetchClient {
    private final Function<List<RemoteLog>, List<RemoteLog>> choice;
    private final Random random;
    private final double refusal;
    private final Map<Integer, byte[]> contents = new TreeMap<>();
    private final Map<Integer, MissingRanges> missing = new TreeMap<>();
    private final Map<Integer, OptionalInt> whole = new TreeMap<>();
    private final Map<Integer, String> cut = new TreeMap<>();
    private List<RemoteLog> list = List.of();
    private FetchClient.Way way = FetchClient.Way.FTP;
    private String end = "still running";

    /** @param refusal probability, 0 to 1, that there is no room */
    public MemoryClient(Function<List<RemoteLog>, List<RemoteLog>> choice, long seed, double refusal) {
        this.choice = choice;
        this.random = new Random(seed);
        this.refusal = refusal;
    }

    /** Fetches all logs. */
    public static MemoryClient ofAll() {
        return new MemoryClient(Function.identity(), 1, 0);
    }

    @Override
    public List<RemoteLog> onList(List<RemoteLog> logs, FetchClient.Way usedWay) {
        list = logs;
        way = usedWay;
        return choice.apply(logs);
    }

    @Override
    public Optional<Start> begin(RemoteLog log, boolean isAnew) {
        int length = (int) log.length();
        byte[] content = contents.computeIfAbsent(log.id(), id -> new byte[length]);
        MissingRanges ranges = isAnew
                ? MissingRanges.allOf(length)
                : missing.getOrDefault(log.id(), MissingRanges.allOf(length)).copy();
        missing.put(log.id(), ranges.copy());
        return Optional.of(new Start(new Sink(content, missing(log.id())), ranges));
    }

    private final class Sink implements FetchClient.LogSink {
        private final byte[] content;
        private final MissingRanges ranges;

        Sink(byte[] content, MissingRanges ranges) {
            this.content = content;
            this.ranges = ranges;
        }

        @Override
        public boolean write(long position, byte[] bytes, int offset, int length) {
            if (random.nextDouble() < refusal) {
                return false;
            }
            System.arraycopy(bytes, offset, content, (int) position, length);
            ranges.remove(position, position + length);
            return true;
        }

        @Override
        public String problem() {
            return "";
        }

        @Override
        public boolean isStale() {
            return false;
        }
    }

    @Override
    public void onProgress(RemoteLog log, long doneBytes) {
        if (doneBytes < 0 || doneBytes > log.length()) {
            throw new AssertionError(doneBytes + " of " + log.length());
        }
    }

    @Override
    public void onWhole(RemoteLog log, OptionalInt checksum) {
        if (!missing(log.id()).isEmpty()) {
            throw new AssertionError("log " + log.id() + " is called whole, and is not");
        }
        whole.put(log.id(), checksum);
    }

    @Override
    public void onCut(RemoteLog log, String why) {
        cut.put(log.id(), why);
    }

    @Override
    public void onEnd(String problem) {
        if (!end.equals("still running")) {
            throw new AssertionError("ended twice");
        }
        end = problem;
    }

    public List<RemoteLog> list() {
        return list;
    }

    public FetchClient.Way way() {
        return way;
    }

    public Map<Integer, OptionalInt> whole() {
        return whole;
    }

    public Map<Integer, String> cut() {
        return cut;
    }

    public byte[] content(int id) {
        return Objects.requireNonNull(contents.get(id));
    }

    /** The missing ranges of a log. */
    public MissingRanges missing(int id) {
        return Objects.requireNonNull(missing.get(id));
    }

    public String end() {
        return end;
    }

    /** Prepares another try: fetched data stays. */
    public void again() {
        end = "still running";
        cut.clear();
    }
}
