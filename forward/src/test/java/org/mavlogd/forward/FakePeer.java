package org.mavlogd.forward;

import java.io.ByteArrayOutputStream;
import java.util.Objects;
import java.util.function.Consumer;
import org.mavlogd.mavlink.FrameCounters;
import org.mavlogd.mavlink.FrameDecoder;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.peer.Peer;

/** A far end that stores what is sent to it, and sends what a test demands. */
final class FakePeer implements Peer {
    final ByteArrayOutputStream received = new ByteArrayOutputStream();
    final FarEnd farEnd;
    boolean isReady = true;
    int room = Integer.MAX_VALUE;
    boolean isExpected = true;
    boolean throwsErrors;
    int sends;
    int longestSend;
    Consumer<FrameView> beforeFrame = frame -> {};
    private final LinkPort port;
    private final boolean isDatagram;
    private final boolean isDirect;
    private final FrameDecoder decoder;

    FakePeer(LinkPort port, boolean isDatagram, boolean isExpected) {
        this(port, isDatagram, isExpected, false);
    }

    /** A peer to which the router's thread sends itself. */
    static FakePeer direct(LinkPort port) {
        return new FakePeer(port, true, true, true);
    }

    private FakePeer(LinkPort port, boolean isDatagram, boolean isExpected, boolean isDirect) {
        this.port = port;
        this.isDatagram = isDatagram;
        this.isDirect = isDirect;
        this.isExpected = isExpected;
        this.farEnd = Objects.requireNonNull(port.open(this));
        this.decoder = new FrameDecoder(
                new FrameDecoder.Handler() {
                    @Override
                    public void onFrame(FrameView frame, long nowNs) {
                        beforeFrame.accept(frame);
                        farEnd.onFrame(frame);
                    }

                    @Override
                    public void onUnknownFrame(FrameView frame, long nowNs) {
                        farEnd.onFrame(frame);
                    }
                },
                FrameCounters.unregistered());
    }

    void say(byte[] frame, int length) {
        decoder.decodeDatagram(frame, 0, length, 0);
    }

    void leave() {
        port.close(farEnd);
    }

    @Override
    public String address() {
        return "fake";
    }

    @Override
    public boolean isDatagram() {
        return isDatagram;
    }

    @Override
    public boolean isExpected() {
        return isExpected;
    }

    @Override
    public int room() {
        return isReady ? room : 0;
    }

    @Override
    public boolean isDirect() {
        return isDirect;
    }

    @Override
    public boolean sendDirectly(byte[] buffer, int offset, int length) {
        if (isReady) {
            send(buffer, offset, length);
        }
        return isReady;
    }

    @Override
    public void send(byte[] buffer, int offset, int length) {
        if (throwsErrors) {
            throw new IllegalStateException("broken transport");
        }
        sends++;
        longestSend = Math.max(longestSend, length);
        received.write(buffer, offset, length);
    }
}
