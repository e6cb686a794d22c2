package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ReasonTest {
    @Test
    void leavesTheWordsOfTheSystem() {
        assertThat(reason("bind(..) failed with error(-98): Address already in use"))
                .isEqualTo("Address already in use");
        assertThat(reason("finishConnect(..) failed with error(-111): Connection refused: /127.0.0.1:36527"))
                .isEqualTo("Connection refused");
        assertThat(reason("connection timed out after 700 ms: localhost/127.0.0.1:5760"))
                .isEqualTo("connection timed out after 700 ms");
        assertThat(reason("Network is unreachable")).isEqualTo("Network is unreachable");
    }

    @Test
    void namesTheExceptionThatSaysNothing() {
        assertThat(NettyLink.reason(new java.nio.channels.ClosedChannelException()))
                .isEqualTo("ClosedChannelException");
    }

    private static String reason(String message) {
        return NettyLink.reason(new IOException(message));
    }
}
