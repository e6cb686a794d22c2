package org.mavlogd.local;

import org.mavlogd.link.LinkListener;
import org.mavlogd.link.Peer;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.ProblemLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands between a link and a source that listens to it. A vehicle's listener that breaks ends the process, because its
 * state can't be trusted; a broken source of local topics must not cost the recording: it is told of, counted, and goes on
 * with the next bytes. Owned by the link's thread. Hot path.
 */
public final class ContainedListener implements LinkListener {
    private static final Logger LOG = LoggerFactory.getLogger(ContainedListener.class);

    private final String source;
    private final LinkListener listener;
    private final Counter mistakes;
    private final ProblemLog problems = new ProblemLog(LOG);

    /** @param mistakes counts what the listener threw */
    public ContainedListener(String source, LinkListener listener, Counter mistakes) {
        this.source = source;
        this.listener = listener;
        this.mistakes = mistakes;
    }

    @Override
    public void onPeerUp(Peer peer, long nowNs) {
        try {
            listener.onPeerUp(peer, nowNs);
        } catch (RuntimeException mistake) {
            contain(mistake);
        }
    }

    @Override
    public void onBytes(Peer peer, byte[] buffer, int offset, int length, long nowNs) {
        try {
            listener.onBytes(peer, buffer, offset, length, nowNs);
        } catch (RuntimeException mistake) {
            contain(mistake);
        }
    }

    @Override
    public void onPeerDown(Peer peer, long nowNs) {
        try {
            listener.onPeerDown(peer, nowNs);
        } catch (RuntimeException mistake) {
            contain(mistake);
        }
    }

    @Override
    public void onTick(long nowNs) {
        try {
            listener.onTick(nowNs);
        } catch (RuntimeException mistake) {
            contain(mistake);
        }
    }

    @Override
    public boolean mayWait() {
        return listener.mayWait();
    }

    @Override
    public boolean isPatient() {
        return listener.isPatient();
    }

    @Override
    public boolean wantsTickSoon() {
        return listener.wantsTickSoon();
    }

    /** Sources count in seconds. */
    @Override
    public boolean isUnhurried() {
        return true;
    }

    private void contain(RuntimeException mistake) {
        mistakes.increment();
        problems.report("source " + source + ": a mistake of ours, going on without these bytes: " + mistake);
    }
}
