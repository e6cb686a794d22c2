package org.mavlogd.app;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.mavlogd.simulate.px4.StreamObserver.SessionEnd;

/** One log exactly as a simulated vehicle streamed it. Written by the vehicle's thread, read by any. */
public final class SentLog {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final List<Mark> marks = new ArrayList<>();
    private volatile String end = "";

    /** The length of the log after a chunk that was sent at a time of {@link System#nanoTime}. */
    private record Mark(long timeNs, int length) {}

    public synchronized void add(byte[] data, int offset, int length, long timeNs) {
        bytes.write(data, offset, length);
        marks.add(new Mark(timeNs, bytes.size()));
    }

    /** The length of the log at this time. */
    public synchronized int lengthAt(long timeNs) {
        int length = 0;
        for (int i = 0; i < marks.size() && marks.get(i).timeNs() - timeNs <= 0; i++) {
            length = marks.get(i).length();
        }
        return length;
    }

    /** The time at which the chunk with this byte was sent; {@link Long#MAX_VALUE} if it was not sent yet. */
    public synchronized long sentNs(int position) {
        for (Mark mark : marks) {
            if (position < mark.length()) {
                return mark.timeNs();
            }
        }
        return Long.MAX_VALUE;
    }

    public synchronized byte[] bytes() {
        return bytes.toByteArray();
    }

    public synchronized int length() {
        return bytes.size();
    }

    public void ended(SessionEnd reason) {
        end = reason.name();
    }

    public boolean isEnded() {
        return !end.isEmpty();
    }

    /** How the vehicle's stream ended; empty while it streams. */
    public String end() {
        return end;
    }
}
