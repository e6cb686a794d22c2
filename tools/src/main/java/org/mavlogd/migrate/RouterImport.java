package org.mavlogd.migrate;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.mavlogd.migrate.RouterFile.Section;
import org.mavlogd.migrate.RouterFile.Value;

/**
 * Translates the configuration of mavlink-router to ours. A setting that mavlogd handles differently, or not at all,
 * becomes a note: a comment in its place, and a line for the user.
 */
public final class RouterImport {
    private static final int MAX_PORT = 65_535;
    private static final int TCP_SERVER_PORT = 5760;
    private static final int FIRST_UDP_PORT = 14_550;
    private static final int MAX_NAME = 32;
    private static final int MAX_MESSAGE_ID = 0xFFFFFF;
    private static final int MAX_ID = 255;
    private static final long BYTES_PER_MIB = 1 << 20;
    private static final int MAX_LOGS = 1_000_000;
    private static final int USUAL_BAUD = 115_200;
    private static final int MIN_BAUD = 1200;
    private static final int MAX_BAUD = 4_000_000;
    private static final long MAX_BYTES = BYTES_PER_MIB << 30;
    private static final Pattern IPV4 =
            Pattern.compile("(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\\.(?!$)|$)){4}");
    private static final Pattern IPV6 = Pattern.compile("\\[[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*]");
    private static final Pattern GROUP = Pattern.compile("2(?:2[4-9]|3[0-9])\\..*|\\[[fF]{2}.*");
    private static final Pattern BROADCAST = Pattern.compile("(?!2(?:2[4-9]|3[0-9])\\.)[0-9.]*\\.255");

    /** The names of a filter in both programs. */
    private record Filter(String theirs, String ours, int most) {}

    private static final List<Filter> FILTERS = List.of(
            new Filter("AllowMsgIdIn", "accept_messages", MAX_MESSAGE_ID),
            new Filter("BlockMsgIdIn", "refuse_messages", MAX_MESSAGE_ID),
            new Filter("AllowSrcSysIn", "accept_systems", MAX_ID),
            new Filter("BlockSrcSysIn", "refuse_systems", MAX_ID),
            new Filter("AllowSrcCompIn", "accept_components", MAX_ID),
            new Filter("BlockSrcCompIn", "refuse_components", MAX_ID),
            new Filter("AllowMsgIdOut", "send_messages", MAX_MESSAGE_ID),
            new Filter("BlockMsgIdOut", "withhold_messages", MAX_MESSAGE_ID),
            new Filter("AllowSrcSysOut", "send_systems", MAX_ID),
            new Filter("BlockSrcSysOut", "withhold_systems", MAX_ID),
            new Filter("AllowSrcCompOut", "send_components", MAX_ID),
            new Filter("BlockSrcCompOut", "withhold_components", MAX_ID));

    private final RouterFile file;
    private final List<String> log = new ArrayList<>();
    private final List<String> tlog = new ArrayList<>();
    private final List<String> vehicle = new ArrayList<>();
    private final List<String> links = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private final Map<String, String> groups = new LinkedHashMap<>();
    // Ports of endpoints without one, by the line of their section.
    private final Map<Integer, Integer> udpPorts = new HashMap<>();

    /**
     * The result of a translation.
     *
     * @param toml lines of our configuration
     * @param notes differences, one line each, with their place
     */
    public record Translation(List<String> toml, List<String> notes) {}

    private RouterImport(RouterFile file) {
        this.file = file;
    }

    /**
     * Translates the text of a file.
     *
     * @param name of the file, for messages
     * @throws ForeignConfigException if mavlink-router would refuse the file, too
     */
    public static Translation translate(String name, String text) throws ForeignConfigException {
        return new RouterImport(RouterFile.parse(name, text)).translate(name);
    }

    private Translation translate(String name) throws ForeignConfigException {
        List<Section> sections = new ArrayList<>(file.sections());
        // [General] may come last or be missing: its TCP port is open in any case.
        sections.sort(Comparator.comparing(section -> !section.kind().equals("general")));
        if (sections.isEmpty() || !sections.get(0).kind().equals("general")) {
            sections.add(0, new Section("general", "", 1, Map.of()));
        }
        giveUdpPorts(sections);
        sections.forEach(this::translate);
        if (!file.problems().isEmpty()) {
            throw new ForeignConfigException(file.problems());
        }
        List<String> toml = new ArrayList<>();
        toml.add("# Translated from mavlink-router's " + RouterFile.quoted(name) + " by 'mavlogd config import'.");
        addTable(toml, "[log]", log);
        addTable(toml, "[tlog]", tlog);
        addTable(toml, "[vehicle]", vehicle);
        toml.addAll(links);
        return new Translation(toml, List.copyOf(notes));
    }

