package org.mavlogd.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.whole.WholeRecorder.MILLISECOND_NS;
import static org.mavlogd.whole.WholeRecorder.SECOND_NS;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.mavlogd.simulate.LossySettings;
import org.mavlogd.simulate.px4.LogImage;
import org.mavlogd.simulate.px4.Px4Settings;
import org.mavlogd.whole.LogContent;
import org.mavlogd.whole.SimulatedFlight;
import org.mavlogd.whole.StreamTruth;
import org.mavlogd.whole.SyntheticLog;
import org.mavlogd.whole.WholeRecorder;

/** {@link OperationFailures} with a PX4. */
final class DiskOperationFault implements Fault, OperationFailures.Subject<SimulatedFlight> {
    private static final int RATE = 40_000;
    private static final int MAX_FILES = 12;

    @Override
    public String name() {
        return "disk-operation";
    }

    @Override
    public String run(Form form, Progress progress) throws IOException {
        return new OperationFailures<>(this, RATE, MAX_FILES).run(form.pick(1, 25), form.pick(3, 1), progress);
    }

    @Override
    public SimulatedFlight begin(int seed, WholeRecorder.Setup setup, LossySettings channel) {
        LogImage log = LogImage.of(SyntheticLog.make(seed, 600_000));
        Px4Settings vehicle = Px4Settings.builder()
                .rateBytesPerSecond(RATE)
                .rebootNs(400 * MILLISECOND_NS)
                .restartsStreamItself(true)
                .seed(seed)
                .build();
        return new SimulatedFlight(setup, log, vehicle, channel, channel);
    }

    @Override
    public void fly(SimulatedFlight flight) {
        flight.runFor(3 * SECOND_NS);
        flight.vehicle().reboot(flight.nowNs());
        flight.runFor(4 * SECOND_NS);
    }

    @Override
    public OperationFailures.Missing check(SimulatedFlight flight, Map<String, byte[]> files) {
        List<String> sent = new ArrayList<>();
        for (StreamTruth.Session session : flight.truth().sessions()) {
            sent.addAll(LogContent.of("sent", session.recoverable()).texts());
        }
        Set<String> genuine = new HashSet<>(sent);
        Set<String> stored = new HashSet<>();
        files.forEach((name, bytes) -> checkFile(LogContent.of(name, bytes), bytes.length, genuine, stored));
        long missingBytes = sent.stream()
                .filter(text -> !stored.contains(text))
                .mapToLong(String::length)
                .sum();
        return new OperationFailures.Missing(missingBytes, stored.contains(sent.get(sent.size() - 1)));
    }

    /** A finished file can be read from its definitions on, and contains only samples that were sent, each once. */
    private static void checkFile(LogContent file, int length, Set<String> genuine, Set<String> stored) {
        if (file.name().endsWith(".ulg")) {
            assertThat(file.count('B'))
                    .as("flag bits in %s of %d bytes", file.name(), length)
                    .isPositive();
        }
        for (String text : file.texts()) {
            char type = text.charAt(2);
            if (type == 'D') {
                assertThat(genuine.contains(text))
                        .as("a sample in %s was sent", file.name())
                        .isTrue();
                assertThat(stored.contains(text))
                        .as("a sample in %s is also elsewhere", file.name())
                        .isFalse();
            }
            stored.add(text);
        }
    }
}
