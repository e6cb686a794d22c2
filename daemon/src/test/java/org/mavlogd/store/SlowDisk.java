package org.mavlogd.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;

/** A disk whose operations take time: before each of them, also on files being written, the test moves its clock. */
public final class SlowDisk {
    private SlowDisk() {}

    /** @param before receives the name of the method that is about to be called */
    public static Disk of(Disk real, Consumer<String> before) {
        return of(Disk.class, real, before);
    }

    private static <T> T of(Class<T> type, T real, Consumer<String> before) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    before.accept(method.getName());
                    try {
                        Object result = method.invoke(real, arguments);
                        return method.getReturnType() == Disk.Output.class
                                ? of(Disk.Output.class, (Disk.Output) result, before)
                                : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
