package org.mavlogd.mavlink;

import io.dronefleet.mavlink.serialization.payload.reflection.ReflectionPayloadDeserializer;
import io.dronefleet.mavlink.serialization.payload.reflection.ReflectionPayloadSerializer;

/** Payloads of control messages, through dronefleet's definitions. Not for the hot path: it reflects and allocates. */
final class MessageCodec {
    private static final ReflectionPayloadDeserializer DESERIALIZER = new ReflectionPayloadDeserializer();
    private static final ReflectionPayloadSerializer SERIALIZER = new ReflectionPayloadSerializer();

    private MessageCodec() {}

    /** Decodes a payload of the full length, extension fields included, so that the codec never runs out of bytes. */
    static <T> T decode(FrameView frame, int fullLength, Class<T> type) {
        byte[] payload = new byte[fullLength];
        frame.copyPayload(0, payload, 0, fullLength);
        return DESERIALIZER.deserialize(payload, type);
    }

    /** Writes the payload; the result is its length in bytes. */
    static int encode(Object message, byte[] target) {
        byte[] payload = SERIALIZER.serialize(message);
        System.arraycopy(payload, 0, target, 0, payload.length);
        return payload.length;
    }
}
