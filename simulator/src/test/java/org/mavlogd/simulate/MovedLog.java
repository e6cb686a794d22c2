package org.mavlogd.simulate;

import java.io.ByteArrayOutputStream;
import org.mavlogd.simulate.ardupilot.DataFlashImage;

/** The log as a simulated ArduPilot streams it: complete, with times of the vehicle's own clock. */
public final class MovedLog {
    private MovedLog() {}

    /** Moves the times of {@code log} so that they begin like those of the streamed log. */
    public static byte[] like(byte[] log, byte[] streamed) {
        DataFlashImage image = DataFlashImage.of(log);
        long laterUs = DataFlashImage.of(streamed).timeUs(0) - image.timeUs(0);
        byte[] message = new byte[DataFlashImage.MAX_MESSAGE_LENGTH];
        ByteArrayOutputStream moved = new ByteArrayOutputStream();
        for (int i = 0; i < image.count(); i++) {
            moved.write(message, 0, image.copy(i, laterUs, message));
        }
        return moved.toByteArray();
    }
}
