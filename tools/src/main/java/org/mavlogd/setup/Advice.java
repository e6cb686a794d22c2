package org.mavlogd.setup;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.mavlogd.link.LinkSettings;

/** Derives findings and fixes from the test of a port, with the parameter names of each autopilot. */
public final class Advice {
    /** PX4's default profile needs about half of a link of 921600 baud; on a slower one data are dropped. */
    private static final int SLOW_BAUD = 460_800;

    private static final int BITS_PER_BYTE = 10;
    private static final String PX4_STREAM =
            "on the autopilot set MAV_1_CONFIG to TELEM 2 (102), SER_TEL2_BAUD to 921600 and MAV_1_RATE to 92160, and restart it"
                    + " (names for TELEM 2; other ports have their own)";
    private static final String ARDUPILOT_STREAM =
            "on the autopilot set SERIALn_PROTOCOL to 2 (MAVLink 2) and SERIALn_BAUD to 921, where n is the number of the connected port, and restart it";
    private static final String WIRES =
            "check the wires: TX to RX, RX to TX, GND to GND; and that the autopilot has power";

    private static final Finding NO_CHUNKS = Finding.fatal(
            "the vehicle agreed to stream its log, but no data came",
            "set MAV_1_RATE to 92160 (that of the port), and check that a router between does not drop or cut LOGGING_DATA");

    private Advice() {}

    /** The autopilot that the user expects. */
    public enum Expected {
        AUTO,
        PX4,
        ARDUPILOT
    }

    /** The problems, the most severe first; empty if the log arrived on a port that is fast enough. */
    public static List<Finding> of(PortTest.Result result, Expected expected) {
        List<Finding> findings = new ArrayList<>();
        Heard heard = result.heard();
        Optional<Vehicle> vehicle = heard.vehicle();
        if (vehicle.isEmpty()) {
            findings.add(noVehicle(result.port(), heard, expected));
            return findings;
        }
        unexpected(vehicle.get(), expected).ifPresent(findings::add);
        stream(vehicle.get(), heard.stream()).ifPresent(findings::add);
        if (result.port() instanceof LinkSettings.SerialPort serial && serial.baud() < SLOW_BAUD && !isUsb(serial)) {
            findings.add(slow(serial.baud(), vehicle.get()));
        }
        return findings;
    }

    private static boolean isUsb(LinkSettings.SerialPort serial) {
        return serial.device().contains("ttyACM") || serial.device().endsWith("/autopilot");
    }

    private static Finding noVehicle(LinkSettings port, Heard heard, Expected expected) {
        if (!heard.openProblem().isEmpty()) {
            return Finding.fatal(
                    "the port cannot be opened: " + heard.openProblem(),
                    "run this command with sudo, and stop programs that use the port (sudo fuser -v "
                            + (port instanceof LinkSettings.SerialPort serial ? serial.device() : "PORT/udp") + ")");
        }
        if (heard.frames() > 0) {
            return heard.others().isEmpty()
                    ? Finding.fatal(
                            "MAVLink arrives, but no heartbeat of a vehicle",
                            "check that the peer forwards the autopilot's messages")
                    : Finding.fatal(
                            "MAVLink arrives, but not from a PX4 or ArduPilot: " + heard.others(),
                            "connect the autopilot itself, or a router that forwards its messages");
        }
        if (heard.isText()) {
            return text(heard.text());
        }
        return port instanceof LinkSettings.SerialPort ? serial(heard, expected) : network(heard);
    }

    private static Finding text(String text) {
        String problem = "text arrives instead of MAVLink";
        return text.contains("login:")
                ? Finding.fatal(
                        problem + ": the login prompt of a console",
                        "the other end of the cable is the console of a computer: switch it off there"
                                + " (sudo systemctl disable --now serial-getty@ and its port; Raspberry Pi:"
                                + " sudo raspi-config nonint do_serial_cons 1), or connect another port")
                : Finding.fatal(
                        problem + ": a console, such as PX4's debug port (nsh>), or an instrument (NMEA)",
                        "connect a telemetry port of the autopilot (TELEM 2)");
    }

    private static Finding serial(Heard heard, Expected expected) {
        List<String> remedies = new ArrayList<>();
        String problem;
        if (heard.bytes() == 0) {
            problem = "silence: no byte arrives on this port, so there is no heartbeat";
            remedies.add(WIRES);
        } else {
            problem = "wrong baud rate: " + heard.bytes() + " bytes arrive, but none are MAVLink";
            remedies.add("set the same rate on both sides; --baud sets that of this computer");
        }
        if (expected != Expected.ARDUPILOT) {
            remedies.add((expected == Expected.AUTO ? "PX4: " : "") + PX4_STREAM);
        }
        if (expected != Expected.PX4) {
            remedies.add((expected == Expected.AUTO ? "ArduPilot: " : "") + ARDUPILOT_STREAM);
        }
        return new Finding(true, problem, remedies);
    }

