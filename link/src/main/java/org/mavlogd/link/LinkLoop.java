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

/**
 * The one thread of a network link: a Netty event loop that calls back at the end of each round of input.
 *
 * <p>The call is made from inside the loop's I/O step and not as a task, because a task per round would cost a queue
 * node and a second trip through the loop.
 */
final class LinkLoop {
    /**
     * Small on purpose: a link holds one read buffer at a time and a few outgoing frames. One arena for all links, in
     * pieces of 512 KiB, without per-thread caches.
     */
    static final PooledByteBufAllocator ALLOCATOR = new PooledByteBufAllocator(true, 0, 1, 8192, 6, 0, 0, false);

    private static final long CLOSE_TIMEOUT_MS = 2000;

    private final MultiThreadIoEventLoopGroup group;
    private final EventLoop loop;

    LinkLoop(String linkName, NetworkIo io, Runnable afterRound) {
        this.group = new MultiThreadIoEventLoopGroup(
                1,
                (Runnable work) -> {
                    Thread thread = new FastThreadLocalThread(work, "link-" + linkName);
                    thread.setDaemon(true);
                    return thread;
                },
                executor -> new RoundHandler(io.ioHandlerFactory().newHandler(executor), afterRound));
        this.loop = group.next();
    }

    EventLoop eventLoop() {
        return loop;
    }

    /** Ends the thread; false when it did not end in time. */
    boolean close() {
        return group.shutdownGracefully(0, CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(CLOSE_TIMEOUT_MS + 500, TimeUnit.MILLISECONDS);
    }

    private static final class RoundHandler implements IoHandler {
        private final IoHandler io;
        private final Runnable afterRound;

        RoundHandler(IoHandler io, Runnable afterRound) {
            this.io = io;
            this.afterRound = afterRound;
        }

        @Override
        public int run(IoHandlerContext context) {
            int handled = io.run(context);
            afterRound.run();
            return handled;
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
