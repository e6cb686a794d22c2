package org.mavlogd.forward;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The links that forward, and their rules.
 *
 * @param sharesLogStream whether log data and their acknowledgements are forwarded, too
 * @param links rules of the forwarding links
 * @param withoutVehicles names of links on which no vehicle is recorded
 */
public record ForwardSettings(boolean sharesLogStream, List<ForwardRules> links, Set<String> withoutVehicles) {
    /** No link forwards, and vehicles are recorded on all links. */
    public static final ForwardSettings NONE = new ForwardSettings(false, List.of(), Set.of());

    public ForwardSettings {
        links = List.copyOf(links);
        withoutVehicles = Set.copyOf(withoutVehicles);
    }

    public boolean isOn() {
        return !links.isEmpty();
    }

    /** The rules of one link; empty if it does not forward. */
    public Optional<ForwardRules> rules(String link) {
        return links.stream().filter(rules -> rules.link().equals(link)).findFirst();
    }
}
