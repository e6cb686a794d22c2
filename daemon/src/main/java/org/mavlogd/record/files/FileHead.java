package org.mavlogd.record.files;

import org.jspecify.annotations.Nullable;
import org.mavlogd.record.head.LogHead;
import org.mavlogd.record.head.OwnInfos;
import org.mavlogd.record.head.StartClock;
import org.mavlogd.record.local.LocalHead;
import org.mavlogd.record.local.LocalPart;
import org.mavlogd.store.LogFile;

/**
 * The start of each file of a log: the vehicle's definitions, mavlogd's infos, and this computer's topics. Owned by the
 * recorder's thread.
 */
public record FileHead(LogHead vehicle, OwnInfos own, StartClock clock, LocalPart local) {

    /**
     * Begins a file with all definitions so far.
     *
     * @param previous name of the previous file, empty for the first
     * @return this computer's part of the head; null until the vehicle's definitions are complete
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

    /** Appends this computer's definitions. */
    LocalHead appendLocal(LogFile file, long nowNs) {
        LocalHead its = local.plan(vehicle);
        file.append(its.bytes(), 0, its.length(), nowNs);
        its.forgetBytes();
        file.headEndsHere();
        return its;
    }
}
