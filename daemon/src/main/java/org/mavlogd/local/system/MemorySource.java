package org.mavlogd.local.system;

import java.io.IOException;
import java.util.Arrays;
import org.mavlogd.feed.LocalSample;
import org.mavlogd.local.Outlet;
import org.mavlogd.local.SmallFile;
import org.mavlogd.local.TextBuffer;
import org.mavlogd.local.TopicBuilder;
import org.mavlogd.ulog.FieldType;

/** {@code companion_memory}, in bytes, from {@code /proc/meminfo}. */
final class MemorySource extends SystemSource {
    private static final long KIB = 1024;
    private static final String[] KEYS = {
        "MemTotal", "MemAvailable", "MemFree", "Cached", "Dirty", "SwapTotal", "SwapFree"
    };
    private static final String[] FIELDS = {"total", "available", "free", "cached", "dirty", "swap_total", "swap_free"};

    private final TextBuffer text = new TextBuffer(8 * 1024);
    private final SmallFile file;
    private final LocalSample sample;
    private final long[] values = new long[KEYS.length];
    private long takenNs;

    MemorySource(SystemSettings settings, Outlet outlet) {
        super(settings, outlet);
        this.file = new SmallFile(root.resolve("proc/meminfo"));
        TopicBuilder topic = TopicBuilder.of("companion_memory");
        for (String field : FIELDS) {
            topic.field(FieldType.UINT64, field, "B");
        }
        this.sample = topic.declare(outlet);
    }

    @Override
    public void read(long nowNs) throws IOException {
        takenNs = nowNs;
        file.read(text);
        Arrays.fill(values, 0);
        boolean any = false;
        while (!text.isAtEnd()) {
            for (int i = 0; i < KEYS.length; i++) {
                if (text.takeWord(KEYS[i])) {
                    values[i] = Math.max(0, text.number()) * KIB;
                    any = true;
                    break;
                }
            }
            text.nextLine();
        }
        if (!any) {
            throw new IOException(file.path() + ": no memory figures in it");
        }
    }

    @Override
    public void publish() {
        sample.begin(0, takenNs);
        for (long value : values) {
            sample.integer(value);
        }
        outlet.publish(sample);
    }

    @Override
    public void close() {
        file.close();
    }
}