    private static Finding network(Heard heard) {
        return Finding.fatal(
                heard.bytes() == 0
                        ? "no heartbeat: nothing arrives on this port"
                        : heard.bytes() + " bytes arrive, but none are MAVLink",
                "let the autopilot or router send to this port: PX4 on Ethernet MAV_2_REMOTE_PRT; mavlink-router a"
                        + " [UdpEndpoint] with Mode = Normal",
                "check the firewall of this computer");
    }

    private static Optional<Finding> unexpected(Vehicle vehicle, Expected expected) {
        boolean isAsExpected = expected == Expected.AUTO || vehicle.isArduPilot() == (expected == Expected.ARDUPILOT);
        return isAsExpected
                ? Optional.empty()
                : Optional.of(Finding.fatal(
                        "the vehicle is " + vehicle.text() + ", which was not expected",
                        "check which vehicle is connected, or choose the other autopilot"));
    }

    private static Optional<Finding> stream(Vehicle vehicle, LogStream stream) {
        String signed = vehicle.isSigning()
                ? "the vehicle signs its messages and may refuse unsigned ones: set [signing] key_file"
                : "";
        return switch (stream.outcome()) {
            case FLOWS -> Optional.empty();
            case NOT_ASKED ->
                Optional.of(Finding.warning(
                        vehicle.isArmed()
                                ? "the vehicle is armed: its log was not asked for"
                                : "its log was not asked for",
                        "disarm it and run this command again to test the log stream"));
            case UNANSWERED ->
                Optional.of(with(
                        Finding.fatal(
                                "log stream refused: the vehicle did not answer MAV_CMD_LOGGING_START",
                                "check that the wire from this computer's TX to the autopilot's RX is connected",
                                "check that the autopilot's logger runs: SDLOG_BACKEND 3, in its console: logger status"),
                        signed));
            case NO_DATA -> Optional.of(vehicle.isArduPilot() ? noBlocks(vehicle, signed) : NO_CHUNKS);
            case REJECTED, DENIED, UNSUPPORTED, ELSEWHERE -> Optional.of(refused(stream.outcome()));
        };
    }

    /** The finding for a stream that seems to be refused permanently. */
    private static Finding refused(LogStream.Outcome outcome) {
        return switch (outcome) {
            case REJECTED ->
                Finding.fatal(
                        "log stream refused: another program has it, or SDLOG_BACKEND lacks bit 1 (MAVLink)",
                        "stop the other recorder (mavlink-router: Log in its configuration; QGroundControl: MAVLink 2.0"
                                + " logging), or set SDLOG_BACKEND to 3 and restart the autopilot");
            case DENIED ->
                Finding.fatal(
                        "log stream refused: the vehicle sends too slowly on this link (below 5000 B/s)",
                        "set MAV_1_RATE to 92160 and SER_TEL2_BAUD to 921600 (those of the port), and restart the"
                                + " autopilot");
            case ELSEWHERE ->
                Finding.fatal(
                        "log stream refused: the log goes to another program",
                        "stop the other recorder: ArduPilot streams its log to one only");
            default -> // UNSUPPORTED
                Finding.fatal(
                        "log stream refused: this PX4 cannot stream its log",
                        "use a firmware with the modules logger and mavlink (all of PX4's own boards but the"
                                + " smallest)");
        };
    }

    private static Finding with(Finding finding, String remedy) {
        if (remedy.isEmpty()) {
            return finding;
        }
        List<String> remedies = new ArrayList<>(finding.remedies());
        remedies.add(0, remedy);
        return new Finding(finding.isFatal(), finding.problem(), remedies);
    }

    private static Finding noBlocks(Vehicle vehicle, String signed) {
        return with(
                Finding.fatal(
                        vehicle.text() + " streams no log",
                        "set LOG_BACKEND_TYPE to 3 (file and MAVLink) and restart the autopilot",
                        "set LOG_MAV_BUFSIZE below 54, such as 32: with more ArduPilot has no memory for it",
                        "with LOG_DISARMED 0 it may log nothing until it is armed: set LOG_DISARMED to 1 for this test"),
                signed);
    }

    private static Finding slow(int baud, Vehicle vehicle) {
        return Finding.warning(
                String.format(
                        Locale.ROOT,
                        "%d baud carry %.1f KB/s, and a log needs 30 to 60 KB/s: data will be lost",
                        baud,
                        baud / (BITS_PER_BYTE * 1000.0)),
                vehicle.isArduPilot()
                        ? "set SERIALn_BAUD to 921 and run this command again"
                        : "set SER_TEL2_BAUD to 921600 and MAV_1_RATE to 92160 (those of the port), and run this command again");
    }
}
