package org.mavlogd.link;

/** How much the kernel may hold for a UDP socket while this process is not running. */
final class ReceiveBuffer {
    /** Rides out 4 s of a stream of 500 KB/s, counted with the kernel's own overhead per datagram. */
    static final int WANTED_BYTES = 4 << 20;

    private ReceiveBuffer() {}

    /** What to tell the operator; empty when the kernel granted enough. */
    static String warning(int grantedBytes) {
        if (grantedBytes >= WANTED_BYTES) {
            return "";
        }
        return "the kernel grants a receive buffer of " + grantedBytes / 1024 + " KiB instead of " + WANTED_BYTES / 1024
                + " KiB: data is lost when this computer stalls. Remedy: put net.core.rmem_max=" + WANTED_BYTES
                + " into /etc/sysctl.d/90-mavlogd.conf, then run sysctl --system and restart";
    }
}
