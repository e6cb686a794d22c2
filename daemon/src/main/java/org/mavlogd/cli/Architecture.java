package org.mavlogd.cli;

import java.util.Set;

/**
 * The processors that the program supports. Others are refused: on 32-bit Arm, unaligned access to 64-bit values hangs
 * a link's thread or ends the process, without a visible error before.
 */
public final class Architecture {
    private static final Set<String> SUPPORTED = Set.of("amd64", "x86_64", "aarch64");

    private Architecture() {}

    /**
     * Why the program cannot run here; empty if it can.
     *
     * @param name the system property {@code os.arch}
     */
    public static String problem(String name) {
        return SUPPORTED.contains(name)
                ? ""
                : "mavlogd runs only on 64-bit systems for x86 (amd64) and Arm (arm64), and this Java is for \"" + name
                        + "\": install a 64-bit operating system";
    }
}
