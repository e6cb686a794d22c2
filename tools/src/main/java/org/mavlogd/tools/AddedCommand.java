package org.mavlogd.tools;

import java.util.List;
import java.util.ServiceLoader;

/**
 * A command that another jar on the class path adds to the command line: a class annotated for picocli, with a public
 * constructor without parameters, that is listed in that jar's {@code
 * META-INF/services/org.mavlogd.tools.AddedCommand}. So only that jar depends on this one.
 */
public interface AddedCommand {
    /** The names of all commands of other jars, for suggestions: most commands run without these jars. */
    List<String> NAMES = List.of("page", "report", "upload", "lake");

    /** The added commands, in the order of their lines. */
    static List<? extends Class<?>> all() {
        return ServiceLoader.load(AddedCommand.class).stream()
                .map(ServiceLoader.Provider::type)
                .toList();
    }
}
