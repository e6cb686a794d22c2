package org.mavlogd.wiring;

import java.io.IOException;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.store.Disk;
import org.mavlogd.store.LogName;

/** Tells the memory budget which vehicles have a log in the directory: they come before those that nobody ever saw. */
final class KnownVehicles {
    private KnownVehicles() {}

    /** A directory that cannot be listed says so where logs are written; then all vehicles are new. */
    static void note(Disk disk, MemoryBudget memory) {
        try {
            for (Disk.Entry entry : disk.list()) {
                int systemId = LogName.systemIdOf(entry.name());
                if (systemId != LogName.NO_SYSTEM) {
                    memory.known(systemId);
                }
            }
        } catch (IOException e) {
            // as above
        }
    }
}
