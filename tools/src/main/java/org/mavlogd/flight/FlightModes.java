package org.mavlogd.flight;

import java.util.Locale;
import org.mavlogd.dataflash.Meanings;

/** Names of flight modes and of kinds of vehicles, by the numbers that PX4 and ArduPilot log. */
final class FlightModes {
    /** Since this release PX4 uses the numbers of removed modes for new ones. */
    private static final long RELEASE_1_15 = 0x010F_0000L;

    private static final String[] PX4 = {
        "Manual",
        "Altitude",
        "Position",
        "Mission",
        "Hold",
        "Return",
        "Position Slow",
        "Guided Course",
        "Altitude Cruise",
        "Land (GPS failure)",
        "Acro",
        "unused mode 11",
        "Descend",
        "Termination",
        "Offboard",
        "Stabilized",
        "Rattitude",
        "Takeoff",
        "Land",
        "Follow Me",
        "Precision Land",
        "Orbit",
        "VTOL Takeoff"
    };

    /** Modes of earlier releases, from number {@link #PX4_REUSED} on. */
    private static final String[] PX4_OLD = {"RC recovery", "Return (data link lost)", "Land (engine failure)"};

    private static final int PX4_REUSED = 6;
    private static final int PX4_EXTERNAL_1 = 23;
    private static final int PX4_EXTERNAL_8 = 30;

    private FlightModes() {}

    /**
     * The name of a PX4 mode, its {@code nav_state}. All kinds of vehicles use the same numbers.
     *
     * @param release of PX4 as in {@code ver_sw_release}; 0 if unknown
     * @see <a href="https://docs.px4.io/main/en/msg_docs/VehicleStatus.html">VehicleStatus</a>
     */
    static String px4(int navState, long release) {
        boolean isOld = release != 0 && Integer.compareUnsigned((int) release, (int) RELEASE_1_15) < 0;
        if (isOld && navState >= PX4_REUSED && navState < PX4_REUSED + PX4_OLD.length) {
            return PX4_OLD[navState - PX4_REUSED];
        }
        if (navState >= PX4_EXTERNAL_1 && navState <= PX4_EXTERNAL_8) {
            return "External " + (navState - PX4_EXTERNAL_1 + 1);
        }
        return navState >= 0 && navState < PX4.length ? PX4[navState] : "mode " + navState;
    }

    /** The name of an ArduPilot mode; {@code vehicle} is a name of {@link Meanings}. */
    static String arduPilot(Meanings meanings, String vehicle, int mode) {
        return meanings.orNumber("mode." + vehicle, mode, "mode");
    }

    /**
     * The kind of vehicle; empty if it has no name here.
     *
     * @see <a href="https://mavlink.io/en/messages/minimal.html#MAV_TYPE">MAV_TYPE</a>
     */
    static String vehicle(int mavType) {
        return switch (mavType) {
            case 1 -> "fixed wing";
            case 2 -> "quadrotor";
            case 3 -> "coaxial helicopter";
            case 4 -> "helicopter";
            case 7 -> "airship";
            case 8 -> "balloon";
            case 10 -> "rover";
            case 11 -> "boat";
            case 12 -> "submarine";
            case 13 -> "hexarotor";
            case 14 -> "octorotor";
            case 15 -> "tricopter";
            case 19, 20, 21, 22, 23, 24, 25 -> "VTOL";
            case 29 -> "dodecarotor";
            case 35 -> "decarotor";
            default -> "";
        };
    }

    /** Name of the firmware, with which its version text starts. */
    static String firmware(String softwareText) {
        int end = 0;
        while (end < softwareText.length() && Character.isLetter(softwareText.charAt(end))) {
            end++;
        }
        return Meanings.vehicle(softwareText.substring(0, end)).toLowerCase(Locale.ROOT);
    }
}
