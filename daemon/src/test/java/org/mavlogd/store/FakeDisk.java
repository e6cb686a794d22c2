package org.mavlogd.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import org.agrona.ExpandableArrayBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A directory in memory whose operations fail as scheduled, the n-th of a kind or the n-th of all. Stricter than a real
 * one: writing after a failure, using a closed file, or renaming or deleting an open one fails the test.
 */
public final class FakeDisk implements Disk {
    /** The operations that can fail. */
    public enum Operation {
        CREATE,
        GROW,
        OPEN,
        READ,
        WRITE,
        TRUNCATE,
        FORCE,
        FORCE_NAMES,
        CLOSE,
        REPLACE,
        RENAME,
        DELETE,
        LIST,
        PROBE,
        USABLE
    }

    private static final class Stored {
        private final ExpandableArrayBuffer bytes = new ExpandableArrayBuffer();
        private int length;
        private int forced;
        private int users;

        private void put(int position, ByteBuffer source) {
            int count = source.remaining();
            bytes.putBytes(position, source, count);
            length = Math.max(length, position + count);
        }

        private byte[] toArray() {
            byte[] copy = new byte[length];
            bytes.getBytes(0, copy);
            return copy;
        }
    }

    private final Map<String, Stored> files = new LinkedHashMap<>();
    private long bytesRead;
    private final Map<Operation, IntPredicate> failing = new EnumMap<>(Operation.class);
    private final Map<Operation, String> messages = new EnumMap<>(Operation.class);
    private final Map<Operation, Integer> counts = new EnumMap<>(Operation.class);
    private long usableBytes = Long.MAX_VALUE;
    private long capacity = Long.MAX_VALUE;
    private Set<Operation> counted = EnumSet.allOf(Operation.class);
    private int operations;
    private int failFrom = Integer.MAX_VALUE;
    private int failUntil = Integer.MAX_VALUE;
    private String failure = "";
    private UnaryOperator<Disk> view = UnaryOperator.identity();

    /** Gives the recorder this disk only through the view made here. */
    public FakeDisk seenThrough(UnaryOperator<Disk> newView) {
        view = newView;
        return this;
    }

    /** The disk to give to the recorder. */
    public Disk seen() {
        return view.apply(this);
    }

    /** The n-th operation of this kind, counted from 0 over all files, fails if {@code when} accepts n. */
    public void fail(Operation operation, IntPredicate when) {
        failing.put(operation, when);
    }

    /** The same, with the system's error message. */
    public void fail(Operation operation, IntPredicate when, String message) {
        fail(operation, when);
        messages.put(operation, message);
    }

    /** The n-th of all operations that make a file grow fails, and so do the next {@code count - 1}. */
    public void failGrowthFrom(int operation, int count, String message) {
        failFrom(EnumSet.of(Operation.CREATE, Operation.WRITE, Operation.FORCE), operation, count, message);
    }

    /** The n-th of the operations of these kinds, counted together, fails, and so do the next {@code count - 1}. */
    public void failFrom(Set<Operation> kinds, int operation, int count, String message) {
        counted = kinds;
        failFrom = operation;
        failUntil = count == Integer.MAX_VALUE ? count : operation + count;
        failure = message;
    }

    public void usableBytes(long bytes) {
        usableBytes = bytes;
    }

    /** Limits the total size of all files; the rest of it is usable space. */
    public void capacity(long bytes) {
        capacity = bytes;
    }

    private long usedBytes() {
        return files.values().stream().mapToLong(stored -> stored.length).sum();
    }

    private long leftBytes() {
        return capacity == Long.MAX_VALUE ? usableBytes : Math.max(0, capacity - usedBytes());
    }

    public int count(Operation operation) {
        return counts.getOrDefault(operation, 0);
    }

    /** Number of operations of the kinds given to {@link #failFrom}, or of all kinds. */
    public int operations() {
        return operations;
    }

    public void put(String name, byte[] bytes) {
        Stored stored = new Stored();
        stored.put(0, ByteBuffer.wrap(bytes));
        files.put(name, stored);
    }

    /** The disk of the next run after this one was killed: the same files, none of them open. */
    public FakeDisk afterCrash() {
        FakeDisk disk = new FakeDisk();
        contents().forEach(disk::put);
        return disk;
    }

    /** The bytes that were read so far. */
    public long bytesRead() {
        return bytesRead;
    }

    public byte[] bytes(String name) {
        Stored stored = files.get(name);
        if (stored == null) {
            throw new AssertionError(name + " is not among " + files.keySet());
        }
        return stored.toArray();
    }

    /** How many bytes of the file a power cut leaves. */
    public int forcedLength(String name) {
        return files.containsKey(name) ? files.get(name).forced : 0;
    }

    public List<String> storedNames() {
        return List.copyOf(files.keySet());
    }

    /** All files with their bytes, in the order in which they were made. */
    public Map<String, byte[]> contents() {
        Map<String, byte[]> contents = new LinkedHashMap<>();
        files.forEach((name, stored) -> contents.put(name, stored.toArray()));
        return contents;
    }

