package org.mavlogd.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs another Java program with the class path of this one. */
public final class TestProgram {
    private static final long TIMEOUT_S = 300;

    private TestProgram() {}

    /** Runs a class with a main method until it ends; returns its output. */
    public static String run(Class<?> main, List<String> options, Object... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)).as("ends").isTrue();
        assertThat(process.exitValue()).as(printed).isZero();
        return printed;
    }
}
