package org.mavlogd.app;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.mavlogd.simulate.px4.StreamObserver.SessionEnd;

/** One log as a simulated vehicle streamed it: the truth. Written by the vehicle's thread, read by any. */
public final class SentLog {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final List<Mark> marks = new ArrayList<>();
    private volatile String end = "";

    /** How long the log was after a chunk that went out at a time of {@link System#nanoTime}. */
    private record Mark(long timeNs, int length) {}

    public synchronized void add(byte[] data, int offset, int length, long timeNs) {
        bytes.write(data, offset, length);
        marks.add(new Mark(timeNs, bytes.size()));
    }

    /** How long the log was at that time. */
    public synchronized int lengthAt(long timeNs) {
        int length = 0;
        for (int i = 0; i < marks.size() && marks.get(i).timeNs() - timeNs <= 0; i++) {
            length = marks.get(i).length();
        }
        return length;
    }

    /** When the chunk with this byte went out; {@link Long#MAX_VALUE} for one that did not yet. */
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

    /** How the vehicle's stream ended; empty while it goes on. */
    public String end() {
        return end;
    }
}
