package org.mavlogd.mcap;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A file with contents from a seed, and those contents. */
final class GeneratedFile {
    private static final String[] WORDS = {"", "a", "cpuload/0", "höhe", "\u0000", "x".repeat(300), "𝄞", "\"'\\"};

    final List<McapRecord.Schema> schemas = new ArrayList<>();
    final List<McapRecord.Channel> channels = new ArrayList<>();
    final List<String> messages = new ArrayList<>();
    final List<McapRecord.Metadata> metadata = new ArrayList<>();
    final List<byte[]> attachments = new ArrayList<>();
    final McapWriter.Settings settings;
    final byte[] bytes;
    private final Random random;

    GeneratedFile(long seed) throws IOException {
        this(seed, 400);
    }

    GeneratedFile(long seed, int steps) throws IOException {
        random = new Random(seed);
        McapCompression compression = random.nextBoolean() ? McapCompression.NONE : McapCompression.ZSTD;
        int chunkBytes = random.nextBoolean() ? 1 + random.nextInt(3000) : 1 << 20;
        settings = new McapWriter.Settings(word(), word(), compression, chunkBytes, 1 << 20);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        McapWriter writer = new McapWriter(Channels.newChannel(out), settings);
        int count = random.nextInt(steps);
        for (int i = 0; i < count; i++) {
            step(writer);
        }
        writer.finish();
        bytes = out.toByteArray();
    }

    private void step(McapWriter writer) throws IOException {
        int what = random.nextInt(40);
        if (what == 0) {
            byte[] data = data(random.nextInt(200));
            String name = word();
            String encoding = word();
            schemas.add(new McapRecord.Schema(
                    writer.addSchema(name, encoding, data), name, encoding, ByteBuffer.wrap(data)));
        } else if (what < 3) {
            int schema = random.nextInt(schemas.size() + 1);
            String topic = word();
            String encoding = word();
            Map<String, String> map = map();
            channels.add(new McapRecord.Channel(
                    writer.addChannel(topic, schema, encoding, map), schema, topic, encoding, map));
        } else if (what == 3) {
            McapRecord.Metadata record = new McapRecord.Metadata(word(), map());
            writer.metadata(record.name(), record.values());
            metadata.add(record);
        } else if (what == 4) {
            byte[] data = data(random.nextInt(5000));
            writer.attachment(random.nextLong(), random.nextLong(), word(), word(), ByteBuffer.wrap(data));
            attachments.add(data);
        } else if (!channels.isEmpty()) {
            message(writer);
        }
    }

    private void message(McapWriter writer) throws IOException {
        int channel = random.nextInt(channels.size());
        long sequence = random.nextInt() & 0xFFFF_FFFFL;
        long logTimeNs = random.nextInt(8) == 0 ? random.nextLong() : random.nextInt(1 << 20);
        long publishTimeNs = random.nextLong();
        byte[] data = data(random.nextInt(20) == 0 ? random.nextInt(5000) : random.nextInt(100));
        byte[] around = new byte[data.length + 5];
        System.arraycopy(data, 0, around, 3, data.length);
        writer.message(channel, sequence, logTimeNs, publishTimeNs, around, 3, data.length);
        messages.add(Contents.line(channel, sequence, logTimeNs, publishTimeNs, data));
    }

    private byte[] data(int length) {
        byte[] data = new byte[length];
        if (random.nextBoolean()) {
            random.nextBytes(data);
        }
        return data;
    }

    private String word() {
        return WORDS[random.nextInt(WORDS.length)];
    }

    private Map<String, String> map() {
        Map<String, String> map = new LinkedHashMap<>();
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
            map.put(word(), word());
        }
        return map;
    }
}
