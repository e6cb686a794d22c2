package org.mavlogd.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.fleet.FaultyProxy.Fault;
import org.mavlogd.fleet.FaultyProxy.Request;

/** With any fault of the network or the server, every log arrives once and unchanged. */
class S3FaultsSystemTest extends S3Uploads {
    /** Applies the fault to the first matching request only. */
    private static Function<Request, Fault> first(Predicate<Request> which, Fault fault) {
        AtomicBoolean done = new AtomicBoolean();
        return request -> which.test(request) && !done.getAndSet(true) ? fault : FaultyProxy.NONE;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void continuesWithThePartThatWasCut(int part) throws IOException, InterruptedException {
        fixture.log(number, LARGE);
        proxy.faults(first(
                request -> request.isPart() && request.query().contains("partNumber=" + part), new Fault.CutInside()));

        fixture.untilSent();

        assertArrived(number);
        assertThat(proxy.requests.stream().filter(Request::isPart)).hasSize(PARTS + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HEAD", "POST", "GET", "PUT"})
    void survivesALostAnswerToAnything(String method) throws IOException, InterruptedException {
        for (int lost = 0; lost < 4; lost++) {
            fixture.log(1000 + 10 * number + lost, LARGE);
            AtomicInteger count = new AtomicInteger();
            int which = lost;
            proxy.faults(request -> request.method().equals(method) && count.getAndIncrement() == which
                    ? new Fault.CutBeforeAnswer()
                    : FaultyProxy.NONE);

            fixture.untilSent();

            assertArrived(1000 + 10 * number + lost);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "500, InternalError",
        "503, SlowDown",
        "403, ExpiredToken",
        "403, InvalidAccessKeyId",
        "403, QuotaExceeded",
        "507, XMinioStorageFull",
        "429, TooManyRequests"
    })
    void waitsWhileTheServerRefuses(int status, String code) throws IOException, InterruptedException {
        fixture.log(number, LARGE);
        fixture.log(300 + number, SMALL);
        proxy.faults(request -> new Fault.Answer(status, code));

        assertThat(fixture.once()).isFalse();
        assertThat(fixture.status()).contains("\"state\":\"failing\"", String.valueOf(status));
        assertThat(fixture.uploaded()).isEmpty();
        proxy.faults(request -> FaultyProxy.NONE);
        assertThat(fixture.untilSent()).isEqualTo(1);

        assertArrived(number);
        assertArrived(300 + number);
    }

    /** Its id was never heard of; the server fails when it is to be listed, or ended. */
    @ParameterizedTest
    @CsvSource({"GET, uploads", "DELETE, uploadId"})
    void noUploadStaysUnfinishedBesideAnother(String method, String query) throws IOException, InterruptedException {
        fixture.log(number, LARGE);
        AtomicBoolean isBegun = new AtomicBoolean();
        Function<Request, Fault> failing = first(
                request -> request.method().equals(method) && request.query().contains(query),
                new Fault.Answer(503, "SlowDown"));
        proxy.faults(request -> {
            boolean begins = request.method().equals("POST") && request.query().contains("uploads");
            if (begins && !isBegun.getAndSet(true)) {
                return new Fault.CutBeforeAnswer();
            }
            return isBegun.get() ? failing.apply(request) : FaultyProxy.NONE;
        });

        fixture.untilSent();

        assertArrived(number);
    }

    @Test
    void survivesErrorsInTheMiddle() throws IOException, InterruptedException {
        fixture.log(number, LARGE);
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        proxy.faults(request -> switch (random.nextInt(10)) {
            case 0 -> new Fault.Answer(500, "InternalError");
            case 1 -> new Fault.Answer(503, "SlowDown");
            case 2 -> new Fault.CutInside();
            case 3 -> new Fault.CutBeforeAnswer();
            default -> FaultyProxy.NONE;
        });

        fixture.untilSent();

        assertArrived(number);
    }

    @Test
    void aPartThatWasDamagedOnTheWayIsSentAgain() throws IOException, InterruptedException {
        fixture.log(number, LARGE);
        proxy.faults(first(Request::isPart, new Fault.Flip()));

        fixture.untilSent();

        assertArrived(number);
    }

    @Test
    void aSmallLogThatWasDamagedOnTheWayIsSentAgain() throws IOException, InterruptedException {
        fixture.log(number, SMALL);
        proxy.faults(first(
                request -> request.path().endsWith(".ulg") && request.method().equals("PUT"), new Fault.Flip()));

        fixture.untilSent();

        assertArrived(number);
    }

    @Test
    void aWrongChecksumFromTheServerIsNoticed() throws IOException, InterruptedException {
        fixture.log(number, LARGE);
        proxy.faults(request ->
                request.isPart() ? new Fault.Header("ETag", "\"0123456789abcdef0123456789abcdef\"") : FaultyProxy.NONE);

        // A second attempt finds the first part on the server, and that it is right.
        assertThat(fixture.once(UploadFixture.SINGLE_ATTEMPT)).isFalse();

        assertThat(fixture.status()).contains("the server stored other bytes");
        proxy.faults(request -> FaultyProxy.NONE);
        fixture.untilSent();
        assertArrived(number);
    }

    @Test
    void waitsForSlowAnswers() throws IOException, InterruptedException {
        fixture.log(number, LARGE);
        proxy.faults(request -> new Fault.Late(300));

        assertThat(fixture.once()).isTrue();

        assertArrived(number);
    }

    /** Ceph answers like this if the bucket does not exist. */
    @Test
    void aRefusalWithoutABodyNamesTheBucketAsALikelyCause() throws IOException, InterruptedException {
        fixture.log(number, SMALL);
        proxy.faults(request -> new Fault.Answer(404, ""));

        assertThat(fixture.once()).isFalse();

        assertThat(fixture.status())
                .contains("the server answers with status 404, is there such a bucket?")
                .doesNotContain("null: null");
    }
}
