package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests rounds in which Netty does not look at the sockets, because a task came at the wrong moment. */
class LinkLoopTest {
    private final Deque<Boolean> answers = new ArrayDeque<>();
    private final List<Boolean> looks = new ArrayList<>();
    private boolean isWaiting;

    /** Decides like Netty's handler for epoll whether it looks at the sockets. */
    private final class Epoll implements IoHandler {
        @Override
        public int run(IoHandlerContext context) {
            isWaiting = context.canBlock();
            if (isWaiting) {
                isWaiting = context.canBlock();
            }
            return 0;
        }

        @Override
        public void destroy() {}

        @Override
        public IoRegistration register(IoHandle handle) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void wakeup() {}

        @Override
        public boolean isCompatible(Class<? extends IoHandle> handleType) {
            return false;
        }
    }

    private final IoHandlerContext context = new IoHandlerContext() {
        @Override
        public boolean canBlock() {
            return answers.remove();
        }

        @Override
        public long delayNanos(long nowNs) {
            return 0;
        }

        @Override
        public long deadlineNanos() {
            return 0;
        }
    };

    @Test
    void tellsWhetherTheRoundLookedAtTheSockets() {
        LinkLoop.RoundHandler handler = new LinkLoop.RoundHandler(new Epoll(), looks::add, e -> {
            throw new AssertionError(e);
        });

        answers.addAll(List.of(true, true));
        handler.run(context);
        assertThat(isWaiting).isTrue();
        answers.add(false); // with a task from before, Netty looks without waiting
        handler.run(context);
        answers.addAll(List.of(true, false)); // it meant to wait, but a task came
        handler.run(context);

        assertThat(looks).containsExactly(true, true, false);
    }
}
