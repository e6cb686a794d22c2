package org.mavlogd.link;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

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

    /** @param onError receives exceptions of a round; Netty would end the thread */
    LinkLoop(String linkName, NetworkIo io, Runnable afterRound, Consumer<Throwable> onError) {
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

    private static final class RoundHandler implements IoHandler {
        private final IoHandler io;
        private final Runnable afterRound;
        private final Consumer<Throwable> onError;

        RoundHandler(IoHandler io, Runnable afterRound, Consumer<Throwable> onError) {
            this.io = io;
            this.afterRound = afterRound;
            this.onError = onError;
        }

        @Override
        public int run(IoHandlerContext context) {
            try {
                int handled = io.run(context);
                afterRound.run();
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
