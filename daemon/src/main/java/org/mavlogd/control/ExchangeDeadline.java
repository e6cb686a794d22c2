package org.mavlogd.control;

import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.metrics.Counter;

/**
 * Closes a connection that takes too long from one answer to the next: an idle one, and as well one that sends or
 * reads a byte now and then. Owned by the control thread.
 */
final class ExchangeDeadline {
    private final long timeoutMs;
    private final Counter timedOut;
    private @Nullable ScheduledFuture<?> pending;

    ExchangeDeadline(long timeoutMs, Counter timedOut) {
        this.timeoutMs = timeoutMs;
        this.timedOut = timedOut;
    }

    void restart(ChannelHandlerContext context) {
        cancel();
        pending = context.executor().schedule(() -> close(context), timeoutMs, TimeUnit.MILLISECONDS);
    }

    void cancel() {
        if (pending != null) {
            pending.cancel(false);
            pending = null;
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a failed close leaves nothing to do
    private void close(ChannelHandlerContext context) {
        timedOut.increment();
        context.close();
    }
}
