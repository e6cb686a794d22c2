package org.mavlogd.setup;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The programs that have a serial port or a UDP port open, from /proc. Only root sees those of other users. */
public final class PortHolders {
    // Fields of a line in /proc/net/udp, see proc(5).
    private static final int LOCAL_ADDRESS = 1;
    private static final int INODE = 9;

    private final Computer computer;

    PortHolders(Computer computer) {
        this.computer = computer;
    }

    /**
     * A program.
     *
     * @param name in the kernel, at most 15 characters
     */
    public record Holder(long pid, String name) {
        @Override
        public String toString() {
            return name + " (process " + pid + ")";
        }
    }

    /** Programs other than this one that have the device open. */
    List<Holder> ofDevice(Path device) {
        String real = computer.real(device).toString();
        return holders(real::equals);
    }

    /** Programs other than this one that listen on the port. */
    List<Holder> ofUdpPort(int port) {
        String ending = String.format(Locale.ROOT, ":%04X", port);
        Set<String> sockets = List.of("/proc/net/udp", "/proc/net/udp6").stream()
                .flatMap(file -> computer.lines(file).stream())
                .map(line -> line.trim().split("\\s+"))
                .filter(words -> words.length > INODE && words[LOCAL_ADDRESS].endsWith(ending))
                .map(words -> "socket:[" + words[INODE] + "]")
                .collect(Collectors.toSet());
        return sockets.isEmpty() ? List.of() : holders(sockets::contains);
    }

    private List<Holder> holders(Predicate<String> isIt) {
        List<Holder> holders = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(computer.path("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                if (hasOpen(process, isIt)) {
                    add(holders, process);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return holders; // unknown without /proc
        }
        return holders;
    }

    private static void add(List<Holder> holders, Path process) {
        try {
            long pid = Long.parseLong(String.valueOf(process.getFileName()));
            if (pid != ProcessHandle.current().pid()) {
                holders.add(
                        new Holder(pid, Computer.text(process.resolve("comm")).strip()));
            }
        } catch (NumberFormatException e) {
            return; // not a process
        }
    }

    private static boolean hasOpen(Path process, Predicate<String> isIt) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path file : files) {
                if (isIt.test(Files.readSymbolicLink(file).toString())) {
                    return true;
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return false; // it belongs to another user, or has just ended
        }
        return false;
    }
}