    private static void addTable(List<String> toml, String header, List<String> lines) {
        if (!lines.isEmpty()) {
            toml.add("");
            toml.add(header);
            toml.addAll(lines);
        }
    }

    /**
     * Assigns UDP ports as mavlink-router does, starting with the last section: the next one that no other endpoint
     * with the same address has.
     */
    private void giveUdpPorts(List<Section> sections) {
        Map<String, Set<String>> taken = new HashMap<>();
        List<Section> portless = new ArrayList<>();
        for (Section section : sections) {
            Value port = section.values().get("port");
            if (!section.kind().equals("udpendpoint")) {
                continue;
            }
            if (port == null) {
                portless.add(0, section);
            } else {
                taken.computeIfAbsent(addressOf(section), address -> new HashSet<>())
                        .add(port.text());
            }
        }
        for (Section section : portless) {
            Set<String> others = taken.computeIfAbsent(addressOf(section), address -> new HashSet<>());
            int port = FIRST_UDP_PORT;
            while (!others.add(String.valueOf(port))) {
                port++;
            }
            udpPorts.put(section.line(), port);
        }
    }

    private static String addressOf(Section section) {
        Value address = section.values().get("address");
        return address == null ? "" : address.text();
    }

    private void translate(Section section) {
        RouterValues values = new RouterValues(file, section);
        switch (section.kind()) {
            case "general" -> general(values);
            case "uartendpoint" -> serial(section, values);
            case "udpendpoint" -> udp(section, values);
            case "tcpendpoint" -> tcp(section, values);
            default -> {
                note(links, section.line(), "the section [" + section.kind() + "] is not known; not translated");
                return;
            }
        }
        for (Value value : values.unknown()) {
            note(links, value.line(), value.key() + " is not known; not translated");
        }
    }

    private void general(RouterValues values) {
        values.value("Log").ifPresent(set -> log.add("directory = " + quoted(set)));
        values.word("LogMode", Map.of("always", "always", "while-armed", "armed"))
                .ifPresent(mode -> log.add("mode = \"" + mode + '"'));
        values.number("MinFreeSpace", 0, MAX_BYTES)
                .ifPresent(bytes -> log.add("keep_free_mib = " + (bytes + BYTES_PER_MIB - 1) / BYTES_PER_MIB));
        values.number("MaxLogFiles", 0, MAX_LOGS).ifPresent(count -> log.add("max_files = " + count));
        if (values.bool("LogTelemetry")) {
            tlog.add("enabled = true");
        }
        values.number("LogSystemId", 1, MAX_ID).ifPresent(id -> vehicle.add("system_id = " + id));
        noteGeneral(values);
        OptionalLong port = values.number("TcpServerPort", 0, MAX_PORT);
        if (port.orElse(TCP_SERVER_PORT) > 0) {
            links.add("");
            if (port.isEmpty()) {
                links.add("# Open by default there.");
            }
            begin("tcp-server", "tcp");
            links.add("listen = \"0.0.0.0:" + port.orElse(TCP_SERVER_PORT) + '"');
            links.add("forward = true");
        }
    }

    private void noteGeneral(RouterValues values) {
        noteKey(values, log, "MavlinkDialect", "not needed: the heartbeat names the autopilot");
        if (values.number("DeDuplicationPeriod", 0, Integer.MAX_VALUE).isPresent()) {
            noteKey(
                    values,
                    links,
                    "DeDuplicationPeriod",
                    "a copy of a frame within a second is always dropped; not needed");
        }
        values.number("SnifferSysid", 0, MAX_ID)
                .ifPresent(id -> noteKey(
                        values,
                        links,
                        "SnifferSysid",
                        "a link is a sniffer, not an id: set sniffer = true where system " + id + " is"));
        if (values.bool("ReportStats")) {
            noteKey(values, links, "ReportStats", "counts are in mavlogd's metrics; not needed");
        }
        noteKey(
                values,
                links,
                "DebugLogLevel",
                "is an option, not a setting: 'mavlogd run --log-level'; not translated");
    }

    private void serial(Section section, RouterValues values) {
        links.add("");
        begin(section.name(), "serial");
        values.required("Device").ifPresent(device -> {
            if (!device.text().startsWith("/")) {
                values.wrong(device, device.text(), "an absolute path");
            }
            links.add("device = " + quoted(device));
        });
        List<Long> rates = values.numbers("Baud", MIN_BAUD, MAX_BAUD);
        links.add("baud = " + (rates.isEmpty() ? USUAL_BAUD : rates.get(0)));
        if (rates.size() > 1) {
            noteKey(values, links, "Baud", "only the first rate is used; the others are not tried");
        }
        if (values.bool("FlowControl")) {
            links.add("flow_control = true");
        }
        forwarding(values);
    }

