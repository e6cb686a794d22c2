package org.mavlogd.simulate;

/** A simulated vehicle with both directions of its bad link, whatever its make; {@code R} tells what came of it. Owned by one thread. */
interface Station<R> {
    /** Makes a station on a link. */
    @FunctionalInterface
    interface Maker<R> {
        /**
         * A station that begins now.
         *
         * @param datagrams whether each call of {@link Station#onBytes} carries one datagram
         */
        Station<R> make(VehicleOutput wire, boolean datagrams, long nowNs);
    }

    /** Bytes from the client. */
    void onBytes(byte[] buffer, int offset, int length, long nowNs);

    void onTick(long nowNs);

    /** The client is another one, or has lost its connection: half a frame of it is worth nothing. */
    void onConnection();

    boolean isDone();

    /**
     * What came of it.
     *
     * @param unsent frames that the socket or the device did not take
     */
    R report(long unsent);
}
