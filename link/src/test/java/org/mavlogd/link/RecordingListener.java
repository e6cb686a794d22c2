package org.mavlogd.link;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.mavlogd.peer.BulkRule;
import org.mavlogd.peer.LinkListener;
import org.mavlogd.peer.Peer;

/** Records the calls of a link for tests on other threads. Stricter than a real listener: checks threads and order. */
final class RecordingListener implements LinkListener {
    final List<Peer> peers = new CopyOnWriteArrayList<>();
    final List<String> chunks = new CopyOnWriteArrayList<>();
    final Set<String> threads = ConcurrentHashMap.newKeySet();
    final AtomicLong receivedBytes = new AtomicLong();
    final AtomicLong receivedCalls = new AtomicLong();
    final AtomicLong ups = new AtomicLong();
    final AtomicLong downs = new AtomicLong();
    final AtomicLong ticks = new AtomicLong();
    volatile boolean mayWait;
    volatile boolean isPatient;
    volatile boolean isUnhurried;
    volatile @Nullable BulkRule bulk;
    volatile boolean keepsChunks = true;
    /** Of the last chunk: the time after which it came; 0 if it did not wait. */
    volatile long sinceNs;
    /** Called with each chunk, on the link's thread. */
    volatile Consumer<String> onChunk = text -> {};

    volatile String brokenRule = "";

    @Override
    public void onPeerUp(Peer peer, long nowNs) {
        note();
        check(!peers.contains(peer), "up twice");
        peers.add(peer);
        ups.incrementAndGet();
    }

    @Override
    public void onBytes(Peer peer, byte[] buffer, int offset, int length, long nowNs) {
        note();
        check(peers.contains(peer), "bytes of an unknown peer");
        check(length > 0, "no bytes");
        receivedBytes.addAndGet(length);
        receivedCalls.incrementAndGet();
        if (keepsChunks) {
            String text = new String(
                    Arrays.copyOfRange(buffer, offset, offset + length), java.nio.charset.StandardCharsets.ISO_8859_1);
            chunks.add(text);
            onChunk.accept(text);
        }
    }

    @Override
    public void onWaited(long since) {
        note();
        check(sinceNs == 0, "waited twice");
        sinceNs = since;
    }

    @Override
    public void onWaitedEnd() {
        note();
        check(sinceNs != 0, "an end without a beginning");
        sinceNs = 0;
    }

    @Override
    public void onPeerDown(Peer peer, long nowNs) {
        note();
        check(peers.remove(peer), "down without up");
        downs.incrementAndGet();
    }

    @Override
    public void onTick(long nowNs) {
        note();
        ticks.incrementAndGet();
    }

    @Override
    public boolean mayWait() {
        note();
        return mayWait;
    }

    @Override
    public boolean isPatient() {
        note();
        return isPatient;
    }

    @Override
    public boolean isUnhurried() {
        note();
        return isUnhurried;
    }

    @Override
    public @Nullable BulkRule bulk() {
        note();
        return bulk;
    }

    /** All bytes so far as one string. */
    String text() {
        return String.join("", chunks);
    }

    private void note() {
        threads.add(Thread.currentThread().getName());
    }

    private void check(boolean holds, String rule) {
        if (!holds && brokenRule.isEmpty()) {
            brokenRule = rule;
        }
    }
}
