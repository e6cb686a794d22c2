package org.mavlogd.mavlink;

import java.lang.reflect.Field;

/** Views of frames with a mistake of ours: their bytes cannot be copied. */
public final class BrokenFrames {
    private static final int FAR_AWAY = 1 << 20;

    private BrokenFrames() {}

    /** The frame cannot be copied, until the decoder uses the view for the next one. */
    public static void breakView(FrameView frame) {
        set(frame, "offset");
    }

    /** The payload cannot be copied, until the decoder uses the view for the next frame. */
    public static void breakPayload(FrameView frame) {
        set(frame, "payloadOffset");
    }

    private static void set(FrameView frame, String field) {
        try {
            Field place = FrameView.class.getDeclaredField(field);
            place.setAccessible(true);
            place.setInt(frame, FAR_AWAY);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
