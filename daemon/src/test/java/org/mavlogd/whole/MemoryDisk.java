package org.mavlogd.whole;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.mavlogd.store.Disk;

/**
 * A disk in memory that can fail on demand, and is stricter than a real one: whoever writes after a failure, closes twice or
 * renames what is not there ends the test.
 */
final class MemoryDisk implements Disk {
    private static final class Stored {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private boolean failed;
        private boolean closed;
    }

    private final Map<String, Stored> files = new LinkedHashMap<>();
    private int operations;
    private int failFrom = Integer.MAX_VALUE;
    private int failUntil = Integer.MAX_VALUE;
    private String failure = "";

    /** Creating, writing and forcing fail from the n-th such operation on, {@code count} times. */
    void failFrom(int operation, int count, String message) {
        failFrom = operation;
        failUntil = count == Integer.MAX_VALUE ? count : operation + count;
        failure = message;
    }

    int operations() {
        return operations;
    }

    Map<String, byte[]> contents() {
        Map<String, byte[]> contents = new LinkedHashMap<>();
        files.forEach((name, stored) -> contents.put(name, stored.bytes.toByteArray()));
        return contents;
    }

    private void operate() throws IOException {
        int operation = operations++;
        if (operation >= failFrom && operation < failUntil) {
            throw new IOException(failure);
        }
    }

    @Override
    public String location() {
        return "memory";
    }

    @Override
    public Output create(String name) throws IOException {
        operate();
        if (files.containsKey(name)) {
            throw new FileAlreadyExistsException(name);
        }
        Stored stored = new Stored();
        files.put(name, stored);
        return new Output() {
            @Override
            public void write(ByteBuffer source) throws IOException {
                require(!stored.closed && !stored.failed, name + " is written after a failure or its end");
                byte[] bytes = new byte[source.remaining()];
                source.get(bytes);
                try {
                    operate();
                } catch (IOException e) {
                    stored.failed = true;
                    stored.bytes.write(bytes, 0, bytes.length / 2); // a short write before the failure
                    throw e;
                }
                stored.bytes.write(bytes, 0, bytes.length);
            }

            @Override
            public void force() throws IOException {
                require(!stored.closed && !stored.failed, name + " is forced after a failure or its end");
                try {
                    operate();
                } catch (IOException e) {
                    stored.failed = true;
                    throw e;
                }
            }

            @Override
            public void close() {
                require(!stored.closed, name + " is closed twice");
                stored.closed = true;
            }
        };
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Stored stored = files.get(from);
        if (stored == null) {
            throw new NoSuchFileException(from);
        }
        require(stored.closed, from + " is renamed while it is open");
        if (files.containsKey(to)) {
            throw new FileAlreadyExistsException(to);
        }
        files.remove(from);
        files.put(to, stored);
    }

    @Override
    public void forceNames() {}

    @Override
    public List<String> names() {
        return List.copyOf(files.keySet());
    }

    @Override
    public long usableBytes() {
        return Long.MAX_VALUE;
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }
}
