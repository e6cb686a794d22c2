package org.mavlogd.mcap;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** The contents of a file as lines, in the order in which a reader delivers them. */
public final class Contents implements McapHandler {
    final List<String> messages = new ArrayList<>();
    final List<McapRecord> records = new ArrayList<>();
    final List<String> damage = new ArrayList<>();
    private final boolean continues;

    private Contents(boolean continues) {
        this.continues = continues;
    }

    static Contents of(byte[] file) throws IOException {
        Contents contents = new Contents(false);
        contents.ending = reader(file, contents).read();
        return contents;
    }

    /** Continues after damage as far as possible. */
    static Contents ofDamaged(byte[] file) throws IOException {
        Contents contents = new Contents(true);
        try {
            contents.ending = reader(file, contents).read();
        } catch (McapException e) {
            contents.damage.add(String.valueOf(e.getMessage()));
        }
        return contents;
    }

    static McapReader reader(byte[] file, McapHandler handler) {
        return new McapReader(Channels.newChannel(new ByteArrayInputStream(file)), handler, 1 << 20);
    }

    McapReader.Ending ending = new McapReader.Ending(false, 0);

    <T extends McapRecord> List<T> all(Class<T> type) {
        return records.stream().filter(type::isInstance).map(type::cast).toList();
    }

    static String line(McapMessageView message) {
        return line(
                message.channelId(),
                message.sequence(),
                message.logTimeNs(),
                message.publishTimeNs(),
                Arrays.copyOfRange(message.buffer(), message.offset(), message.offset() + message.length()));
    }

    static String line(int channelId, long sequence, long logTimeNs, long publishTimeNs, byte[] data) {
        return channelId + " " + sequence + " " + Long.toUnsignedString(logTimeNs) + " "
                + Long.toUnsignedString(publishTimeNs) + " "
                + HexFormat.of().formatHex(data);
    }

    static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    @Override
    public void onMessage(McapMessageView message) {
        messages.add(line(message));
    }

    @Override
    public void onRecord(McapRecord record) {
        records.add(record);
    }

    @Override
    public void onDamage(McapException failure) throws IOException {
        if (!continues) {
            throw failure;
        }
        damage.add(String.valueOf(failure.getMessage()));
    }
}
