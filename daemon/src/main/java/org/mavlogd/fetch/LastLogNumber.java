package org.mavlogd.fetch;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mavlogd.mavlink.FrameView;

/** Reads the small file in which ArduPilot notes the number of its last log. Owned by the link's thread. */
final class LastLogNumber {
    private static final Pattern NUMBER = Pattern.compile("\\s*(\\d{1,8})\\b");

    private final byte[] content;
    private final FtpTransfer transfer;

    LastLogNumber(FetchTarget target, RemoteLog file, FetchOutbox outbox, long nowNs) {
        this.content = new byte[(int) file.length()];
        LogSink sink = new LogSink() {
            @Override
            public boolean write(long position, byte[] bytes, int offset, int length) {
                System.arraycopy(bytes, offset, content, (int) position, length);
                return true;
            }

            @Override
            public String problem() {
                return "";
            }

            @Override
            public boolean isStale() {
                return false;
            }
        };
        FetchClient.Start start = new FetchClient.Start(sink, MissingRanges.allOf(file.length()));
        this.transfer = new FtpTransfer(target, file, start, FtpTransfer.Check.SIZE, outbox, nowNs);
    }

    void onFrame(FrameView frame, long nowNs) {
        transfer.onFrame(frame, nowNs);
    }

    void onTick(long nowNs) {
        transfer.onTick(nowNs);
    }

    ExchangeStatus status() {
        return transfer.status();
    }

    /** 0 when it cannot be read: then logs are taken in the order of their numbers. */
    long number() {
        Matcher matcher = NUMBER.matcher(new String(content, StandardCharsets.ISO_8859_1));
        boolean isThere = status().outcome() == ExchangeStatus.Outcome.DONE && matcher.lookingAt();
        return isThere ? Long.parseLong(matcher.group(1)) : 0;
    }

    void abandon() {
        transfer.abandon();
    }
}
