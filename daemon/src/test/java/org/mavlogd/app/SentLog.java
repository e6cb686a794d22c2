package org.mavlogd.app;

import java.io.ByteArrayOutputStream;
import org.mavlogd.simulate.StreamObserver.SessionEnd;

/** One log as a simulated vehicle streamed it: the truth. Written by the vehicle's thread, read by any. */
public final class SentLog {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private volatile String end = "";

    public synchronized void add(byte[] data, int offset, int length) {
        bytes.write(data, offset, length);
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
