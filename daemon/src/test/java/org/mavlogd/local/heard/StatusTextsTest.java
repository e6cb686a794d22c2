package org.mavlogd.local.heard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.LocalPublisher;

class StatusTextsTest {
    private static final String A = "a".repeat(50);
    private static final String B = "b".repeat(50);

    private final HeardLink link = new HeardLink(texts(HeardSettings.StatusTextMode.AUTO));

    private static HeardSettings texts(HeardSettings.StatusTextMode mode) {
        return new HeardSettings(List.of(), List.of(), 0, List.of(), mode, HeardSettings.SenderChoice.ANYONE);
    }

    private static HeardFrames piece(String text, int number) {
        return HeardFrames.text(4, text, 77, number);
    }

    @Test
    void aTextHasItsSeverityTagAndTime() {
        link.send(HeardFrames.text(2, "EKF: \u00e4 variance", 0, 0));

        assertThat(link.takeTexts()).containsExactly("EKF: \u00e4 variance");
        assertThat(link.texts).containsExactly(new HeardLink.Text(2, 1, link.nowNs, "EKF: \u00e4 variance"));
    }

    @Test
    void aTextOfMavlink1IsWhole() {
        byte[] payload = new byte[51];
        payload[0] = 6;
        payload[1] = 'h';
        payload[2] = 'i';

        link.send(HeardFrames.v1("STATUSTEXT").payload(payload));

        assertThat(link.takeTexts()).containsExactly("hi");
    }

    @Test
    void anUnknownSeverityIsTheLeast() {
        link.send(HeardFrames.text(200, "x", 0, 0));

        link.takeTexts();
        assertThat(link.texts.get(0).level()).isEqualTo(7);
    }

    @Test
    void emptyTextsAreNoTexts() {
        link.send(HeardFrames.text(2, "", 0, 0));

        assertThat(link.takeTexts()).isEmpty();
    }

    @Test
    void piecesAreJoinedWhenTheLastIsThere() {
        link.send(piece(A, 0));
        long firstNs = link.nowNs;
        link.pass(100);
        link.send(piece(B, 1));
        assertThat(link.takeTexts()).isEmpty();

        link.send(piece("end", 2));

        assertThat(link.takeTexts()).containsExactly(A + B + "end");
        assertThat(link.texts.get(0).takenNs()).isEqualTo(firstNs);
    }

    @Test
    void anEmptyLastPieceEndsATextOfFullOnes() {
        link.send(piece(A, 0));
        link.send(piece("", 1));

        assertThat(link.takeTexts()).containsExactly(A);
    }

    @Test
    void aLetterMayBeCutByPieces() {
        byte[] text = ("x".repeat(49) + "\u20ac!").getBytes(java.nio.charset.StandardCharsets.UTF_8);
        byte[] first = new byte[54];
        System.arraycopy(text, 0, first, 1, 50);
        first[51] = 77;
        byte[] second = new byte[54];
        System.arraycopy(text, 50, second, 1, text.length - 50);
        second[51] = 77;
        second[53] = 1;

        link.send(HeardFrames.of("STATUSTEXT").payload(first));
        link.send(HeardFrames.of("STATUSTEXT").payload(second));

        assertThat(link.takeTexts()).containsExactly("x".repeat(49) + "\u20ac!");
    }

    @Test
    void piecesMayChangePlacesAndComeTwice() {
        link.send(piece("end", 2));
        link.send(piece(A, 0));
        link.send(piece("end", 2));
        link.send(piece(A, 0));
        link.send(piece(B, 1));
        link.send(piece(B, 1));
        link.send(piece("end", 2));
        link.pass(3000);

        assertThat(link.takeTexts()).containsExactly(A + B + "end");
        assertThat(link.count("messages.texts.repeated")).isEqualTo(4);
        assertThat(link.count("messages.texts.missing.pieces")).isZero();
    }

