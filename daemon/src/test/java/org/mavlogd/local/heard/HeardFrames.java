package org.mavlogd.local.heard;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.mavlogd.mavlink.Dialect;
import org.mavlogd.mavlink.MessageLayout;

/** Frames of any message of a dialect, made without the code under test. */
final class HeardFrames {
    static final int STATUSTEXT = 253;

    private final boolean v2;
    private final MessageLayout message;
    private int system = 1;
    private int component = 1;
    private byte[] payload = new byte[0];

    private HeardFrames(boolean v2, MessageLayout message) {
        this.v2 = v2;
        this.message = message;
    }

    static HeardFrames of(MessageLayout message) {
        return new HeardFrames(true, message);
    }

    static HeardFrames of(String message) {
        return of(layout(message));
    }

    static HeardFrames v1(String message) {
        return new HeardFrames(false, layout(message));
    }

    static MessageLayout layout(String name) {
        Dialect dialect = Dialect.standard();
        for (int i = 0; i < dialect.count(); i++) {
            if (dialect.name(i).equals(name)) {
                return dialect.layout(i);
            }
        }
        throw new AssertionError("no message " + name);
    }

    /** A piece of a text; {@code id} 0 is a complete one. */
    static HeardFrames text(int severity, String text, int id, int number) {
        byte[] payload = new byte[54];
        payload[0] = (byte) severity;
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, payload, 1, bytes.length);
        payload[51] = (byte) id;
        payload[52] = (byte) (id >>> 8);
        payload[53] = (byte) number;
        return of("STATUSTEXT").payload(payload);
    }

    HeardFrames from(int systemId, int componentId) {
        system = systemId;
        component = componentId;
        return this;
    }

    HeardFrames payload(byte[] bytes) {
        payload = bytes.clone();
        return this;
    }

    /** The frame as MAVLink 2 sends it: without trailing zeros of the payload. */
    byte[] bytes() {
        int length = payload.length;
        while (v2 && length > 1 && payload[length - 1] == 0) {
            length--;
        }
        int id = message.id();
        int[] header = v2
                ? new int[] {0xFD, length, 0, 0, 7, system, component, id, id >>> 8, id >>> 16}
                : new int[] {0xFE, length, 7, system, component, id};
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int value : header) {
            out.write(value);
        }
        out.writeBytes(Arrays.copyOf(payload, length));
        int crc = crc(out.toByteArray(), message.crcExtra());
        out.write(crc);
        out.write(crc >>> 8);
        return out.toByteArray();
    }

    private static int crc(byte[] frame, int extra) {
        int crc = 0xFFFF;
        for (int index = 1; index <= frame.length; index++) {
            crc ^= (index < frame.length ? frame[index] : extra) & 0xFF;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 1) != 0 ? (crc >>> 1) ^ 0x8408 : crc >>> 1;
            }
        }
        return crc;
    }
}
