package org.mavlogd.link;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Pseudo terminals of socat. A terminal gets its final name only after socat has set it up. Under socat's own link,
 * which exists earlier, a program could open it while socat still changes its settings, and would then block in a read.
 */
public final class PseudoTerminals {
    private static final String READY = "starting data transfer loop";

    private PseudoTerminals() {}

    /** Whether this computer can make them. */
    public static boolean arePossible() {
        return Stream.of("/usr/bin/socat", "/bin/socat", "/usr/local/bin/socat")
                .anyMatch(place -> Files.isExecutable(Path.of(place)));
    }

    /** Opens one terminal; its other side is the standard input and output of the process. */
    public static Process open(Path device) throws IOException {
        return start(List.of("-", terminal(device)), List.of(device));
    }

    /** Opens two terminals that are connected. */
    public static Process connected(Path one, Path other) throws IOException {
        return start(List.of(terminal(one), terminal(other)), List.of(one, other));
    }

    private static String terminal(Path device) {
        return "pty,raw,echo=0,link=" + early(device);
    }

    private static Path early(Path device) {
        return device.resolveSibling(device.getFileName() + ".early");
    }

    private static Process start(List<String> ends, List<Path> devices) throws IOException {
        List<String> command = new ArrayList<>(List.of("socat", "-d", "-d"));
        command.addAll(ends);
        Process socat = new ProcessBuilder(command).start();
        BufferedReader said = new BufferedReader(new InputStreamReader(socat.getErrorStream(), StandardCharsets.UTF_8));
        StringBuilder all = new StringBuilder();
        for (String line; (line = said.readLine()) != null; all.append(line).append('\n')) {
            if (line.contains(READY)) {
                for (Path device : devices) {
                    Files.move(early(device), device, StandardCopyOption.ATOMIC_MOVE);
                }
                return socat;
            }
        }
        throw new IOException("socat makes no terminal: " + all);
    }
}
