package org.mavlogd.link;

/**
 * Stands between a link and its listener. What the listener throws is a mistake of ours, not of the peer: it goes to the
 * thread's uncaught exception handler, and the listener is not called again. Owned by the link's thread. Hot path.
 */
final class Guard {
    private final LinkListener listener;
    private boolean broken;

    Guard(LinkListener listener) {
        this.listener = listener;
    }

    /** True when the listener threw; the link must stop. */
    boolean isBroken() {
        return broken;
    }

    void onPeerUp(Peer peer, long nowNs) {
        if (broken) {
            return;
        }
        try {
            listener.onPeerUp(peer, nowNs);
        } catch (Throwable mistake) {
            handOver(mistake);
        }
    }

    void onBytes(Peer peer, byte[] buffer, int length, long nowNs) {
        if (broken) {
            return;
        }
        try {
            listener.onBytes(peer, buffer, 0, length, nowNs);
        } catch (Throwable mistake) {
            handOver(mistake);
        }
    }

    void onPeerDown(Peer peer, long nowNs) {
        if (broken) {
            return;
        }
        try {
            listener.onPeerDown(peer, nowNs);
        } catch (Throwable mistake) {
            handOver(mistake);
        }
    }

    void onTick(long nowNs) {
        if (broken) {
            return;
        }
        try {
            listener.onTick(nowNs);
        } catch (Throwable mistake) {
            handOver(mistake);
        }
    }

    boolean isUnhurried() {
        return listener.isUnhurried();
    }

    boolean wantsTickSoon() {
        return !broken && listener.wantsTickSoon();
    }

    boolean isPatient() {
        return listener.isPatient();
    }

    boolean mayWait() {
        if (broken) {
            return false;
        }
        try {
            return listener.mayWait();
        } catch (Throwable mistake) {
            handOver(mistake);
            return false;
        }
    }

    /** Runs a task of the link or for it; also when the listener is broken, because the link must still close. */
    void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable mistake) {
            handOver(mistake);
        }
    }

    /** For mistakes that Netty caught before they came here. */
    void handOver(Throwable mistake) {
        broken = true;
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, mistake);
    }
}
