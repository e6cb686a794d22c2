package org.mavlogd.setup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.setup.PortHolders.Holder;

/**
 * Checks a port without opening it: whether it exists, whether the service may use it, and whether another program has
 * it open.
 */
public final class PortCheck {
    private static final String SERVICE_USER = "mavlogd";
    private static final Set<String> CONSOLES = Set.of("agetty", "getty", "login", "bash", "sh", "nvgetty.sh");
    private static final String MODEM_MANAGER = "ModemManager";
    private static final String RULES = "60-mavlogd.rules";
    private static final int NAME = 0;
    private static final int NUMBER = 2;
    private static final int MAIN_GROUP = 3;
    private static final int MEMBERS = 3;

    private final Computer computer;
    private final PortHolders holders;

    public PortCheck(Computer computer) {
        this.computer = computer;
        this.holders = new PortHolders(computer);
    }

    /** All problems of the port before it is opened. */
    public List<Finding> findings(LinkSettings port) {
        if (port instanceof LinkSettings.SerialPort serial) {
            return serial(serial.device());
        }
        if (port instanceof LinkSettings.UdpListen udp) {
            return holders.ofUdpPort(udp.port()).stream()
                    .map(
                            holder -> Finding.fatal(
                                    "UDP port " + udp.port() + " is in use by " + holder,
                                    "stop that program, or let it send to another port (mavlogd's own is 14600) and choose that one"))
                    .toList();
        }
        return List.of();
    }

    private List<Finding> serial(String name) {
        Path device = computer.path(name);
        if (!Files.exists(device)) {
            return List.of(missing(name));
        }
        String tty = String.valueOf(computer.real(device).getFileName());
        List<Finding> findings = new ArrayList<>();
        // The program that created a pseudo terminal has it open, too.
        boolean isPseudo = computer.real(device).startsWith("/dev/pts");
        List<Holder> found = isPseudo ? List.of() : holders.ofDevice(device);
        found.forEach(holder -> findings.add(held(name, tty, holder)));
        if (isKernelConsole(tty)) {
            findings.add(kernelConsole(name, tty));
        }
        permission(name, device).ifPresent(findings::add);
        if (found.isEmpty()) {
            modemManager(tty).ifPresent(findings::add);
        }
        return findings;
    }

    private Finding missing(String name) {
        String list = "ls -l /dev/serial/by-id /dev/ttyAMA* /dev/ttyTHS* /dev/ttyACM* /dev/ttyUSB*";
        return computer.isRaspberryPi() && !name.startsWith("/dev/serial/by-id")
                ? Finding.fatal(
                        "there is no device " + name,
                        "sudo raspi-config nonint do_serial_hw 0, then restart the computer",
                        "list devices: " + list)
                : Finding.fatal("there is no device " + name, "plug it in, and list devices: " + list);
    }

    private Finding held(String name, String tty, Holder holder) {
        String what = name + " is in use by " + holder;
        if (CONSOLES.contains(holder.name())) {
            return Finding.fatal(
                    what + ": it is the console of this computer",
                    tty.startsWith("ttyTHS")
                            ? "sudo systemctl disable --now nvgetty"
                            : "sudo systemctl disable --now serial-getty@" + tty,
                    // A login makes the port that of group tty, and leaves it so.
                    "sudo udevadm trigger --subsystem-match=tty, which returns the port to group dialout");
        }
        return switch (holder.name()) {
            case MODEM_MANAGER ->
                Finding.fatal(what + ", which takes it for a modem", "sudo systemctl disable --now ModemManager");
            case "brltty" -> Finding.fatal(what + ", which takes it for a Braille display", "sudo apt remove brltty");
            case "java", "mavlogd" ->
                Finding.fatal(what + ": perhaps a running mavlogd", "sudo systemctl stop mavlogd");
            default -> Finding.fatal(what, "stop that program; only one can read a serial port");
        };
    }

    private boolean isKernelConsole(String tty) {
        return Stream.of(computer.text("/proc/cmdline").split("\\s+"))
                .filter(word -> word.startsWith("console="))
                .map(word -> word.substring("console=".length()).split(",", -1)[0])
                .map(console -> computer.real(computer.path("/dev/" + console)))
                .anyMatch(console -> tty.equals(String.valueOf(console.getFileName())));
    }

    private Finding kernelConsole(String name, String tty) {
        String problem = "the kernel prints its messages on " + name + " (console= in /proc/cmdline)";
        return computer.isRaspberryPi()
                ? Finding.fatal(problem, "sudo raspi-config nonint do_serial_cons 1, then restart the computer")
                : Finding.fatal(
                        problem,
                        "take console=" + tty
                                + " out of the kernel's command line (Debian: /etc/default/grub and sudo update-grub;"
                                + " Jetson: /boot/extlinux/extlinux.conf), then restart the computer");
    }

