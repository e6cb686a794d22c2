package org.mavlogd.store;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * A directory in memory whose operations fail as scheduled. Stricter than a real one: whoever writes after a failure,
 * uses a closed file or renames an open one ends the test.
 */
public final class FakeDisk implements Disk {
    /** What can fail. */
    public enum Operation {
        CREATE,
        WRITE,
        FORCE,
        CLOSE,
        RENAME,
        NAMES,
        USABLE
    }

    private final Map<String, ByteArrayOutputStream> files = new LinkedHashMap<>();
    private final Map<Operation, IntPredicate> failing = new EnumMap<>(Operation.class);
    private final Map<Operation, Integer> counts = new EnumMap<>(Operation.class);
    private long usableBytes = Long.MAX_VALUE;

    /** The n-th operation of that kind, counted from 0 over all files, fails when {@code when} says so. */
    public void fail(Operation operation, IntPredicate when) {
        failing.put(operation, when);
    }

    public void usableBytes(long bytes) {
        usableBytes = bytes;
    }

    public int count(Operation operation) {
        return counts.getOrDefault(operation, 0);
    }

    public void put(String name, byte[] bytes) {
        ByteArrayOutputStream stored = new ByteArrayOutputStream();
        stored.writeBytes(bytes);
        files.put(name, stored);
    }

    public byte[] bytes(String name) {
        ByteArrayOutputStream stored = files.get(name);
        if (stored == null) {
            throw new AssertionError(name + " is not among " + files.keySet());
        }
        return stored.toByteArray();
    }

    public List<String> storedNames() {
        return List.copyOf(files.keySet());
    }

    private void operate(Operation operation) throws IOException {
        int count = counts.merge(operation, 1, Integer::sum) - 1;
        IntPredicate when = failing.get(operation);
        if (when != null && when.test(count)) {
            throw new IOException("fake " + operation + " failure " + count);
        }
    }

    @Override
    public String location() {
        return "fake disk";
    }

    @Override
    public Output create(String name) throws IOException {
        operate(Operation.CREATE);
        if (files.containsKey(name)) {
            throw new FileAlreadyExistsException(name);
        }
        ByteArrayOutputStream stored = new ByteArrayOutputStream();
        files.put(name, stored);
        return new FakeOutput(name, stored);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        operate(Operation.RENAME);
        if (!files.containsKey(from)) {
            throw new NoSuchFileException(from);
        }
        if (files.containsKey(to)) {
            throw new FileAlreadyExistsException(to);
        }
        files.put(to, files.remove(from));
    }

    @Override
    public void forceNames() {}

    @Override
    public List<String> names() throws IOException {
        operate(Operation.NAMES);
        return List.copyOf(files.keySet());
    }

    @Override
    public long usableBytes() throws IOException {
        operate(Operation.USABLE);
        return usableBytes;
    }

    private final class FakeOutput implements Output {
        private final String name;
        private final ByteArrayOutputStream stored;
        private boolean failed;
        private boolean closed;

        private FakeOutput(String name, ByteArrayOutputStream stored) {
            this.name = name;
            this.stored = stored;
        }

        private void use(Operation operation) throws IOException {
            if (failed || closed) {
                throw new AssertionError(name + ": " + operation + " after " + (closed ? "its end" : "a failure"));
            }
            try {
                operate(operation);
            } catch (IOException e) {
                failed = true;
                throw e;
            }
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            use(Operation.WRITE);
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            stored.writeBytes(copy);
        }

        @Override
        public void force() throws IOException {
            use(Operation.FORCE);
        }

        @Override
        public void close() throws IOException {
            if (closed) {
                throw new AssertionError(name + " is closed twice");
            }
            closed = true;
            operate(Operation.CLOSE);
        }
    }
}
