package org.mavlogd.local.system;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.mavlogd.local.Instances;
import org.mavlogd.local.TextBuffer;

/**
 * The devices in a table of the kernel, found by the name at the start of each line, without allocation once they are
 * known. Limited: a device that is not recorded gives way to a new one. Owned by one thread at a time.
 *
 * @param <D> the state of a device
 */
final class DeviceTable<D extends DeviceTable.Device> {
    /** A device with its own line in a table of the kernel. */
    abstract static class Device {
        final String name;
        final int instance;
        /** Whether it was in the table when it was last read. */
        boolean present;

        /** @param instance number among the recorded devices, or {@link Instances#NONE} */
        Device(String name, int instance) {
            this.name = name;
            this.instance = instance;
        }
    }

    private final int limit;
    private final Function<String, D> maker;
    private final List<D> devices = new ArrayList<>();

    /** @param maker makes the device for a new name */
    DeviceTable(int limit, Function<String, D> maker) {
        this.limit = limit;
        this.maker = maker;
    }

    List<D> devices() {
        return devices;
    }

    /** Starts reading the table again: no device is present until its line comes. */
    void begin() {
        for (int i = 0; i < devices.size(); i++) {
            devices.get(i).present = false;
        }
    }

    /** The device of the next word; null if there is no word, or no room for another device. */
    @Nullable
    D take(TextBuffer text) {
        for (int i = 0; i < devices.size(); i++) {
            if (text.takeWord(devices.get(i).name)) {
                return devices.get(i);
            }
        }
        String name = text.word();
        if (name.isEmpty() || !makeRoom()) {
            return null;
        }
        D device = maker.apply(name);
        devices.add(device);
        return device;
    }

    /** Forgets the oldest device that is not recorded if there is no room: each start of a container adds a new name. */
    private boolean makeRoom() {
        for (int i = 0; i < devices.size() && devices.size() == limit; i++) {
            if (devices.get(i).instance == Instances.NONE) {
                devices.remove(i);
            }
        }
        return devices.size() < limit;
    }
}
