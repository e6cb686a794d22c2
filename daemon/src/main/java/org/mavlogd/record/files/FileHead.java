package org.mavlogd.record.files;

import org.jspecify.annotations.Nullable;
import org.mavlogd.record.head.LogHead;
import org.mavlogd.record.head.OwnInfos;
import org.mavlogd.record.head.StartClock;
import org.mavlogd.record.local.LocalHead;
import org.mavlogd.record.local.LocalPart;
import org.mavlogd.store.LogFile;

/**
 * All that a file of a log begins with: what the vehicle defined, infos of our own, and this computer's topics. Owned by the
 * recorder's thread.
 */
public record FileHead(LogHead vehicle, OwnInfos own, StartClock clock, LocalPart local) {

    /**
     * Begins a file with everything that is known.
     *
     * @param previous name of the file before, empty for the first
     * @return what the file has of this computer; null while the vehicle's definitions are not through
     */
    @Nullable
    LocalHead appendTo(LogFile file, int part, String previous, long nowNs) {
        own.encodeHead(clock, part, previous);
        vehicle.appendDefinitions(file, own, nowNs);
        if (!vehicle.areDefinitionsThrough()) {
            return null;
        }
        LocalHead its = appendLocal(file, nowNs);
        vehicle.appendState(file, nowNs);
        return its;
    }

    /** Continues with what this computer defines. */
    LocalHead appendLocal(LogFile file, long nowNs) {
        LocalHead its = local.plan(vehicle);
        file.append(its.bytes(), 0, its.length(), nowNs);
        its.forgetBytes();
        file.headEndsHere();
        return its;
    }
}
