package org.mavlogd.recovery;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.mavlogd.store.StreamMark;
import org.mavlogd.ulog.MessageEncoder;

/** Unfinished logs made to fill the heap of their reader, by their content. */
public enum HostileLog {
    LOCAL_TOPICS(700) {
        @Override
        void message(ByteBuffer log, int index) {
            byte[] text = padded(index, 65_000)
                    .replace('x', index % 2 == 0 ? 'x' : ',')
                    .getBytes(StandardCharsets.US_ASCII);
            MessageEncoder.multiInfoText(log, false, LocalMarks.TOPICS, text, 0, text.length);
        }
    },
    SHORT_LOCAL_TOPICS(300) {
        @Override
        void message(ByteBuffer log, int index) {
            StringBuilder names = new StringBuilder();
            for (int i = 0; names.length() < 65_000; i++) {
                names.append(index * 10_000 + i).append(',');
            }
            byte[] text = names.toString().getBytes(StandardCharsets.US_ASCII);
            MessageEncoder.multiInfoText(log, false, LocalMarks.TOPICS, text, 0, text.length);
        }
    },
    SUBSCRIPTIONS(65_000) {
        @Override
        void message(ByteBuffer log, int index) {
            MessageEncoder.subscription(log, 0, index, padded(index, 240));
        }
    },
    FORMATS(16_000) {
        @Override
        void message(ByteBuffer log, int index) {
            MessageEncoder.format(log, padded(index, 20) + ":uint64_t timestamp;uint8_t a;uint8_t b;");
            MessageEncoder.subscription(log, 0, index, padded(index, 20));
        }
    },
    COLUMNS(1_000) {
        @Override
        void message(ByteBuffer log, int index) {
            if (index == 0) {
                MessageEncoder.format(log, "leaf:bool " + "y".repeat(200) + ";");
            }
            MessageEncoder.format(log, padded(index, 20) + ":leaf[4000] z;");
            MessageEncoder.subscription(log, 0, index, padded(index, 20));
        }
    },
    PARAMETERS(400_000) {
        @Override
        void message(ByteBuffer log, int index) {
            MessageEncoder.parameterInt32(log, "P" + index, index);
        }
    },
    INFOS(200) {
        @Override
        void message(ByteBuffer log, int index) {
            MessageEncoder.infoText(log, "i" + index, "x".repeat(60_000));
        }
    };

    private final int count;

    HostileLog(int count) {
        this.count = count;
    }

    abstract void message(ByteBuffer log, int index);

    private static String padded(int index, int length) {
        return String.format(Locale.ROOT, "%08d", index) + "x".repeat(length - 8);
    }

    /**
     * Writes one with a note beside it, as if its vehicle's stream may still run.
     *
     * @return its length
     */
    public long write(Path directory, int systemId, long counter, String bootId) throws IOException {
        String stem = String.format(Locale.ROOT, "2026-11-21_14-03-59_sys%03d_%06d", systemId, counter);
        Path path = directory.resolve(stem + ".ulg.part");
        ByteBuffer log = ByteBuffer.allocate(300_000).order(ByteOrder.LITTLE_ENDIAN);
        MessageEncoder.header(log, 5);
        MessageEncoder.flagBits(log, 0);
        try (OutputStream out = Files.newOutputStream(path)) {
            for (int i = 0; i < count; i++) {
                message(log, i);
                out.write(log.array(), 0, log.position());
                log.clear();
            }
            MessageEncoder.format(log, "t:uint64_t timestamp;");
            MessageEncoder.subscription(log, 0, 65_500, "t");
            byte[] timeUs = ByteBuffer.allocate(8)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(10_000_000)
                    .array();
            MessageEncoder.data(log, 65_500, timeUs, 0, timeUs.length);
            MessageEncoder.data(log, 65_500, timeUs, 0, timeUs.length);
            out.write(log.array(), 0, log.position());
        }
        long nowMs = System.currentTimeMillis();
        StreamMark mark = new StreamMark(
                new StreamMark.Stream("uart", systemId, 1, 700, System.nanoTime(), 10_000_000, 150, 1e6), 100);
        byte[] note = new byte[StreamNote.FILE_BYTES];
        new StreamNote(9, 4711, bootId, System.nanoTime(), nowMs, mark).encode().get(note, 0, StreamNote.SLOT_BYTES);
        Files.write(directory.resolve(StreamNotes.name(stem)), note);
        return Files.size(path);
    }
}
