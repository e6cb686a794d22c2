package org.mavlogd.app;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mavlogd.config.ConfigException;
import org.mavlogd.config.HostPort;
import org.mavlogd.config.LocalSettings;
import org.mavlogd.config.PageSettings;
import org.mavlogd.config.Settings;
import org.mavlogd.config.UploadSettings;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.store.SpaceLimits;

/**
 * Warnings about a valid configuration that will not work on this computer: it checks devices and directories with the
 * permissions of the current user. Only for {@code --check-config}; the recorder starts nevertheless, and tries again.
 */
final class ConfigWarnings {
    /** 10 bits on the wire for a byte, 8N1. */
    private static final int BITS_PER_BYTE = 10;
    /**
     * An ArduRover with default settings fills 921600 baud and would send more; PX4's default profile needs about half
     * of it. On a slower port the vehicle drops log data.
     */
    private static final int SLOW_BAUD = 460_800;

    /** RuntimeDirectory of the service. */
    private static final Path RUNTIME = Path.of("/run/mavlogd");

    private static final Set<String> EVERYWHERE = Set.of("0.0.0.0", "::");
    private static final long MEBI = 1 << 20;

    private final List<String> warnings = new ArrayList<>();
    private final List<Use> uses = new ArrayList<>();

    /**
     * A resource that only one section can have.
     *
     * @param kind of the resource, for messages
     * @param host empty if it has none
     * @param networkInterface to which it is bound; empty for any
     * @param thing the resource: a port or a file
     * @param name of the resource as configured
     */
    private record Use(String section, String kind, String host, String networkInterface, String thing, String name) {
        boolean isWith(Use other) {
            boolean isSameHost =
                    host.equals(other.host) || EVERYWHERE.contains(host) || EVERYWHERE.contains(other.host);
            // The same port is free on each interface, unless it is taken on all of them.
            boolean isSameInterface = networkInterface.equals(other.networkInterface)
                    || networkInterface.isEmpty()
                    || other.networkInterface.isEmpty();
            return kind.equals(other.kind) && thing.equals(other.thing) && isSameHost && isSameInterface;
        }
    }

    private ConfigWarnings() {}

    /** One line each, without the name of the file. */
    static List<String> of(Settings settings, Path config) {
        ConfigWarnings check = new ConfigWarnings();
        settings.links().forEach(link -> check.link("link \"" + link.name() + '"', link));
        settings.links().stream()
                .filter(link -> !settings.forwarding().withoutVehicles().contains(link.name()))
                .forEach(check::baud);
        check.local(settings.local());
        settings.http().listen().ifPresent(check::http);
        page(config).ifPresent(listen -> check.use("page.listen", "TCP port", listen.host(), "", listen.port()));
        check.conflicts();
        check.directory("log.directory", settings.logDirectory());
        if (settings.signing().key().isPresent()) {
            check.directory("signing.state_file", parent(settings.signing().stateFile()));
        }
        check.limits(settings);
        check.retention(settings.space(), config);
        return check.warnings;
    }

    private void local(LocalSettings local) {
        local.nmea().forEach(nmea -> nmea.links().forEach(link -> link("nmea \"" + link.name() + '"', link)));
        local.publish().links().forEach(link -> link(link.name(), link));
        local.texts().syslog().links().forEach(link -> link(link.name(), link));
    }

    private void http(InetSocketAddress listen) {
        use("http.listen", "TCP port", listen.getHostString(), "", listen.getPort());
    }

    /** The page is another program with its own secrets, and reports errors of its configuration itself. */
    private static Optional<HostPort> page(Path config) {
        try {
            return Optional.of(PageSettings.load(config).listen());
        } catch (ConfigException e) {
            return Optional.empty();
        }
    }

    private void link(String section, LinkSettings link) {
        if (link instanceof LinkSettings.UdpListen udp) {
            use(section, "UDP port", udp.host(), udp.networkInterface(), udp.port());
        } else if (link instanceof LinkSettings.TcpListen tcp) {
            use(section, "TCP port", tcp.host(), tcp.networkInterface(), tcp.port());
        } else if (link instanceof LinkSettings.UnixDatagram unix) {
            uses.add(new Use(section, "socket", "", "", unix.path(), unix.path()));
            unixDirectory(section, Path.of(unix.path()).getParent());
        } else if (link instanceof LinkSettings.SerialPort serial) {
            uses.add(new Use(section, "device", "", "", realPath(serial.device()), serial.device()));
            device(section, Path.of(serial.device()));
        }
    }

