package org.mavlogd.fleet.targets;

import java.io.IOException;
import org.mavlogd.fleet.state.Transfer;

/** A destination of files. Owned by one thread, which waits for its calls. */
public interface Target extends AutoCloseable {
    /** Stores transfers durably. */
    interface Notes {
        void save(Transfer transfer) throws IOException;
    }

    /**
     * Sends a file, or the rest of it, and returns when it has arrived and was checked.
     *
     * @param before progress so far
     * @param notes receives every step that a later call must know
     * @throws RefusedException if this file is not accepted, but others may be
     * @throws IOException with a text for the user; another attempt may succeed
     */
    Transfer send(Shipment shipment, Transfer before, Notes notes) throws IOException, InterruptedException;

    /** Whether sending the same name again replaces the file. */
    boolean replaces();

    /** Whether an interrupted upload is resumed. */
    boolean resumes();

    /** Host of the connections; empty if unknown. */
    String host();

    @Override
    void close();
}
