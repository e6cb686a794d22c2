package org.mavlogd.tools;

import java.util.List;
import java.util.ServiceLoader;

/**
 * A command that another jar on the class path adds to the command line: a class that is annotated for picocli, has a public
 * constructor without parameters, and is named in that jar's {@code META-INF/services/org.mavlogd.tools.AddedCommand}. So
 * that jar knows this one, and this one works without it.
 */
public interface AddedCommand {
    /** Those that are there, in the order of their lines. */
    static List<? extends Class<?>> all() {
        return ServiceLoader.load(AddedCommand.class).stream()
                .map(ServiceLoader.Provider::type)
                .toList();
    }
}
