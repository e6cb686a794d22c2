package org.mavlogd.contain;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** Errors for tests, and proxies for interfaces that throw them from one of their methods. */
public final class Thrown {
    /** One error of each family that must be contained. */
    public static final List<Supplier<Throwable>> CONTAINABLE = List.of(
            () -> new IllegalStateException("test: a mistake"),
            Thrown::overflow,
            () -> new NoClassDefFoundError("test/Missing"),
            () -> new AssertionError("test: an assertion"));

    private Thrown() {}

    /** A real stack overflow, with a stack trace as deep as Java stores it. */
    public static StackOverflowError overflow() {
        try {
            return new StackOverflowError("never seen" + deeper(0));
        } catch (StackOverflowError e) {
            return e;
        }
    }

    @SuppressWarnings("InfiniteRecursion") // meant to overflow
    private static int deeper(int depth) {
        return deeper(depth + 1) + 1;
    }

    /** Throws an error that no signature declares. */
    @SuppressWarnings({"unchecked", "DoNotCallSuggester"})
    public static <E extends Throwable> RuntimeException sneak(Throwable error) throws E {
        throw (E) error;
    }

    /** All methods that an implementation must have. */
    public static List<Method> methods(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .toList();
    }

    /** Returns an implementation that delegates to {@code real}, except that {@code faulty} always throws. */
    public static <T> T from(Class<T> type, T real, Method faulty, Supplier<Throwable> error) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.equals(faulty)) {
                throw error.get();
            }
            try {
                return method.invoke(real, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** Returns an implementation that throws from every method. */
    public static <T> T always(Class<T> type, Supplier<Throwable> error) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (p, m, a) -> {
            throw error.get();
        }));
    }
}
