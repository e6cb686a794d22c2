package org.mavlogd.link;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a network link: a Netty event loop that calls back at the end of each round of input.
 *
 * <p>The call is made inside the loop's I/O step and not as a task: a task per round would cost a queue node and a
 * second pass through the loop.
 */
final class LinkLoop {
    /**
     * Small: a link holds one read buffer at a time and a few outgoing frames. One arena for all links, in chunks of
     * 512 KiB, without per-thread caches.
     */
    static final PooledByteBufAllocator ALLOCATOR = new PooledByteBufAllocator(true, 0, 1, 8192, 6, 0, 0, false);

    private static final long CLOSE_TIMEOUT_MS = 2000;
    private static final long ERROR_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final MultiThreadIoEventLoopGroup group;
    private final EventLoop loop;

    /** Called at the end of each round. */
    @FunctionalInterface
    interface RoundEnd {
        /**
         * A round has ended.
         *
         * @param hasLooked whether it looked at the sockets: one that was not read then had nothing
         */
        void onRoundEnd(boolean hasLooked);
    }

    /** @param onError receives exceptions of a round; Netty would end the thread */
    LinkLoop(String linkName, NetworkIo io, RoundEnd afterRound, Consumer<Throwable> onError) {
        this.group = new MultiThreadIoEventLoopGroup(
                1,
                (Runnable work) -> {
                    Thread thread = new FastThreadLocalThread(work, "link-" + linkName);
                    thread.setDaemon(true);
                    return thread;
                },
                executor -> new RoundHandler(io.ioHandlerFactory().newHandler(executor), afterRound, onError));
        this.loop = group.next();
    }

    EventLoop eventLoop() {
        return loop;
    }

    /** Ends the thread; false if it does not end in time. */
    boolean close() {
        return group.shutdownGracefully(0, CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(CLOSE_TIMEOUT_MS + 500, TimeUnit.MILLISECONDS);
    }

    /**
     * Passes on Netty's questions whether it may wait, and notes from them whether it looked at the sockets. Netty asks
     * once, and does not look if a task came or a timer fired before it asks again.
     */
    private static final class Look implements IoHandlerContext {
        private @Nullable IoHandlerContext context;
        private int asked;
        private boolean mayWait;

        void begin(IoHandlerContext round) {
            context = round;
            asked = 0;
        }

        boolean hasLooked() {
            return asked < 2 || mayWait;
        }

        private IoHandlerContext context() {
            return Objects.requireNonNull(context);
        }

        @Override
        public boolean canBlock() {
            asked++;
            mayWait = context().canBlock();
            return mayWait;
        }

        @Override
        public long delayNanos(long nowNs) {
            return context().delayNanos(nowNs);
        }

        @Override
        public long deadlineNanos() {
            return context().deadlineNanos();
        }

        @Override
        public void reportActiveIoTime(long activeNs) {
            context().reportActiveIoTime(activeNs);
        }

        @Override
        public boolean shouldReportActiveIoTime() {
            return context().shouldReportActiveIoTime();
        }
    }

    /** Ends each round of another handler with a call. Owned by the loop's thread. Hot path. */
    static final class RoundHandler implements IoHandler {
        private final IoHandler io;
        private final RoundEnd afterRound;
        private final Consumer<Throwable> onError;
        private final Look look = new Look();

        RoundHandler(IoHandler io, RoundEnd afterRound, Consumer<Throwable> onError) {
            this.io = io;
            this.afterRound = afterRound;
            this.onError = onError;
        }

        @Override
        public int run(IoHandlerContext context) {
            try {
                look.begin(context);
                int handled = io.run(look);
                afterRound.onRoundEnd(look.hasLooked());
                return handled;
            } catch (Throwable e) {
                onError.accept(e);
                LockSupport.parkNanos(ERROR_PAUSE_NS); // the next round may throw as well
                return 0;
            }
        }

        @Override
        public void initialize() {
            io.initialize();
        }

        @Override
        public void prepareToDestroy() {
            io.prepareToDestroy();
        }

        @Override
        public void destroy() {
            io.destroy();
        }

        @Override
        public IoRegistration register(IoHandle handle) throws Exception {
            return io.register(handle);
        }

        @Override
        public void wakeup() {
            io.wakeup();
        }

        @Override
        public boolean isCompatible(Class<? extends IoHandle> handleType) {
            return io.isCompatible(handleType);
        }
    }
}
