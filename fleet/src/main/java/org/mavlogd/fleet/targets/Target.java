package org.mavlogd.fleet.targets;

import java.io.IOException;
import org.mavlogd.fleet.state.Transfer;

/** One place that files are sent to. Owned by one thread, which calls it and waits. */
public interface Target extends AutoCloseable {
    /** Stores notes, durable when it returns. */
    interface Notes {
        void save(Transfer transfer) throws IOException;
    }

    /**
     * Sends a file, or the rest of it, and returns when it has arrived and was checked.
     *
     * @param before how far it is
     * @param notes receives every step that a later call must know
     * @throws RefusedException if this file is not accepted, in contrast to others
     * @throws IOException with a text for the user; another attempt may succeed
     */
    Transfer send(Shipment shipment, Transfer before, Notes notes) throws IOException, InterruptedException;

    /** Whether a second sending of the same name takes the place of the first. */
    boolean replaces();

    /** Whether an interrupted sending continues where it was. */
    boolean resumes();

    /** Host that connections go to; empty if that is not known. */
    String host();

    @Override
    void close();
}
