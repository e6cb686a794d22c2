package org.mavlogd.faults;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mavlogd.store.Disk;

/**
 * Counts every operation on a disk and its files, and makes the n-th fail, or all from the n-th on. Fails the test if a
 * file is written or forced again after it failed.
 */
final class FailingDisk {
    /** Methods that do not access the disk. */
    private static final Set<String> FREE = Set.of("location", "toString", "hashCode", "equals");

    /** How operations fail. */
    enum Kind {
        EIO("Input/output error"),
        ENOSPC("No space left on device"),
        /** Half of the bytes are written, then the disk is full. */
        SHORT_WRITE("No space left on device (short)"),
        /** Writes succeed but their bytes never reach the disk; only forcing them fails. */
        FSYNC("Input/output error (fsync)");

        private static final Set<String> NEED_SPACE =
                Set.of("create", "grow", "replace", "write", "rewrite", "force", "rename", "forceNames");
        private final String message;

        Kind(String message) {
            this.message = message;
        }

        String message() {
            return message;
        }

        /** Whether an operation can fail in this way. */
        boolean hits(String operation) {
            return switch (this) {
                case EIO -> true;
                case ENOSPC -> NEED_SPACE.contains(operation);
                case SHORT_WRITE -> operation.equals("write") || operation.equals("rewrite");
                case FSYNC -> operation.equals("force");
            };
        }
    }

    private final Kind kind;
    private final int first;
    private final boolean forEver;
    private final List<String> operations = new ArrayList<>();
    private LongSupplier clock = () -> 0;
    private long firstFailureNs;
    private int failures;
    private int severe;

    /**
     * A disk that fails.
     *
     * @param first which operation fails first, counted from 0
     * @param forEver whether all operations of the kind fail from there on
     */
    FailingDisk(Kind kind, int first, boolean forEver) {
        this.kind = kind;
        this.first = first;
        this.forEver = forEver;
    }

    /** A disk that only counts its operations. */
    static FailingDisk sound() {
        return new FailingDisk(Kind.EIO, Integer.MAX_VALUE, false);
    }

    /** Sets the clock that gives the time of the first failure. */
    void clock(LongSupplier newClock) {
        clock = newClock;
    }

    Disk before(Disk disk) {
        return proxy(Disk.class, (proxy, method, arguments) -> {
            boolean ofNote = isNote(arguments);
            Object result = call(disk, method, arguments, ofNote, () -> {});
            // Decided by the declared type: a file of the fake disk implements both.
            Class<?> promised = method.getReturnType();
            if (promised == Disk.Output.class && result instanceof Disk.Output output) {
                return before(output);
            }
            return promised == Disk.Access.class && result instanceof Disk.Access access
                    ? before(access, ofNote)
                    : result;
        });
    }

    /** Recording does not depend on notes: they only help the next run to continue a log. */
    private static boolean isNote(Object @Nullable [] arguments) {
        return arguments != null
                && arguments.length > 0
                && arguments[0] instanceof String name
                && name.endsWith(".state");
    }

    private Disk.Access before(Disk.Access access, boolean ofNote) {
        return proxy(
                Disk.Access.class, (proxy, method, arguments) -> call(access, method, arguments, ofNote, () -> {}));
    }

    private Disk.Output before(Disk.Output output) {
        boolean[] failed = new boolean[1];
        return proxy(Disk.Output.class, (proxy, method, arguments) -> {
            if (failed[0] && !method.getName().equals("close")) {
                throw new AssertionError(method.getName() + " on a file that failed before");
            }
            return call(output, method, arguments, false, () -> failed[0] = true);
        });
    }

    /** Names of all operations so far. */
    List<String> operations() {
        return operations;
    }

    int failures() {
        return failures;
    }

    /** Whether an operation failed that recording depends on. */
    boolean isGrave() {
        return severe > 0;
    }

    /** Time of the first failure that recording depends on. */
    long firstFailureNs() {
        return firstFailureNs;
    }

    private @Nullable Object call(
            Object target, Method method, Object @Nullable [] arguments, boolean ofNote, Runnable onFailure)
            throws Throwable {
        String name = method.getName();
        if (FREE.contains(name)) {
            return invoke(target, method, arguments);
        }
        int operation = operations.size();
        operations.add(name);
        boolean due = operation == first || (forEver && operation > first);
        if (!due || !kind.hits(name)) {
            return invoke(target, method, arguments);
        }
        onFailure.run();
        failures++;
        if (!ofNote && severe++ == 0) {
            firstFailureNs = clock.getAsLong();
        }
        if (name.equals("close")) {
            invoke(target, method, arguments);
        } else if (kind == Kind.SHORT_WRITE) {
            invoke(target, method, halved(arguments));
        }
        throw new IOException(kind.message());
    }

    /** The arguments of a write, with half of the bytes. */
    private static Object @Nullable [] halved(Object @Nullable [] arguments) {
        if (arguments == null) {
            return null;
        }
        return Stream.of(arguments)
                .map(argument -> argument instanceof ByteBuffer bytes
                        ? bytes.slice(bytes.position(), bytes.remaining() / 2).order(bytes.order())
                        : argument)
                .toArray();
    }

    private static @Nullable Object invoke(Object target, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
