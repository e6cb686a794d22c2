package org.mavlogd.link;

import org.jspecify.annotations.Nullable;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Uncontainable;
import org.mavlogd.peer.BulkRule;
import org.mavlogd.peer.LinkListener;
import org.mavlogd.peer.Peer;

/**
 * Calls a link's listener and catches its exceptions, so that they never reach Netty or the serial library. An
 * exception of a vehicle's listener ends the process, because the state of the recording cannot be trusted then. A
 * local source loses only the bytes of that call and continues. Owned by the link's thread. Hot path.
 */
final class ContainedListener {
    private final LinkListener listener;
    private final @Nullable ContainedPart part;
    private boolean broken;
    private boolean isRestartDue;

    /** A listener whose errors end the process. */
    ContainedListener(LinkListener listener) {
        this(listener, null);
    }

    /** A listener whose errors only affect its own part, such as a local source. */
    ContainedListener(LinkListener listener, @Nullable ContainedPart part) {
        this.listener = listener;
        this.part = part;
    }

    /** True after a listener whose errors end the process threw: the link must stop. */
    boolean isBroken() {
        return broken;
    }

    /** Called even while the part is paused: the listener must know its peers. */
    void onPeerUp(Peer peer, long nowNs) {
        if (broken) {
            return;
        }
        try {
            listener.onPeerUp(peer, nowNs);
        } catch (Throwable e) {
            failed(e);
        }
    }

    void onBytes(Peer peer, byte[] buffer, int length, long nowNs) {
        if (!mayCall()) {
            return;
        }
        try {
            listener.onBytes(peer, buffer, 0, length, nowNs);
        } catch (Throwable e) {
            failed(e);
        }
    }

    void onWaited(long sinceNs) {
        if (broken) {
            return;
        }
        try {
            listener.onWaited(sinceNs);
        } catch (Throwable e) {
            failed(e);
        }
    }

    void onWaitedEnd() {
        if (broken) {
            return;
        }
        try {
            listener.onWaitedEnd();
        } catch (Throwable e) {
            failed(e);
        }
    }

    void onRoundEnd() {
        if (broken) {
            return;
        }
        try {
            listener.onRoundEnd();
        } catch (Throwable e) {
            failed(e);
        }
    }

    void onPeerDown(Peer peer, long nowNs) {
        if (broken) {
            return;
        }
        try {
            listener.onPeerDown(peer, nowNs);
        } catch (Throwable e) {
            failed(e);
        }
    }

    void onTick(long nowNs) {
        if (!mayCall()) {
            return;
        }
        try {
            listener.onTick(nowNs);
        } catch (Throwable e) {
            failed(e);
        }
    }

    /** Local sources are always unhurried: they work in seconds. */
    boolean isUnhurried() {
        try {
            return part != null || (!broken && listener.isUnhurried());
        } catch (Throwable e) {
            failed(e);
            return true;
        }
    }

    boolean wantsTickSoon() {
        try {
            return !broken && listener.wantsTickSoon();
        } catch (Throwable e) {
            failed(e);
            return false;
        }
    }

    @Nullable
    BulkRule bulk() {
        try {
            return broken ? null : listener.bulk();
        } catch (Throwable e) {
            failed(e);
            return null;
        }
    }

    boolean isPatient() {
        try {
            return listener.isPatient();
        } catch (Throwable e) {
            failed(e);
            return false;
        }
    }

    boolean mayWait() {
        if (broken) {
            return false;
        }
        try {
            return listener.mayWait();
        } catch (Throwable e) {
            failed(e);
            return false;
        }
    }

    boolean mayWaitBriefly() {
        try {
            return !broken && listener.mayWaitBriefly();
        } catch (Throwable e) {
            failed(e);
            return false;
        }
    }

    /** Runs a task for the listener, even a broken one, because the link must still close. */
    void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            failed(e);
        }
    }

    private boolean mayCall() {
        if (broken || (part != null && !part.mayRun())) {
            return false;
        }
        if (isRestartDue) {
            isRestartDue = false;
            restart();
        }
        return true;
    }

    private void restart() {
        try {
            listener.restart();
        } catch (Throwable e) {
            failed(e);
        }
    }

    private void failed(Throwable error) {
        ContainedPart contained = part;
        if (contained == null) {
            broken = true;
            Uncontainable.end(error);
        } else {
            isRestartDue = true;
            contained.contain(error);
        }
    }
}
