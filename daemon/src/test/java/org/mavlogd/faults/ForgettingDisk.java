package org.mavlogd.faults;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.mavlogd.store.Disk;
import org.mavlogd.store.FakeDisk;

/** A disk for more bytes than there is memory: keeps only a checksum of the bytes, and names and lengths. */
final class ForgettingDisk implements Disk {
    private final SampleSum stored;
    private final Map<String, Long> lengths = new TreeMap<>();

    ForgettingDisk(SampleSum stored) {
        this.stored = stored;
    }

    @Override
    public String location() {
        return "nowhere";
    }

    @Override
    public Output create(String name) {
        lengths.put(name, 0L);
        SampleSum.Log log = stored.log();
        return new Output() {
            @Override
            public void write(ByteBuffer bytes) {
                lengths.merge(name, (long) bytes.remaining(), Long::sum);
                log.add(bytes);
            }

            @Override
            public void rewrite(long position, ByteBuffer bytes) {
                bytes.position(bytes.limit());
            }

            @Override
            public void force() {}

            @Override
            public void close() {}
        };
    }

    @Override
    public Output grow(String name, long length) {
        throw new UnsupportedOperationException("nothing is left to go on with: " + name);
    }

    @Override
    public Access open(String name) throws IOException {
        throw new IOException("nothing is left to look at: " + name);
    }

    @Override
    public void replace(String name, ByteBuffer content) {}

    @Override
    public void delete(String name) {
        lengths.remove(name);
    }

    @Override
    public void forceNames() {}

    @Override
    public void rename(String from, String to) {
        lengths.put(to, Optional.ofNullable(lengths.remove(from)).orElse(0L));
    }

    @Override
    public Entries entries() {
        return FakeDisk.entries(lengths.entrySet().stream()
                .map(entry -> new Entry(entry.getKey(), entry.getValue()))
                .toList());
    }

    @Override
    public long usableBytes() {
        return Long.MAX_VALUE;
    }
}
