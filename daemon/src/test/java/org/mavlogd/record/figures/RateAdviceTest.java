package org.mavlogd.record.figures;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.record.figures.RateAdvice.Autopilot;
import org.mavlogd.record.figures.RateAdvice.Counts;

class RateAdviceTest {
    private static final ContainedPart PART = ContainedPart.unlisted("advice.test", Recovery.PAUSES);
    private static final double BYTES = 267;

    private long nowNs = 5;
    private long came;
    private long link;
    private long vehicle;
    private long ring;

    private void second(RateAdvice advice, int more, int lostOnLink, int lostByVehicle, int lostInRing) {
        came += more;
        link += lostOnLink;
        vehicle += lostByVehicle;
        ring += lostInRing;
        nowNs += TimeUnit.SECONDS.toNanos(1);
        assertThat(advice.isDue(nowNs)).isTrue();
        advice.look(new Counts(came, link, vehicle, ring), BYTES, nowNs);
        assertThat(advice.isDue(nowNs)).isFalse();
    }

    private static RateAdvice px4(OptionalInt baud) {
        return new RateAdvice("vehicle 1 on air", Autopilot.PX4, baud, PART);
    }

    @Test
    void halfLostOnTheLinkIsAProblemWithinASecondAndUntilItIsOver() {
        RateAdvice advice = px4(OptionalInt.empty());
        second(advice, 100, 0, 0, 0);
        assertThat(advice.problem()).isEmpty();

        second(advice, 100, 100, 0, 0);

        assertThat(advice.problem())
                .startsWith("33 % of the log was lost in 2 s, most of it on the link")
                .contains("docs/operation.md");
        for (int i = 0; i < RateAdvice.WINDOW_S - 1; i++) {
            second(advice, 100, 0, 0, 0);
            assertThat(advice.problem()).isNotEmpty();
        }
        second(advice, 100, 0, 0, 0);
        assertThat(advice.problem()).isEmpty();
    }

    @Test
    void periodIsThatOfTheCounts() {
        RateAdvice advice = px4(OptionalInt.empty());
        for (int i = 0; i < 2 * RateAdvice.WINDOW_S; i++) {
            second(advice, 100, 100, 0, 0);
        }
        assertThat(advice.problem()).startsWith("50 % of the log was lost in 10 s, ");
    }

    @Test
    void periodIncludesAllOfAGapThatWasLongerThanTheWindow() {
        RateAdvice advice = px4(OptionalInt.empty());
        second(advice, 100, 0, 0, 0);
        for (int i = 0; i < 28; i++) {
            second(advice, 0, 0, 0, 0);
        }

        second(advice, 100, 2_900, 0, 0);

        assertThat(advice.problem()).startsWith("96 % of the log was lost in 29 s, ");
    }

    @Test
    void someLossIsNoProblem() {
        RateAdvice advice = px4(OptionalInt.empty());
        for (int i = 0; i < 100; i++) {
            second(advice, 1000, 20, 10, 10);
        }
        assertThat(advice.problem()).isEmpty();
    }

    @Test
    void fewLostChunksAreNoProblemWhateverTheirShare() {
        RateAdvice advice = px4(OptionalInt.empty());
        second(advice, 10, 49, 0, 0);
        assertThat(advice.problem()).isEmpty();
    }

    @Test
    void adviceFitsTheLinkAndTheRateThatIsThere() {
        // 921600 baud carry 92 KB/s: 300 chunks a second leave room, 345 do not.
        assertThat(lossy(OptionalInt.of(921_600), Autopilot.PX4, 100))
                .contains("27 KB/s arrive of 92 KB/s that 921600 baud carry", "raise MAV_x_RATE of this port to 92160");
        assertThat(lossy(OptionalInt.of(921_600), Autopilot.PX4, 300))
                .contains("80 KB/s arrive of 92 KB/s", "log fewer topics (SDLOG_PROFILE)", "raise the baud rate")
                .doesNotContain("MAV_x_RATE");
        assertThat(lossy(OptionalInt.empty(), Autopilot.PX4, 100))
                .contains("SDLOG_PROFILE", "MAV_x_RATE")
                .doesNotContain("baud");
        assertThat(lossy(OptionalInt.of(921_600), Autopilot.ARDUPILOT, 100))
                .contains("LOG_MAV_BUFSIZE", "LOG_BITMASK")
                .doesNotContain("MAV_x_RATE");
    }

    private String lossy(OptionalInt baud, Autopilot autopilot, int chunksPerSecond) {
        RateAdvice advice = new RateAdvice("vehicle 1 on air", autopilot, baud, PART);
        came = 0;
        vehicle = 0;
        link = 0;
        ring = 0;
        for (int i = 0; i < RateAdvice.WINDOW_S - 1; i++) {
            second(advice, chunksPerSecond, 0, 0, 0);
        }
        second(advice, chunksPerSecond, 0, 10 * chunksPerSecond, 0);
        assertThat(advice.problem()).contains("by the vehicle itself, which drops log data");
        return advice.problem();
    }

    @Test
    void ownLossesAreNotBlamedOnOthers() {
        RateAdvice advice = px4(OptionalInt.empty());
        second(advice, 100, 10, 10, 80);
        assertThat(advice.problem()).contains("by this computer");
    }
}
