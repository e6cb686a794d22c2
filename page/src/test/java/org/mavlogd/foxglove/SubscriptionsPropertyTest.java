package org.mavlogd.foxglove;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares with a map, over any order of subscriptions, channels and logs. */
class SubscriptionsPropertyTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void doesWhatAMapDoes(long seed) {
        Random random = new Random(seed);
        Subscriptions subscriptions = new Subscriptions();
        Map<Long, Long> expected = new HashMap<>();
        long first = 1;
        int count = 0;
        for (int step = 0; step < 3000; step++) {
            long id = random.nextInt(8);
            switch (random.nextInt(8)) {
                case 0 -> subscriptions.advertise(count += random.nextInt(3));
                case 1, 2 -> assertThat(subscriptions.unsubscribe(id).isEmpty()).isEqualTo(expected.remove(id) != null);
                case 3 -> {
                    if (random.nextInt(20) == 0) {
                        assertThat(subscriptions.restart()).isEqualTo(count);
                        first += count;
                        count = 0;
                        expected.clear();
                    }
                }
                default -> {
                    long channel = first - 2 + random.nextInt(count + 4);
                    boolean isRight = channel >= first
                            && channel < first + count
                            && !expected.containsKey(id)
                            && !expected.containsValue(channel);
                    assertThat(subscriptions.subscribe(id, channel).isEmpty())
                            .as("seed %d, step %d", seed, step)
                            .isEqualTo(isRight);
                    if (isRight) {
                        expected.put(id, channel);
                    }
                }
            }
            for (int local = 0; local < count; local++) {
                assertThat(subscriptions.of(local)).isEqualTo(idOf(expected, first + local));
            }
            assertThat(subscriptions.count()).isEqualTo(expected.size());
            assertThat(subscriptions.firstChannel()).isEqualTo(first);
        }
    }

    private static long idOf(Map<Long, Long> channels, long channel) {
        return channels.entrySet().stream()
                .filter(entry -> entry.getValue() == channel)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(Subscriptions.NONE);
    }
}
