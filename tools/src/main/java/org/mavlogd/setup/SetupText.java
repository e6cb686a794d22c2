package org.mavlogd.setup;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.mavlogd.link.LinkSettings;

/** The text that {@code init} prints about a port, its test, and the next steps. */
public final class SetupText {
    private static final String SERVICE_CONFIG = "/etc/mavlogd/mavlogd.toml";

    private SetupText() {}

    /** A port in words. */
    public static String name(LinkSettings link) {
        if (link instanceof LinkSettings.SerialPort serial) {
            return serial.device();
        }
        if (link instanceof LinkSettings.UdpListen udp) {
            return "UDP port " + udp.port() + ", on which this computer listens";
        }
        return link.toString();
    }

    /** A vehicle in words, with the rate of its log if that arrived. */
    public static String found(Vehicle vehicle, PortTest.Result result) {
        String stream = result.isGood()
                ? String.format(
                        Locale.ROOT,
                        ", its log comes at %.1f KB/s",
                        result.heard().stream().kiloBytesPerSecond())
                : "";
        return "Found " + vehicle.text() + ' ' + (vehicle.isArmed() ? "armed" : "disarmed") + stream;
    }

    /** The port without access from other computers, which a vehicle or router on this computer does not need. */
    public static LinkSettings nearest(PortTest.Result result) {
        boolean isLocal = result.vehicle()
                .map(Vehicle::address)
                .map(address -> address.startsWith("127.") || address.startsWith("[::1]"))
                .orElse(false);
        return isLocal
                        && result.port() instanceof LinkSettings.UdpListen udp
                        && udp.host().equals("0.0.0.0")
                ? new LinkSettings.UdpListen(udp.name(), "127.0.0.1", udp.port(), true)
                : result.port();
    }

    /** The next commands. */
    public static List<String> next(Path config, Path directory) {
        List<String> lines = new ArrayList<>(List.of("", "Next:"));
        boolean isService = config.equals(Path.of(SERVICE_CONFIG));
        if (isService && !directory.startsWith("/var/lib/mavlogd")) {
            lines.add("  sudo install -d -o mavlogd " + directory);
            lines.add("  sudo systemctl edit mavlogd      # add, so that the service may write there:");
            MountUnit.of(directory).ifPresent(mount -> {
                // Not RequiresMountsFor=, which would keep the recorder off while the disk is missing.
                lines.add("      [Unit]");
                lines.add("      Wants=" + mount);
                lines.add("      After=" + mount);
            });
            lines.add("      [Service]");
            lines.add("      ReadWritePaths=-" + directory); // it may be missing, with its disk
        }
        lines.addAll(
                isService
                        ? List.of("  sudo systemctl restart mavlogd", "  mavlogd status")
                        : List.of(
                                "  mavlogd run --check-config --config " + config, "  mavlogd run --config " + config));
        return lines;
    }
}
