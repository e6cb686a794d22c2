package org.mavlogd.forward;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which links forward, and how.
 *
 * @param sharesLogStream whether log data and their acknowledgements are forwarded, too
 * @param links those that forward
 * @param withoutVehicles names of links where no vehicle is recorded
 */
public record ForwardSettings(boolean sharesLogStream, List<ForwardRules> links, Set<String> withoutVehicles) {
    /** No link forwards, and vehicles are recorded on all. */
    public static final ForwardSettings NONE = new ForwardSettings(false, List.of(), Set.of());

    public ForwardSettings {
        links = List.copyOf(links);
        withoutVehicles = Set.copyOf(withoutVehicles);
    }

    public boolean isOn() {
        return !links.isEmpty();
    }

    /** Of one link; empty when it does not forward. */
    public Optional<ForwardRules> rules(String link) {
        return links.stream().filter(rules -> rules.link().equals(link)).findFirst();
    }
}
