package org.mavlogd.survey;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.mavlogd.ulog.Parameter;

/** Describes vehicle and software of a log from its infos. */
final class VehicleText {
    private static final int SHORT_HASH = 10;

    private final InfoTally infos;

    VehicleText(InfoTally infos) {
        this.infos = infos;
    }

    /** System, kind of vehicle, hardware and airframe; empty if unknown. */
    String vehicle(String kind, Optional<Parameter> airframe) {
        List<String> parts = new ArrayList<>();
        String hardware = infos.text("ver_hw").orElse("");
        String subtype = infos.text("ver_hw_subtype").map(t -> " (" + t + ")").orElse("");
        String name = (infos.text("sys_name").orElse("") + " " + kind).strip();
        if (!hardware.isEmpty()) {
            parts.add((name.isEmpty() ? "" : name + " on ") + hardware + subtype);
        } else if (!name.isEmpty()) {
            parts.add(name);
        }
        infos.text("sys_mcu").ifPresent(parts::add);
        airframe.filter(number -> number.value() > 0)
                .ifPresent(number -> parts.add("airframe " + ParameterTally.text(number)));
        return String.join(", ", parts);
    }

    Optional<String> uuid() {
        return infos.text("sys_uuid");
    }

    /** Name, release, branch and commit. */
    String software() {
        Optional<String> text = infos.text("ver_sw_text");
        if (text.isPresent()) {
            return text.get();
        }
        List<String> parts = new ArrayList<>();
        release("ver_sw_release").ifPresent(parts::add);
        infos.text("ver_sw_branch").ifPresent(branch -> parts.add("branch " + branch));
        infos.text("ver_sw")
                .map(hash -> hash.substring(0, Math.min(hash.length(), SHORT_HASH)))
                .ifPresent(hash -> parts.add("commit " + hash));
        return String.join(", ", parts);
    }

    /** Name and release of the operating system. */
    String operatingSystem() {
        String release = release("sys_os_ver_release").map(text -> " " + text).orElse("");
        return infos.text("sys_os_name").map(name -> name + release).orElse("");
    }

    Optional<String> recorder() {
        return infos.text("recorder");
    }

    /** Decodes four bytes: major, minor, patch, and type of a version. */
    private Optional<String> release(String name) {
        // Systems without releases only set the type.
        return infos.integer(name)
                .filter(packed -> (packed & 0xFFFF_FF00L) != 0)
                .map(packed -> {
                    int maturity = (int) (packed & 0xFF);
                    String version = String.format(
                            Locale.US, "v%d.%d.%d", packed >> 24 & 0xFF, packed >> 16 & 0xFF, packed >> 8 & 0xFF);
                    return version + maturity(maturity);
                });
    }

    // PX4's encoding of the type of a version: 0 development, from 64 alpha, from 128 beta, from 192 candidate, 255
    // release.
    private static String maturity(int type) {
        if (type == 255) {
            return "";
        }
        if (type >= 192) {
            return " release candidate";
        }
        return type >= 128 ? " beta" : type >= 64 ? " alpha" : " development";
    }
}
