package org.mavlogd.local.system;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mavlogd.local.Instances;
import org.mavlogd.local.SensorFile;
import org.mavlogd.local.TextBuffer;

/**
 * Sensors with a name, a number and the same few files each, which may appear and vanish. A sensor that stays keeps its
 * open files. Owned by one thread at a time.
 */
final class SensorList {
    private final Instances instances;
    private List<Sensor> sensors = new ArrayList<>();
    private List<Sensor> found = new ArrayList<>();
    private final Set<String> names = new HashSet<>();

    /** One sensor. */
    static final class Sensor {
        final String name;
        final int instance;
        final double[] values;
        private final Path key;
        private final @Nullable SensorFile[] files;

        private Sensor(String name, int instance, Path key, @Nullable SensorFile[] files) {
            this.name = name;
            this.instance = instance;
            this.key = key;
            this.files = files;
            this.values = new double[files.length];
        }

        /** Reads all files; a missing one is NaN. */
        void read(TextBuffer text) {
            for (int i = 0; i < files.length; i++) {
                SensorFile file = files[i];
                values[i] = file == null ? Double.NaN : file.read(text);
            }
        }

        private void retry() {
            for (SensorFile file : files) {
                if (file != null) {
                    file.retry();
                }
            }
        }

        private void close() {
            for (SensorFile file : files) {
                if (file != null) {
                    file.close();
                }
            }
        }
    }

    SensorList(String what, int limit) {
        this.instances = new Instances(what, limit);
    }

    List<Sensor> sensors() {
        return sensors;
    }

    /** Begins a search: sensors that are not found until {@link #endSearch} are removed. */
    void beginSearch() {
        found = new ArrayList<>();
        names.clear();
    }

    /**
     * Notes a sensor that was found.
     *
     * @param key the same each time
     * @param name made unique by appending a number
     * @param files null for a missing file
     */
    void found(Path key, String name, @Nullable SensorFile... files) {
        String unique = name;
        for (int i = 2; !names.add(unique); i++) {
            unique = name + ' ' + i;
        }
        for (Sensor known : sensors) {
            if (known.key.equals(key) && known.name.equals(unique)) {
                known.retry();
                found.add(known);
                return;
            }
        }
        int instance = instances.of(unique);
        if (instance != Instances.NONE) {
            found.add(new Sensor(unique, instance, key, files));
        }
    }

    void endSearch() {
        for (Sensor old : sensors) {
            if (!found.contains(old)) {
                old.close();
            }
        }
        sensors = found;
    }

    void read(TextBuffer text) {
        for (int i = 0; i < sensors.size(); i++) {
            sensors.get(i).read(text);
        }
    }

    void close() {
        sensors.forEach(Sensor::close);
    }
}
