package org.mavlogd.fetch;

import java.io.IOException;
import java.util.OptionalInt;

/** An operation on a file that a link's thread requests from the store. Immutable. */
sealed interface FetchOrder {
    FetchStore.Ticket ticket();

    record Open(FetchStore.Ticket ticket, String name, String log, long length, boolean isAnew) implements FetchOrder {}

    /** Owns its bytes. */
    final class Write implements FetchOrder {
        private final FetchStore.Ticket ticket;
        private final long position;
        private final byte[] bytes;

        Write(FetchStore.Ticket ticket, long position, byte[] bytes) {
            this.ticket = ticket;
            this.position = position;
            this.bytes = bytes;
        }

        @Override
        public FetchStore.Ticket ticket() {
            return ticket;
        }

        int length() {
            return bytes.length;
        }

        void into(PartFile file) throws IOException {
            file.write(position, bytes, 0, bytes.length);
        }
    }

    record Finish(FetchStore.Ticket ticket, OptionalInt checksum) implements FetchOrder {}

    record Close(FetchStore.Ticket ticket) implements FetchOrder {}

    record Look(FetchStore.Ticket ticket) implements FetchOrder {}
}
