package org.mavlogd.app;

import java.io.ByteArrayOutputStream;
import org.mavlogd.simulate.StreamObserver.SessionEnd;

/** One log as a simulated vehicle streamed it: the truth. Written by the vehicle's thread, read by any. */
final class SentLog {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private volatile String end = "";

    synchronized void add(byte[] data, int offset, int length) {
        bytes.write(data, offset, length);
    }

    synchronized byte[] bytes() {
        return bytes.toByteArray();
    }

    synchronized int length() {
        return bytes.size();
    }

    void ended(SessionEnd reason) {
        end = reason.name();
    }

    boolean isEnded() {
        return !end.isEmpty();
    }

    /** How the vehicle's stream ended; empty while it goes on. */
    String end() {
        return end;
    }
}
