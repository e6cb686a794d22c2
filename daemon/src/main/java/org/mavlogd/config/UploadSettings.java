package org.mavlogd.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mavlogd.store.SpaceLimits;

/**
 * Sections {@code [upload]} and {@code [[target]]}, which the recorder only checks: {@code mavlogd upload} reads them,
 * and from other sections the settings of the recorder that it needs.
 *
 * @param stateDirectory where the uploader stores which logs it sent
 * @param vehicle name in keys; empty for that in the logs
 * @param whileArmed whether logs are sent while a vehicle is armed
 * @param order of the logs
 * @param crashFirst whether logs with crash data are sent before all others
 * @param maxBytesPerS of all targets together; 0 for no limit
 * @param network over which connections may be made
 * @param targets names are unique
 * @param logDirectory of the recorder
 * @param space limits of the recorder
 * @param recorder the recorder's status server; empty if there is none
 */
public record UploadSettings(
        Path stateDirectory,
        String vehicle,
        boolean whileArmed,
        Order order,
        boolean crashFirst,
        long maxBytesPerS,
        Network network,
        List<UploadTarget> targets,
        Path logDirectory,
        SpaceLimits space,
        Optional<RecorderAddress> recorder) {
    /** Which log is sent first. */
    public enum Order {
        NEWEST,
        OLDEST
    }

    /**
     * The networks over which logs may be sent; both lists must allow it.
     *
     * @param interfaces names, where {@code *} stands for any characters; empty for all
     * @param networks of this computer's address; empty for all
     */
    public record Network(List<Pattern> interfaces, List<Prefix> networks) {
        public Network {
            interfaces = List.copyOf(interfaces);
            networks = List.copyOf(networks);
        }
    }

    /** Addresses with a common prefix, such as 192.168.0.0/16. */
    public record Prefix(List<Byte> address, int bits) {
        public Prefix {
            address = List.copyOf(address);
        }

        /** Whether an address has the prefix. */
        public boolean contains(byte[] other) {
            if (other.length != address.size()) {
                return false;
            }
            for (int bit = 0; bit < bits; bit++) {
                int mask = 0x80 >> bit % Byte.SIZE;
                if (((other[bit / Byte.SIZE] ^ address.get(bit / Byte.SIZE)) & mask) != 0) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Name of the uploader's list in its directory: name and length of each file that all targets have. */
    public static final String UPLOADED = "uploaded";

    /** Name of the uploader's status in its directory, for people and programs. */
    public static final String STATUS = "status.json";

    private static final int MAX_LIST = 32;
    private static final int BYTES_PER_KB = 1000;
    private static final String DEFAULT_STATE = "/var/lib/mavlogd/upload";
    private static final Pattern VEHICLE_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}|");
    private static final Pattern INTERFACE = Pattern.compile("[A-Za-z0-9_.*-]{1,32}");
    private static final Pattern CIDR = Pattern.compile("([0-9a-fA-F.:]{2,45})/([0-9]{1,3})");

    private static final Key<Path> STATE_DIRECTORY = Key.withDefault(
            "state_directory",
            Path.of(DEFAULT_STATE),
            '"' + DEFAULT_STATE + '"',
            ValueType.DIRECTORY,
            "where the uploader stores which logs it sent");
    private static final Key<String> VEHICLE = Key.string(
            "vehicle",
            "",
            ValueType.matching(VEHICLE_NAME, "up to 64 letters, digits and \"._-\", a letter or digit first, or \"\""),
            "value of {vehicle} in keys; \"\" for the unique id in the log, or sys001");
    private static final Key<Boolean> WHILE_ARMED =
            Key.bool("while_armed", false, "send logs while a vehicle is armed, too");
    private static final Key<Order> ORDER =
            Key.choice("order", Order.NEWEST, List.of(Order.values()), "which log is sent first");
    private static final Key<Boolean> CRASH_FIRST =
            Key.bool("crash_first", true, "send logs with crash data before all others");
    private static final Key<Integer> MAX_KB_S = Key.integer(
            "max_kb_s",
            0,
            ValueType.range(0, 10_000_000),
            "kilobytes (1000 bytes) per second of all targets together; 0 for no limit");
    private static final Key<List<String>> INTERFACES = Key.withDefault(
            "interfaces",
            List.of(),
            "[]",
            ValueType.listOf(
                    ValueType.matching(INTERFACE, "a name of an interface"),
                    MAX_LIST,
                    "an array of at most " + MAX_LIST + " names of interfaces such as \"wlan0\" or \"eth*\""),
            "network interfaces over which logs may be sent; [] for all");
    private static final Key<List<Prefix>> NETWORKS = Key.withDefault(
            "networks",
            List.of(),
            "[]",
            ValueType.listOf(
                    ValueType.of("a network such as \"192.168.0.0/16\"", value -> prefix(ValueType.string(value))),
                    MAX_LIST,
                    "an array of at most " + MAX_LIST + " networks such as \"192.168.0.0/16\""),
            "send logs only while this computer has an address in one of these networks; [] for all");

    static final Section SECTION = Section.table(
            "upload",
            "uploading finished logs (mavlogd upload)",
            STATE_DIRECTORY,
            VEHICLE,
            WHILE_ARMED,
            ORDER,
            CRASH_FIRST,
            MAX_KB_S,
            INTERFACES,
            NETWORKS);

    public UploadSettings {
        targets = List.copyOf(targets);
    }

    /** Reads and checks the sections that the uploader needs; the exception lists all errors in them. */
    public static UploadSettings load(Path path) throws ConfigException {
        Configuration config = Configuration.read(path, Settings.SECTIONS);
        SectionReader upload = config.table(SECTION);
        SectionReader log = config.table(LogSection.SECTION);
        UploadSettings settings = new UploadSettings(
                upload.value(STATE_DIRECTORY),
                upload.value(VEHICLE),
                upload.value(WHILE_ARMED),
                upload.value(ORDER),
                upload.value(CRASH_FIRST),
                (long) upload.value(MAX_KB_S) * BYTES_PER_KB,
                new Network(
                        upload.value(INTERFACES).stream()
                                .map(UploadSettings::glob)
                                .toList(),
                        upload.value(NETWORKS)),
                TargetSection.read(config),
                LogSection.directory(log),
                LogSection.space(log, uploaded(upload)),
                RecorderAddress.load(path));
        config.problems().throwIfAny(0);
        return settings;
    }

    static Path stateDirectory(SectionReader upload) {
        return upload.value(STATE_DIRECTORY);
    }

    /** The uploader's list of the files that all targets have. */
    static Path uploaded(SectionReader upload) {
        return stateDirectory(upload).resolve(UPLOADED);
    }

    private static Pattern glob(String name) {
        return Pattern.compile(Pattern.quote(name).replace("*", "\\E.*\\Q"));
    }

    private static Prefix prefix(String text) throws ValueType.BadValueException {
        Matcher parts = CIDR.matcher(text);
        if (!parts.matches()) {
            throw new ValueType.BadValueException(Quoted.text(text) + " is not a network");
        }
        byte[] address;
        try {
            boolean isIpv6 = parts.group(1).indexOf(':') >= 0;
            if (!isIpv6) {
                var unused = HostPort.parse(parts.group(1) + ":1", 1);
            }
            // A literal: no name is resolved.
            address = InetAddress.getByName(isIpv6 ? '[' + parts.group(1) + ']' : parts.group(1))
                    .getAddress();
        } catch (UnknownHostException e) {
            throw new ValueType.BadValueException(Quoted.text(text) + " is not a network", e);
        }
        int bits = Integer.parseInt(parts.group(2));
        if (bits > address.length * Byte.SIZE) {
            throw new ValueType.BadValueException(
                    Quoted.text(text) + ": at most " + address.length * Byte.SIZE + " bits");
        }
        Byte[] boxed = new Byte[address.length];
        for (int i = 0; i < address.length; i++) {
            boxed[i] = address[i];
        }
        return new Prefix(List.of(boxed), bits);
    }
}
