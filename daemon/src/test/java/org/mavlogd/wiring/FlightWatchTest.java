package org.mavlogd.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.record.figures.RecordingStatus.Figures;
import org.mavlogd.store.LogKind;
import org.mavlogd.time.ClockState;
import org.mavlogd.vehicle.VehicleState;
import org.mavlogd.vehicle.VehicleStatus;

class FlightWatchTest {
    private List<RecordingStatus> recordings = List.of();
    private List<VehicleStatus> vehicles = List.of();
    private long dropped;
    private final FlightWatch watch = new FlightWatch(() -> recordings, () -> vehicles, () -> dropped, 5000);

    private List<String> look() {
        List<String> said = new ArrayList<>();
        watch.look(0, (level, tag, text) -> said.add(level + " " + tag + " " + text));
        return said;
    }

    private static RecordingStatus recording(long chunks, long link, long vehicle, long ring) {
        Figures figures = new Figures(0, 0, chunks, link, vehicle, ring, 0, 0, 0, 0, 0, 0, 2, 30, 0, 0);
        return new RecordingStatus(
                new RecordingStatus.Source("fc", 1, 1),
                new RecordingStatus.Written(LogKind.ULG, "a.ulg", "a.ulg.part", 1, 0, 0, ""),
                0,
                0,
                figures,
                false);
    }

    private static VehicleStatus vehicle(long heardMs) {
        return new VehicleStatus(
                "fc", "here", 1, 1, "PX4", false, heardMs, VehicleState.IDLE, "", "", false, 0, ClockState.UNKNOWN);
    }

    @Test
    void tellsAGapOnceWithItsBoundsAndTheTotals() {
        recordings = List.of(recording(10, 0, 0, 0));
        assertThat(look()).isEmpty();
        recordings = List.of(recording(20, 3, 9, 0));

        assertThat(look())
                .containsExactly("WARNING ulg vehicle 1 on fc: gap, 12 chunks lost, 3 on the link, 9 by the vehicle;"
                        + " 12 in this log, 2 dropouts of 30 ms");
        assertThat(look()).isEmpty();

        recordings = List.of(recording(30, 4, 9, 0));
        assertThat(look())
                .containsExactly("WARNING ulg vehicle 1 on fc: gap, 1 chunk lost, 1 on the link;"
                        + " 13 in this log, 2 dropouts of 30 ms");
    }

    @Test
    void tellsOverrunsOfTheRingUnderTheRingsTag() {
        recordings = List.of(recording(10, 0, 0, 7));

        assertThat(look())
                .containsExactly("ERROR cbuf vehicle 1 on fc: the ring was full, 7 chunks lost, 7 in this log");
    }

    @Test
    void theNextLogOfAVehicleBeginsAnew() {
        recordings = List.of(recording(1000, 50, 0, 0));
        look();
        recordings = List.of(recording(5, 1, 0, 0));

        assertThat(look()).singleElement().asString().contains("gap, 1 chunk lost");
    }

    @Test
    void tellsOfSilenceAndItsEndOnce() {
        vehicles = List.of(vehicle(4999));
        assertThat(look()).isEmpty();
        vehicles = List.of(vehicle(5200));
        assertThat(look()).containsExactly("WARNING mavlink_handler fc: vehicle 1 has been silent for 5 s");
        vehicles = List.of(vehicle(6200));
        assertThat(look()).isEmpty();
        vehicles = List.of(vehicle(10));
        assertThat(look()).containsExactly("INFO mavlink_handler fc: vehicle 1 is heard again");
    }

    @Test
    void tellsOfFramesRefusedForTheirSignature() {
        dropped = 5;
        assertThat(look())
                .containsExactly(
                        "WARNING mavlink_handler signing: 5 frames dropped for their signature, 5 since the start");
        assertThat(look()).isEmpty();
    }
}