    private void use(String section, String kind, String host, String networkInterface, int port) {
        if (port != 0) { // 0 is any free one
            String address = host.equalsIgnoreCase("localhost") ? "127.0.0.1" : host;
            uses.add(new Use(section, kind, address, networkInterface, Integer.toString(port), Integer.toString(port)));
        }
    }

    /** A device has several names: those below /dev/serial, and /dev/serial0, are links. */
    private static String realPath(String device) {
        try {
            return Path.of(device).toRealPath().toString();
        } catch (IOException e) {
            return device; // it is not there
        }
    }

    private static Path parent(Path file) {
        Path absolute = file.toAbsolutePath();
        return Objects.requireNonNullElse(absolute.getParent(), absolute);
    }

    private void conflicts() {
        for (int i = 0; i < uses.size(); i++) {
            for (Use later : uses.subList(i + 1, uses.size())) {
                Use use = uses.get(i);
                if (use.isWith(later)) {
                    warnings.add(later.section() + ": " + use.kind() + ' ' + later.name() + " is used by "
                            + use.section() + " as well; only one of them gets it");
                }
            }
        }
    }

    private void device(String section, Path device) {
        if (!Files.exists(device)) {
            warnings.add(section + ": there is no device " + device
                    + " now; if it is not plugged in yet, ignore this. Names under /dev/serial/by-id do not change");
        } else if (!Files.isReadable(device) || !Files.isWritable(device)) {
            warnings.add(section + ": user " + user() + " may not read and write " + device
                    + "; add the user of the service to the device's group (Debian: dialout)");
        }
    }

    private void unixDirectory(String section, @Nullable Path parent) {
        // Its own directory exists while the service runs.
        if (parent != null && !parent.equals(RUNTIME) && !Files.isDirectory(parent)) {
            warnings.add(section + ": there is no directory " + parent + " for the socket; create it");
        }
    }

    private void baud(LinkSettings link) {
        if (link instanceof LinkSettings.SerialPort serial && serial.baud() < SLOW_BAUD) {
            warnings.add(String.format(
                    "link \"%s\": %d baud carry %.1f KB/s, and a log needs 30 to 60 KB/s; set 921600 here and on the vehicle",
                    serial.name(), serial.baud(), serial.baud() / (BITS_PER_BYTE * 1000.0)));
        }
    }

    /**
     * If the directory does not exist yet, its nearest existing parent is checked, because the recorder creates the
     * rest.
     */
    private void directory(String key, Path directory) {
        Path place = directory.toAbsolutePath();
        while (!Files.exists(place) && place.getParent() != null) {
            place = place.getParent();
        }
        if (!Files.isDirectory(place)) {
            warnings.add(key + ": " + place + " is not a directory");
        } else if (!Files.isWritable(place)) {
            warnings.add(key + ": user " + user() + " may not write in " + place
                    + "; check as the user of the service (sudo -u mavlogd), or choose another directory");
        }
    }

    private void limits(Settings settings) {
        SpaceLimits space = settings.space();
        long rotateBytes = settings.store().rotation().maxBytes();
        if (space.maxTotalBytes() > 0 && (rotateBytes == 0 || rotateBytes > space.maxTotalBytes())) {
            warnings.add("log.max_total_mib: a file may grow beyond these " + space.maxTotalBytes() / MEBI
                    + " MiB, so that all older logs are deleted; set rotate_mib to a quarter of it or less");
        }
        if (space.keepFreeBytes() > 0 && space.keepFreeBytes() < space.reserveBytes()) {
            warnings.add("log.keep_free_mib: " + space.keepFreeBytes() / MEBI + " is below reserve_mib, "
                    + space.reserveBytes() / MEBI + ", and is raised to it");
        }
        if (settings.fetch().afterDisarm()
                && space.maxTotalBytes() > 0
                && settings.fetch().maxTotalBytes() > space.maxTotalBytes()) {
            warnings.add(
                    "fetch.max_total_mib: more than log.max_total_mib: fetched logs may take more room than recorded ones");
        }
    }

    private void retention(SpaceLimits space, Path config) {
        if (space.uploads().retention() == SpaceLimits.Retention.ONLY_UPLOADED && hasNoTarget(config)) {
            warnings.add(
                    "log.retention: \"only_uploaded\" without a [[target]]: no log is ever uploaded, so none is deleted,"
                            + " and recording pauses when the disk is full; add a target, or choose \"oldest\"");
        }
    }

    private static boolean hasNoTarget(Path config) {
        try {
            return UploadSettings.load(config).targets().isEmpty();
        } catch (ConfigException e) {
            return false; // the uploader reports it
        }
    }

    private static String user() {
        return '"' + System.getProperty("user.name", "?") + '"';
    }
}
