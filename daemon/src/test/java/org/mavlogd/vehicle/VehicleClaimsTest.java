package org.mavlogd.vehicle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VehicleClaimsTest {
    private final VehicleClaims claims = new VehicleClaims();

    @Test
    void theFirstLinkHasTheVehicle() {
        assertThat(claims.owner(1)).isEmpty();
        assertThat(claims.claim(1, "a")).isTrue();
        assertThat(claims.claim(1, "a")).isTrue();
        assertThat(claims.claim(1, "b")).isFalse();
        assertThat(claims.claim(255, "b")).isTrue();

        assertThat(claims.owner(1)).isEqualTo("a");
    }

    @Test
    void anotherLinkTakesWhatIsOffered() {
        claims.claim(1, "a");
        claims.offer(1, "b");
        assertThat(claims.claim(1, "b")).isFalse();

        claims.offer(1, "a");
        assertThat(claims.owner(1)).isEqualTo("a");
        assertThat(claims.claim(1, "b")).isTrue();

        assertThat(claims.claim(1, "a")).isFalse();
    }

    @Test
    void anOfferIsTakenBack() {
        claims.claim(1, "a");
        claims.offer(1, "a");

        claims.keep(1, "a");

        assertThat(claims.claim(1, "b")).isFalse();
    }

    @Test
    void onlyTheOwnerLetsGo() {
        claims.claim(1, "a");
        claims.release(1, "b");
        assertThat(claims.owner(1)).isEqualTo("a");

        claims.release(1, "a");

        assertThat(claims.claim(1, "b")).isTrue();
    }

    @Test
    void theOpenLogOfTheLinkThatHasTheVehicleCounts() {
        claims.log(1, "b", true, true);
        assertThat(claims.isLogElsewhere(1, "a")).isTrue();
        claims.claim(1, "a");

        claims.log(1, "a", true, false);
        claims.log(1, "b", true, true);

        assertThat(claims.isLogElsewhere(1, "a")).isFalse();
        assertThat(claims.isLogElsewhere(1, "b")).isTrue();
        assertThat(claims.isRecorded(1)).isFalse();
        claims.log(1, "b", false, false);
        claims.log(1, "a", false, false);
        assertThat(claims.isLogElsewhere(1, "b")).isFalse();
    }
}
