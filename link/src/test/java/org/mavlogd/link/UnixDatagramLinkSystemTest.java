package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.mavlogd.link.LinkFixture.await;
import static org.mavlogd.link.LinkFixture.bytes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.link.Link.Status.State;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnixDatagramLinkSystemTest {
    @TempDir
    private Path directory;

    private Path socket() {
        return directory.resolve("in.sock");
    }

    private LinkFixture fixture(Path path, int mode, String group) {
        return new LinkFixture(new LinkSettings.UnixDatagram("unix0", path.toString(), mode, group), NetworkIo.best());
    }

    private LinkFixture listening() {
        LinkFixture fixture = fixture(socket(), 0600, "").started();
        awaitUp(fixture);
        return fixture;
    }

    private static void awaitUp(LinkFixture fixture) {
        await(() -> fixture.link.status().state() == State.UP);
    }

    private static void awaitProblem(LinkFixture fixture, String words) {
        await(() -> fixture.link.status().state() == State.WAITING
                && fixture.link.status().detail().contains(words));
    }

    @Test
    void keepsDatagramsApartAndInOrder() throws IOException {
        try (LinkFixture fixture = listening();
                UnixSender program = UnixSender.nameless(socket())) {
            fixture.listener.mayWait = true;
            List<String> sent = new ArrayList<>();
            for (int i = 0; i < 2000; i++) {
                sent.add(i + "-" + "x".repeat(i % 280));
                program.send(sent.get(i));
            }

            await(() -> fixture.listener.chunks.size() >= sent.size());

            assertThat(fixture.listener.chunks).isEqualTo(sent);
            assertThat(fixture.counters.receivedDatagrams().get()).isEqualTo(2000);
            assertThat(fixture.link.status().kind()).isEqualTo("unix");
            assertThat(fixture.link.status().endpoint()).isEqualTo(socket().toString());
        }
    }

    @Test
    void knowsHowManyDatagramsTheKernelHolds() throws IOException {
        Process cat = new ProcessBuilder("cat", "/proc/sys/net/unix/max_dgram_qlen").start();
        String said = new String(cat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();

        assertThat(UnixDatagramLink.queueLength()).isEqualTo(Integer.parseInt(said));
    }

    @Test
    void losesNothingWhereBurstsFollowSparseDatagramsThatMayWaitLonger() throws IOException {
        try (LinkFixture fixture = listening();
                UnixSender program = UnixSender.nameless(socket())) {
            fixture.listener.mayWait = true;
            fixture.listener.isPatient = true;
            List<String> sent = new ArrayList<>();
            for (int i = 0; i < 3000; i++) {
                sent.add("sample " + i);
                program.send(sent.get(i));
                if (i % 1000 < 10) {
                    LockSupport.parkNanos(5_000_000);
                }
            }

            await(() -> fixture.listener.chunks.size() >= sent.size());

            assertThat(fixture.listener.chunks).isEqualTo(sent);
        }
    }

    @Test
    void answersEachSenderThatBoundAPath() throws IOException {
        Path own = directory.resolve("a.sock");
        try (LinkFixture fixture = listening();
                UnixSender first = UnixSender.named(own, socket());
                UnixSender second = UnixSender.named(directory.resolve("b.sock"), socket())) {
            first.send("one");
            second.send("two");
            first.send("three");
            await(() -> fixture.listener.chunks.size() == 3);

            assertThat(fixture.listener.peers).hasSize(2);
            assertThat(fixture.listener.peers.get(0).address()).isEqualTo(own.toString());
            assertThat(fixture.listener.peers.get(0).isReachable()).isTrue();
            assertThat(fixture.listener.peers.get(0).isDatagram()).isTrue();
            fixture.link.execute(() -> {
                fixture.listener.peers.get(0).send(bytes("xto one"), 1, 6);
                fixture.listener.peers.get(1).send(bytes("to two"), 0, 6);
            });

            assertThat(first.receive()).isEqualTo("to one");
            assertThat(second.receive()).isEqualTo("to two");
            await(() -> fixture.counters.sentBytes().get() == 12);
        }
    }

    @Test
    void namelessSenderAfterANamedOneIsNotTakenForIt() throws IOException {
        try (LinkFixture fixture = listening();
                UnixSender named = UnixSender.named(directory.resolve("a.sock"), socket());
                UnixSender nameless = UnixSender.nameless(socket())) {
            for (int i = 0; i < 50; i++) {
                named.send("named");
                nameless.send("nameless");
            }
            await(() -> fixture.listener.chunks.size() == 100);

            assertThat(fixture.listener.peers).hasSize(2);
            assertThat(fixture.listener.peers.get(1).isReachable()).isFalse();
            assertThat(fixture.listener.peers.get(1).isExpected()).isFalse();
            fixture.link.execute(() -> fixture.listener.peers.get(1).send(bytes("for nobody"), 0, 10));

            await(() -> fixture.counters.droppedSends().get() == 1);
            assertThat(named.poll()).isEmpty();
        }
    }

    @Test
    void programThatDoesNotReadHoldsUpNobody() throws IOException {
        try (LinkFixture fixture = listening();
                UnixSender deaf = UnixSender.named(directory.resolve("a.sock"), socket());
                UnixSender attentive = UnixSender.named(directory.resolve("b.sock"), socket())) {
            deaf.send("x");
            attentive.send("y");
            await(() -> fixture.listener.chunks.size() == 2);

            fixture.link.execute(() -> {
                for (int i = 0; i < 2000; i++) {
                    fixture.listener.peers.get(0).send(bytes("answer"), 0, 6);
                }
                fixture.listener.peers.get(1).send(bytes("answer"), 0, 6);
            });

            assertThat(attentive.receive()).isEqualTo("answer");
            assertThat(fixture.counters.droppedSends().get()).isPositive();
        }
    }

    @Test
    void answerToAProgramThatIsGoneIsDropped() throws IOException {
        Path own = directory.resolve("a.sock");
        try (LinkFixture fixture = listening()) {
            try (UnixSender program = UnixSender.named(own, socket())) {
                program.send("x");
                await(() -> fixture.listener.chunks.size() == 1);
            }
            fixture.send("refused");
            await(() -> fixture.counters.droppedSends().get() == 1);
            Files.delete(own);
            fixture.send("no file");
            await(() -> fixture.counters.droppedSends().get() == 2);
            fixture.send("x".repeat(UnixDatagramLink.MAX_SEND_LENGTH + 1));
            await(() -> fixture.counters.droppedSends().get() == 3);

            assertThat(fixture.link.status().state()).isEqualTo(State.UP);
        }
    }

    @Test
    void longDatagramIsCutAndCounted() throws IOException {
        int most = UnixDatagramLink.MAX_DATAGRAM_LENGTH;
        try (LinkFixture fixture = listening();
                UnixSender program = UnixSender.nameless(socket())) {
            program.send("a".repeat(most));
            program.send("b".repeat(most + 1));
            program.send("c");

            await(() -> fixture.listener.chunks.size() == 3);

            assertThat(fixture.listener.chunks.get(0)).isEqualTo("a".repeat(most));
            assertThat(fixture.listener.chunks.get(1)).isEqualTo("b".repeat(most));
            assertThat(fixture.counters.cutDatagrams().get()).isEqualTo(1);
        }
    }

    @Test
    void emptyDatagramsStopNothing() throws IOException {
        try (LinkFixture fixture = listening();
                UnixSender program = UnixSender.nameless(socket())) {
            for (int i = 0; i < 100; i++) {
                program.send("");
                program.send("");
                program.send("x");
            }

            await(() -> fixture.listener.chunks.size() == 100);
        }
    }

    @Test
    void manySendersMakeRoomForEachOther() throws IOException {
        try (LinkFixture fixture = listening()) {
            for (int i = 0; i < UnixDatagramLink.MAX_PEERS + 10; i++) {
                try (UnixSender program = UnixSender.named(directory.resolve(i + ".sock"), socket())) {
                    program.send("x");
                    int count = i + 1;
                    await(() -> fixture.listener.chunks.size() == count);
                }
            }

            assertThat(fixture.listener.peers).hasSize(UnixDatagramLink.MAX_PEERS);
            assertThat(fixture.counters.evicted().get()).isEqualTo(10);
            assertThat(fixture.listener.peers.get(0).address()).endsWith("/10.sock");
        }
    }

    @Test
    void socketHasTheAskedPermissionsAndIsGoneAfterwards() throws IOException {
        for (int mode : new int[] {0660, 0600, 0666, 0640}) {
            try (LinkFixture fixture = fixture(socket(), mode, "").started()) {
                awaitUp(fixture);

                assertThat((int) Files.getAttribute(socket(), "unix:mode", LinkOption.NOFOLLOW_LINKS) & 0777)
                        .isEqualTo(mode);
            }
            assertThat(socket()).doesNotExist();
        }
    }

    @Test
    void socketIsGivenToTheGroup() throws IOException {
        String group = Files.getAttribute(directory, "posix:group").toString();
        try (LinkFixture fixture = fixture(socket(), 0660, group).started()) {
            awaitUp(fixture);

            assertThat(Files.getAttribute(socket(), "posix:group")).hasToString(group);
        }
        try (LinkFixture fixture = fixture(socket(), 0660, "no-such-group").started()) {
            awaitUp(fixture);

            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket())))
                    .isEqualTo("rw-rw----");
        }
    }

    @Test
    void socketThatWasLeftBehindIsReplaced() throws IOException {
        UnixSender.leaveBehind(socket());

        try (LinkFixture fixture = listening();
                UnixSender program = UnixSender.nameless(socket())) {
            program.send("x");
            await(() -> fixture.listener.chunks.size() == 1);
        }
    }

    @Test
    void fileThatIsNoSocketIsLeftAlone() throws IOException {
        Files.writeString(socket(), "precious");

        try (LinkFixture fixture = fixture(socket(), 0600, "").started()) {
            awaitProblem(fixture, "not a socket; it is left as it is");
        }

        assertThat(socket()).hasContent("precious");
    }

    @Test
    void linkToAFileIsLeftAlone() throws IOException {
        Path target = Files.writeString(directory.resolve("target"), "precious");
        Files.createSymbolicLink(socket(), target);

        try (LinkFixture fixture = fixture(socket(), 0600, "").started()) {
            awaitProblem(fixture, "not a socket");
        }

        assertThat(Files.isSymbolicLink(socket())).isTrue();
        assertThat(target).hasContent("precious");
    }

    @Test
    void socketOfAnotherProgramIsLeftAloneUntilThatEnds() throws IOException {
        try (LinkFixture fixture = fixture(socket(), 0600, "")) {
            try (UnixSender other = UnixSender.named(socket(), directory.resolve("b.sock"))) {
                fixture.started();
                awaitProblem(fixture, "another program serves it");
                assertThat(other.poll()).isEmpty();
            }

            awaitUp(fixture);
        }
    }

    @Test
    void streamSocketOfAnotherProgramIsLeftAlone() throws IOException {
        try (java.nio.channels.ServerSocketChannel other =
                java.nio.channels.ServerSocketChannel.open(java.net.StandardProtocolFamily.UNIX)) {
            other.bind(java.net.UnixDomainSocketAddress.of(socket()));
            try (LinkFixture fixture = fixture(socket(), 0600, "").started()) {
                awaitProblem(fixture, "another socket is there");
            }
        }
        assertThat(Files.exists(socket(), LinkOption.NOFOLLOW_LINKS)).isTrue();
    }

    private static void answer(LinkFixture fixture, String text) {
        fixture.link.execute(() -> fixture.listener.peers.get(0).send(bytes(text), 0, text.length()));
    }

    @Test
    void answerDoesNotFollowALinkThatTheSenderPutInItsSocketsPlace() throws IOException {
        Path own = directory.resolve("a.sock");
        Path others = directory.resolve("others.sock");
        try (LinkFixture fixture = listening();
                UnixSender program = UnixSender.named(own, socket());
                UnixSender victim = UnixSender.named(others, socket())) {
            program.send("x");
            await(() -> fixture.listener.chunks.size() == 1);
            Files.delete(own);
            Files.createSymbolicLink(own, others);

            answer(fixture, "for the sender");

            await(() -> fixture.counters.droppedSends().get() == 1);
            assertThat(victim.poll()).isEmpty();
        }
    }

    @Test
    void answerDoesNotFollowALinkOfTheSendersInPlaceOfItsDirectory() throws IOException {
        assumeThat(SocketPath.ownUser()).as("only root can give files away").isZero();
        Path its = Files.createDirectory(directory.resolve("its"));
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        try (LinkFixture fixture = listening();
                UnixSender program = UnixSender.named(its.resolve("s"), socket());
                UnixSender victim = UnixSender.named(elsewhere.resolve("s"), socket())) {
            program.send("x");
            await(() -> fixture.listener.chunks.size() == 1);
            answer(fixture, "hello");
            assertThat(program.receive()).isEqualTo("hello");
            Files.move(its, directory.resolve("moved"));
            Files.createSymbolicLink(its, elsewhere);
            Files.setAttribute(its, "unix:uid", 12_345, LinkOption.NOFOLLOW_LINKS);

            answer(fixture, "for the sender");

            await(() -> fixture.counters.droppedSends().get() == 1);
            assertThat(victim.poll()).isEmpty();
        }
    }

    @Test
    void programThatStartsAgainUnderTheSamePathIsAnswered() throws IOException {
        Path own = directory.resolve("a.sock");
        try (LinkFixture fixture = listening()) {
            for (int i = 1; i <= 2; i++) {
                int count = i;
                try (UnixSender program = UnixSender.named(own, socket())) {
                    program.send("x");
                    await(() -> fixture.listener.chunks.size() == count);
                    answer(fixture, "hello");
                    assertThat(program.receive()).isEqualTo("hello");
                }
                Files.delete(own);
            }
        }
    }

    @Test
    void socketThatAnotherUserMadeInOurDirectoryIsReplaced() throws IOException {
        assumeThat(SocketPath.ownUser()).as("only root can give files away").isZero();
        try (UnixSender impostor = UnixSender.named(socket(), directory.resolve("b.sock"))) {
            Files.setAttribute(socket(), "unix:uid", 12_345, LinkOption.NOFOLLOW_LINKS);

            try (LinkFixture fixture = listening();
                    UnixSender program = UnixSender.nameless(socket())) {
                program.send("x");
                await(() -> fixture.listener.chunks.size() == 1);
                assertThat(impostor.poll()).isEmpty();
                assertThat(SocketPath.owner(socket())).isZero();
            }
        }
    }

    @Test
    void regularFileThatAnotherUserMadeInOurDirectoryIsLeftAlone() throws IOException {
        assumeThat(SocketPath.ownUser()).as("only root can give files away").isZero();
        Files.writeString(socket(), "precious");
        Files.setAttribute(socket(), "unix:uid", 12_345, LinkOption.NOFOLLOW_LINKS);

        try (LinkFixture fixture = fixture(socket(), 0600, "").started()) {
            awaitProblem(fixture, "not a socket; it is left as it is");
        }

        assertThat(socket()).hasContent("precious");
    }

    @Test
    void comesBackWhenItsFileIsDeleted() throws IOException {
        try (LinkFixture fixture = listening()) {
            Files.delete(socket());

            await(() -> Files.exists(socket()));
            awaitUp(fixture);
            try (UnixSender program = UnixSender.nameless(socket())) {
                program.send("x");
                await(() -> fixture.listener.chunks.size() == 1);
            }
        }
    }

    @Test
    void doesNotDeleteTheSocketThatReplacedItsOwn() throws IOException {
        LinkFixture fixture = listening();
        Files.delete(socket());
        try (UnixSender other = UnixSender.named(socket(), directory.resolve("b.sock"))) {
            fixture.close();

            assertThat(Files.exists(socket(), LinkOption.NOFOLLOW_LINKS)).isTrue();
            assertThat(other.poll()).isEmpty();
        }
    }

    @Test
    void waitsForItsDirectory() throws IOException {
        Path later = directory.resolve("later/in.sock");
        try (LinkFixture fixture = fixture(later, 0600, "").started()) {
            awaitProblem(fixture, "there is no directory " + later.getParent());

            Files.createDirectory(later.getParent());

            awaitUp(fixture);
        }
    }

    @Test
    void tellsThatAPathIsTooLong() throws IOException {
        int room = LinkSettings.MAX_UNIX_PATH_BYTES - directory.toString().length() - 1;
        Path fits = directory.resolve("x".repeat(room));
        try (LinkFixture fixture = fixture(fits, 0600, "").started()) {
            awaitUp(fixture);
        }

        try (LinkFixture fixture =
                fixture(directory.resolve("x".repeat(room + 1)), 0600, "").started()) {
            awaitProblem(fixture, "the path has 108 bytes, a Unix socket takes at most 107");
        }
    }

    @Test
    void modeBeyondPermissionsIsRefused() {
        assertThatThrownBy(() -> fixture(socket(), 01777, "")).hasMessageContaining("mode 01777");
    }

    @Test
    void withoutNettysLibraryItSaysSo() {
        LinkSettings settings = new LinkSettings.UnixDatagram("unix0", socket().toString(), 0600, "");
        try (LinkFixture fixture = new LinkFixture(settings, NetworkIo.NIO).started()) {
            awaitProblem(fixture, "does not load here");
        }
    }

    @Test
    void aLinkAfterTheOtherTakesTheSamePath() {
        IntStream.range(0, 3).forEach(i -> listening().close());

        assertThat(socket()).doesNotExist();
    }
}