    @Test
    void missingPiecesAreMarkedWhenNothingMoreComes() {
        link.send(piece("end", 3));
        link.pass(1900);
        link.send(piece(A, 0));
        link.pass(1900);
        assertThat(link.takeTexts()).isEmpty();

        link.pass(100);

        assertThat(link.takeTexts()).containsExactly(A + "[...]end");
        assertThat(link.count("messages.texts.missing.pieces")).isEqualTo(2);
    }

    @Test
    void aMissingEndIsMarked() {
        link.send(piece(A, 0));
        link.send(piece(B, 1));

        link.pass(2000);

        assertThat(link.takeTexts()).containsExactly(A + B + "[...]");
        assertThat(link.count("messages.texts.missing.pieces")).isEqualTo(1);
    }

    @Test
    void aNumberThatIsUsedAgainBeginsAnotherText() {
        link.send(piece(A, 0));
        link.send(piece(B, 0));
        link.send(piece("end", 1));

        assertThat(link.takeTexts()).containsExactly(A + "[...]", B + "end");
    }

    @Test
    void theSameTextMayBeSaidAgainLater() {
        link.send(piece("end", 0));
        link.pass(2500);
        link.send(piece("end", 0));

        assertThat(link.takeTexts()).containsExactly("end", "end");
    }

    @Test
    void textsOfSeveralSendersDoNotMix() {
        link.isNamed = true;
        link.send(piece(A, 0).from(1, 1));
        link.send(piece(B, 0).from(1, 154));
        link.send(piece("gimbal", 1).from(1, 154));
        link.send(piece("autopilot", 1).from(1, 1));

        assertThat(link.takeTexts()).containsExactly("[1/154] " + B + "gimbal", "[1/1] " + A + "autopilot");
    }

    @Test
    void waitingTextsAreBounded() {
        for (int id = 1; id <= 20; id++) {
            link.send(HeardFrames.text(4, A, id, 0));
        }

        assertThat(link.takeTexts()).hasSize(20 - StatusTexts.MAX_WAITING);
        link.pass(2000);
        assertThat(link.takeTexts()).hasSize(StatusTexts.MAX_WAITING);
    }

    @Test
    void aTextOfManyPiecesIsCutWithAMark() {
        for (int number = 0; number < 256; number++) {
            link.send(piece(A, number));
        }
        link.pass(2000);

        List<String> texts = link.takeTexts();
        assertThat(texts).hasSize(1);
        assertThat(texts.get(0))
                .isEqualTo(A.repeat(LongText.MAX_PIECES) + "[...]")
                .hasSizeLessThan(LocalPublisher.MAX_TEXT_BYTES);
    }

    @Test
    void aFloodIsCutToItsRate() {
        for (int i = 0; i < 10_000; i++) {
            link.send(HeardFrames.text(4, "flood", 0, 0));
            link.pass(1);
        }

        List<String> texts = link.takeTexts();
        assertThat(texts).filteredOn("flood"::equals).hasSizeBetween(390, 402);
        assertThat(texts).anyMatch(text -> text.endsWith("messages of link left out; the limit is 20 a second"));
        assertThat(link.count("local.left.out.texts")).isBetween(9590L, 9610L);
    }

    @Test
    void theModeDecidesOnAnAutopilotWhoseLogIsRecorded() {
        HeardLink always = new HeardLink(texts(HeardSettings.StatusTextMode.ALWAYS));
        HeardLink never = new HeardLink(texts(HeardSettings.StatusTextMode.NEVER));
        for (HeardLink each : List.of(link, always, never)) {
            each.send(HeardFrames.text(4, "before", 0, 0));
            each.isLogged = true;
            each.send(HeardFrames.text(4, "recorded", 0, 0));
        }

        assertThat(link.takeTexts()).containsExactly("before");
        assertThat(always.takeTexts()).containsExactly("before", "recorded");
        assertThat(never.takeTexts()).isEmpty();
        assertThat(link.count("messages.texts.repeated")).isEqualTo(1);
    }
}
