package org.mavlogd.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The machine on which figures were measured. */
final class Machine {
    private Machine() {}

    static String description() throws IOException {
        String model = Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                .filter(line -> line.startsWith("model name") || line.startsWith("Model"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("unknown processor");
        return Runtime.getRuntime().availableProcessors() + " cores of " + model + ", Linux "
                + System.getProperty("os.version") + " " + System.getProperty("os.arch") + ", Java "
                + System.getProperty("java.version");
    }

    /** Runnable threads of the whole machine, averaged over 1, 5 and 15 minutes. */
    static String load() throws IOException {
        String[] fields = Files.readString(Path.of("/proc/loadavg")).split(" ", -1);
        return fields[0] + " " + fields[1] + " " + fields[2];
    }
}