    private Optional<Finding> permission(String name, Path device) {
        try {
            String group = nameOf("/etc/group", attribute(device, "unix:gid"));
            Set<PosixFilePermission> mode = Files.getPosixFilePermissions(device);
            if (!isServiceAllowed(device, mode, group)) {
                return Optional.of(denied(name, mode, group));
            }
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.of(Finding.warning("the permissions of " + name + " cannot be read: " + e.getMessage()));
        }
        boolean isOurs = Files.isReadable(device) && Files.isWritable(device);
        return isOurs
                ? Optional.empty()
                : Optional.of(Finding.fatal("you may not read and write " + name, "run this command again with sudo"));
    }

    private static Finding denied(String name, Set<PosixFilePermission> mode, String group) {
        String problem = "the user " + SERVICE_USER + " of the service may not read and write " + name;
        boolean isGroups = mode.contains(PosixFilePermission.GROUP_READ)
                && mode.contains(PosixFilePermission.GROUP_WRITE)
                && !group.equals("root");
        return isGroups
                ? Finding.fatal(problem, "sudo usermod -aG " + group + " " + SERVICE_USER)
                : Finding.fatal(
                        problem,
                        "give the device to group dialout by a udev rule: KERNEL==\""
                                + name.substring(name.lastIndexOf('/') + 1) + "\", GROUP=\"dialout\", MODE=\"0660\"",
                        "sudo usermod -aG dialout " + SERVICE_USER);
    }

    /** Without such a user the service is not installed, and the user who starts the recorder is checked. */
    private boolean isServiceAllowed(Path device, Set<PosixFilePermission> mode, String group) throws IOException {
        Optional<String[]> user = entry("/etc/passwd", NAME, SERVICE_USER);
        if (user.isEmpty() || user.get().length <= MAIN_GROUP) {
            return true;
        }
        boolean isOthers =
                mode.contains(PosixFilePermission.OTHERS_READ) && mode.contains(PosixFilePermission.OTHERS_WRITE);
        boolean isOwners = attribute(device, "unix:uid").equals(user.get()[NUMBER])
                && mode.contains(PosixFilePermission.OWNER_WRITE);
        boolean isGroups = mode.contains(PosixFilePermission.GROUP_READ)
                && mode.contains(PosixFilePermission.GROUP_WRITE)
                && (attribute(device, "unix:gid").equals(user.get()[MAIN_GROUP]) || isMember(group));
        return isOthers || isOwners || isGroups;
    }

    private boolean isMember(String group) {
        return entry("/etc/group", NAME, group)
                .filter(words -> words.length > MEMBERS)
                .map(words -> List.of(words[MEMBERS].split(",", -1)).contains(SERVICE_USER))
                .orElse(false);
    }

    private static String attribute(Path file, String name) throws IOException {
        return String.valueOf(Files.getAttribute(file, name));
    }

    private String nameOf(String file, String number) {
        return entry(file, NUMBER, number).map(words -> words[NAME]).orElse(number);
    }

    private Optional<String[]> entry(String file, int column, String value) {
        return computer.lines(file).stream()
                .map(line -> line.split(":", -1))
                .filter(words -> words.length > column && words[column].equals(value))
                .findFirst();
    }

    /** ModemManager opens ports to look for a modem, and disturbs their readers; our udev rules prevent this. */
    private Optional<Finding> modemManager(String tty) {
        boolean isUsb = tty.startsWith("ttyACM") || tty.startsWith("ttyUSB");
        boolean isKeptAway = Stream.of("/usr/lib/udev/rules.d/", "/lib/udev/rules.d/", "/etc/udev/rules.d/")
                .anyMatch(directory -> Files.exists(computer.path(directory + RULES)));
        boolean runs = isUsb && !isKeptAway && isRunning(MODEM_MANAGER.toLowerCase(Locale.ROOT));
        return runs
                ? Optional.of(
                        Finding.warning(
                                "ModemManager runs, and may take the autopilot for a modem",
                                "sudo systemctl disable --now ModemManager, or install mavlogd's package, whose udev rules keep it away"))
                : Optional.empty();
    }

    private boolean isRunning(String program) {
        try (Stream<Path> processes = Files.list(computer.path("/proc"))) {
            return processes
                    .filter(process -> String.valueOf(process.getFileName()).matches("\\d+"))
                    .anyMatch(process -> Computer.text(process.resolve("comm"))
                            .strip()
                            .toLowerCase(Locale.ROOT)
                            .equals(program));
        } catch (IOException e) {
            return false;
        }
    }
}