    private void operate(Operation operation) throws IOException {
        int count = counts.merge(operation, 1, Integer::sum) - 1;
        IntPredicate when = failing.get(operation);
        if (when != null && when.test(count)) {
            throw new IOException(messages.getOrDefault(operation, "fake " + operation + " failure " + count));
        }
        if (counted.contains(operation)) {
            int index = operations++;
            if (index >= failFrom && index < failUntil) {
                throw new IOException(failure);
            }
        }
    }

    private Stored existing(String name) throws NoSuchFileException {
        Stored stored = files.get(name);
        if (stored == null) {
            throw new NoSuchFileException(name);
        }
        return stored;
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
        Stored stored = new Stored();
        files.put(name, stored);
        return new FakeFile(name, stored);
    }

    @Override
    public Output grow(String name, long length) throws IOException {
        operate(Operation.GROW);
        Stored stored = existing(name);
        require(length <= stored.length, name + " has only " + stored.length + " bytes of " + length);
        stored.length = (int) length;
        return new FakeFile(name, stored);
    }

    @Override
    public Access open(String name) throws IOException {
        operate(Operation.OPEN);
        return new FakeFile(name, existing(name), true);
    }

    @Override
    public void replace(String name, ByteBuffer content) throws IOException {
        operate(Operation.REPLACE);
        Stored stored = new Stored();
        stored.put(0, content);
        files.put(name, stored);
    }

    @Override
    public void delete(String name) throws IOException {
        operate(Operation.DELETE);
        require(existing(name).users == 0, name + " is deleted while it is open");
        files.remove(name);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        operate(Operation.RENAME);
        Stored stored = existing(from);
        if (files.containsKey(to)) {
            throw new FileAlreadyExistsException(to);
        }
        require(stored.users == 0, from + " is renamed while it is open");
        files.put(to, files.remove(from));
    }

    @Override
    public void forceNames() throws IOException {
        operate(Operation.FORCE_NAMES);
    }

    @Override
    public Entries entries() throws IOException {
        operate(Operation.LIST);
        return entries(files.entrySet().stream()
                .map(file -> new Entry(file.getKey(), file.getValue().length))
                .toList());
    }

    @Override
    public boolean exists(String name) throws IOException {
        operate(Operation.LIST);
        return files.containsKey(name);
    }

    /** The files of a directory as they were when it was opened. */
    public static Entries entries(List<Entry> files) {
        Iterator<Entry> rest = files.iterator();
        return new Entries() {
            @Override
            public @Nullable Entry next() {
                return rest.hasNext() ? rest.next() : null;
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void probe() throws IOException {
        operate(Operation.PROBE);
    }

    @Override
    public long usableBytes() throws IOException {
        operate(Operation.USABLE);
        return leftBytes();
    }

    @Override
    public long totalBytes() {
        return capacity;
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }

    private final class FakeFile implements Output, Access {
        private final String name;
        private final Stored stored;
        private boolean failed;
        private boolean closed;

        // A repair of a file may undo a failed write; a recording must not continue after one.
        private final boolean mends;

        private FakeFile(String name, Stored stored) {
            this(name, stored, false);
        }

        private FakeFile(String name, Stored stored, boolean mends) {
            this.mends = mends;
            this.name = name;
            this.stored = stored;
            stored.users++;
        }

        private void use(Operation operation) throws IOException {
            require(!failed && !closed, name + ": " + operation + " after " + (closed ? "its end" : "a failure"));
            try {
                operate(operation);
            } catch (IOException e) {
                failed = operation != Operation.READ && !mends;
                throw e;
            }
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            write(stored.length, bytes);
        }

        @Override
        public void write(long position, ByteBuffer bytes) throws IOException {
            try {
                use(Operation.WRITE);
            } catch (IOException e) {
                int half = bytes.remaining() / 2; // a short write before the failure
                stored.put((int) position, bytes.duplicate().limit(bytes.position() + half));
                throw e;
            }
            long tooMany = position + bytes.remaining() - stored.length - (capacity - usedBytes());
            if (capacity != Long.MAX_VALUE && tooMany > 0) {
                failed = true;
                stored.put((int) position, bytes.duplicate().limit(bytes.limit() - (int) tooMany));
                throw new IOException("No space left on device");
            }
            stored.put((int) position, bytes);
        }

        @Override
        public void rewrite(long position, ByteBuffer bytes) throws IOException {
            require(position + bytes.remaining() <= stored.length, name + " has nothing to be written over there");
            write(position, bytes);
        }

        @Override
        public long length() {
            return stored.length;
        }

        @Override
        public void read(long position, ByteBuffer target) throws IOException {
            use(Operation.READ);
            int count = (int) Math.max(0, Math.min(target.remaining(), stored.length - position));
            stored.bytes.getBytes((int) position, target, count);
            bytesRead += count;
        }

        @Override
        public void truncate(long length) throws IOException {
            use(Operation.TRUNCATE);
            require(length <= stored.length, name + " has only " + stored.length + " bytes of " + length);
            stored.length = (int) length;
        }

        @Override
        public void force() throws IOException {
            use(Operation.FORCE);
            stored.forced = stored.length;
        }

        @Override
        public void close() throws IOException {
            require(!closed, name + " is closed twice");
            closed = true;
            stored.users--;
            operate(Operation.CLOSE);
        }
    }
}
