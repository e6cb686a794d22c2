package org.mavlogd.local.system;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.local.Outlet;
import org.mavlogd.local.TopicBuilder;
import org.mavlogd.ulog.FieldType;

/** {@code companion_storage}: the file system that the logs go to. Its reading may hang where that is on a network. */
final class StorageSource extends SystemSource {
    private final File directory;
    private final LocalSample sample;
    private long total;
    private long available;
    private long takenNs;

    StorageSource(SystemSettings settings, Outlet outlet) {
        super(settings, outlet);
        this.directory = settings.logDirectory().toFile();
        this.sample = TopicBuilder.of("companion_storage")
                .field(FieldType.UINT64, "total", "B")
                .field(FieldType.UINT64, "available", "B")
                .declare(outlet);
    }

    @Override
    public void read(long nowNs) throws IOException {
        takenNs = nowNs;
        total = directory.getTotalSpace();
        available = directory.getUsableSpace();
        if (total == 0) {
            readParent();
        }
    }

    /** Until the first log the directory may be missing. */
    private void readParent() throws IOException {
        Path parent = directory.toPath().toAbsolutePath().getParent();
        while (total == 0 && parent != null) {
            total = parent.toFile().getTotalSpace();
            available = parent.toFile().getUsableSpace();
            parent = parent.getParent();
        }
        if (total == 0) {
            throw new IOException(directory + ": its file system does not tell its size");
        }
    }

    @Override
    public void publish() {
        outlet.publish(sample.begin(0, takenNs).integer(total).integer(available));
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
