package org.mavlogd.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.metrics.Metrics;

/** Whatever a client sends, in pieces of any size, gets a well-formed answer or none, and no page without the token. */
class HttpFuzzTest {
    private static final String TOKEN = "4f7dcb1e90a2";
    private static final String PAGE = "what is inside";
    private static final int MAX_ANSWER_LENGTH = 512;

    static Stream<byte[]> seeds() {
        return Stream.of(
                        "GET /status HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + TOKEN + "\r\n\r\n",
                        "HEAD /status HTTP/1.0\r\n\r\nGET /x?y=1 HTTP/1.1\r\nHost: [::1]:80\r\n\r\n",
                        "POST /status HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Length: 5\r\n\r\nhello",
                        "GET /status HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
                        "GET http://evil/status HTTP/1.1\nHost: 127.0.0.1\nAuthorization: bearer x\n\n",
                        "\r\n\r\nGET / HTTP/9.9\r\nHost: localhost:99999\r\nConnection: upgrade\r\n\r\n",
                        "GET /" + "a".repeat(3000) + " HTTP/1.1\r\n\r\n")
                .map(text -> text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** A channel with a loopback address. */
    private static final class LoopbackChannel extends EmbeddedChannel {
        @Override
        protected SocketAddress localAddress0() {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), 9650);
        }
    }

    @MethodSource("seeds")
    @FuzzTest
    void answersWellOrNotAtAll(byte[] request) {
        String whole = answers(request, request.length + 1);
        int piece = 1 + (Arrays.hashCode(request) & 0x3F);
        String inPieces = answers(request, piece);

        String text = new String(request, StandardCharsets.ISO_8859_1);
        if (!text.contains(TOKEN)) {
            assertThat(whole).doesNotContain(PAGE);
            assertThat(inPieces).doesNotContain(PAGE);
        }
        assertThat(whole).doesNotContain("HTTP/1.1 500");
    }

    private static String answers(byte[] request, int piece) {
        StatusServerParts parts = new StatusServerParts();
        StringBuilder answers = new StringBuilder();
        LoopbackChannel channel = new LoopbackChannel();
        channel.pipeline()
                .addLast(new HttpServerCodec(StatusServer.decoding()))
                .addLast(new HttpConnection(
                        parts.pages,
                        parts.check,
                        parts.deadline,
                        ContainedPart.unlisted("http", Recovery.CONTINUES),
                        MemoryShare.unlimited()));
        channel.pipeline().fireChannelActive();
        for (int at = 0; at < request.length && channel.isOpen(); at += piece) {
            channel.writeInbound(Unpooled.copiedBuffer(request, at, Math.min(piece, request.length - at)));
            take(channel, answers);
        }
        channel.finishAndReleaseAll();
        return answers.toString();
    }

    private static void take(EmbeddedChannel channel, StringBuilder answers) {
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            String text = out.toString(StandardCharsets.ISO_8859_1);
            out.release();
            assertThat(text.length()).isLessThan(MAX_ANSWER_LENGTH);
            if (answers.length() == 0) {
                assertThat(text).matches("(?s)HTTP/1\\.1 (200|400|401|403|404|405|414|431) .*");
            }
            answers.append(text);
        }
    }

    private static final class StatusServerParts {
        private final Pages pages =
                new Pages(List.of(PagesTest.page("/status", () -> Endpoint.Response.text(200, PAGE))));
        private final StatusServer.Counters counters = StatusServer.Counters.register(new Metrics());
        private final RequestCheck check = new RequestCheck(
                new RequestCheck.HostCheck("127.0.0.1"),
                new StatusServer.Tokens(Optional.of(AccessToken.of(TOKEN)), Optional.empty()),
                counters);
        private final HttpConnection.ExchangeDeadline deadline =
                new HttpConnection.ExchangeDeadline(30_000, counters.timedOut());
    }
}