    private void udp(Section section, RouterValues values) {
        Optional<String> direction = values.required("Mode")
                .flatMap(set -> values.word(
                        "Mode", Map.of("normal", "connect", "server", "listen", "eavesdropping", "listen")));
        OptionalLong port = values.number("Port", 1, MAX_PORT);
        Integer given = udpPorts.get(section.line());
        if (given != null) {
            port = OptionalLong.of(given);
            if (direction.equals(Optional.of("listen"))) {
                values.required("Port");
            }
        }
        link(section, values, "udp", direction.orElse("listen"), port);
    }

    private void tcp(Section section, RouterValues values) {
        values.required("Port");
        link(section, values, "tcp", "connect", values.number("Port", 1, MAX_PORT));
        if (values.number("RetryTimeout", 0, Integer.MAX_VALUE).orElse(1) == 0) {
            noteKey(values, links, "RetryTimeout", "mavlogd always connects again");
        }
    }

    private void link(Section section, RouterValues values, String type, String direction, OptionalLong port) {
        Optional<Value> address = values.required("Address");
        boolean isSent = type.equals("udp") && direction.equals("connect");
        boolean isBroadcast = isSent
                && address.filter(set -> BROADCAST.matcher(set.text()).matches())
                        .isPresent();
        String key = isBroadcast ? "broadcast" : direction;
        links.add("");
        int first = links.size();
        begin(section.name(), type);
        address.ifPresent(set -> {
            if (!isAddress(set.text())) {
                values.wrong(set, set.text(), "an IP address, IPv6 in brackets");
            }
            links.add(key + " = \"" + set.text() + ':' + port.orElse(0) + '"');
        });
        forwarding(values);
        boolean isGroup = isSent
                && address.filter(set -> GROUP.matcher(set.text()).matches()).isPresent();
        if (isGroup) {
            commentOutGroup(values, first);
        }
    }

    /** @param first first line of the link */
    private void commentOutGroup(RouterValues values, int first) {
        links.subList(first, links.size()).replaceAll(line -> line.startsWith("#") ? line : "#" + line);
        noteKey(
                values,
                links,
                "Address",
                "a multicast group needs a network interface, which this file does not name: set multicast and"
                        + " interface; not translated");
    }

    private static boolean isAddress(String text) {
        if (!IPV6.matcher(text).matches()) {
            return IPV4.matcher(text).matches();
        }
        try {
            InetAddress.getByName(text); // an address in brackets is not looked up
            return true;
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private void begin(String theirs, String type) {
        links.add("[[link]]");
        links.add("name = \"" + unique(theirs.isEmpty() ? type : theirs, names) + '"');
        links.add("type = \"" + type + '"');
    }

    private void forwarding(RouterValues values) {
        links.add("forward = true");
        values.value("Group")
                .ifPresent(set -> links.add("group = \""
                        + groups.computeIfAbsent(set.text(), text -> unique(text, new HashSet<>(groups.values())))
                        + '"'));
        for (Filter filter : FILTERS) {
            List<Long> ids = values.numbers(filter.theirs(), 0, filter.most());
            if (filter.theirs().equals("AllowMsgIdOut") && ids.isEmpty()) {
                ids = values.numbers("Filter", 0, filter.most()); // the key's former name
            }
            if (!ids.isEmpty()) {
                String list = ids.stream().map(String::valueOf).collect(Collectors.joining(", ", "[", "]"));
                links.add(filter.ours() + " = " + list);
            }
        }
    }

    /** Converts a name to the characters that our names allow, unique among those taken. */
    private static String unique(String theirs, Set<String> taken) {
        String plain = theirs.replaceAll("[^A-Za-z0-9_-]", "_");
        String name = plain.substring(0, Math.min(plain.length(), MAX_NAME));
        for (int i = 2; !taken.add(name); i++) {
            String end = "-" + i;
            name = plain.substring(0, Math.min(plain.length(), MAX_NAME - end.length())) + end;
        }
        return name;
    }

    /** Notes a setting, if the section has it. */
    private void noteKey(RouterValues values, List<String> lines, String key, String text) {
        values.value(key).ifPresent(value -> note(lines, value.line(), value.key() + ": " + text));
    }

    /** Adds a note to the file and for the user. */
    private void note(List<String> lines, int line, String text) {
        lines.add("# " + file.place(line).replaceAll("\\p{Cntrl}", "?") + text.replaceAll("\\p{Cntrl}", "?"));
        notes.add(file.place(line) + text);
    }

    private static String quoted(Value value) {
        StringBuilder toml = new StringBuilder("\"");
        value.text().chars().forEach(c -> {
            boolean isPlain = c >= ' ' && c != '"' && c != '\\' && c != 0x7F;
            toml.append(isPlain ? String.valueOf((char) c) : String.format("\\u%04x", c));
        });
        return toml.append('"').toString();
    }
}
