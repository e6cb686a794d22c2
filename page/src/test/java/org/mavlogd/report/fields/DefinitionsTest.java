package org.mavlogd.report.fields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.mavlogd.report.Report;
import org.mavlogd.report.fields.Definitions.Definition;
import org.mavlogd.report.fields.Definitions.Line;
import org.mavlogd.report.fields.Expression.Function;

/** The definitions that come with the program, and their format. */
class DefinitionsTest {
    @Test
    void everyDefinitionIsComplete() {
        Set<String> ids = new HashSet<>();
        for (String resource : List.of("plots.txt", "rules.txt")) {
            for (Definition definition : Definitions.load(Report.class, resource)) {
                assertThat(ids.add(definition.kind() + " " + definition.id()))
                        .as(definition.id())
                        .isTrue();
                assertThat(definition.lines()).as(definition.id()).isNotEmpty();
                for (String key : required(definition.kind())) {
                    assertThat(definition.text(key)).as(definition.id()).isNotBlank();
                }
            }
        }
        assertThat(ids).hasSizeGreaterThan(100);
    }

    private static List<String> required(String kind) {
        return switch (kind) {
            case "plot", "spectrum" -> List.of("group", "title", "explain");
            case "rule" -> List.of("problem", "severity", "test", "text", "source");
            case "figure" -> List.of("group", "name", "statistic");
            default -> throw new AssertionError("unknown kind " + kind);
        };
    }

    @Test
    void linesAreRepeatedForEachNumber() {
        List<Line> lines = Definitions.parse("plot p\n  # a remark\n  line Motor # = a.control[#] | RCOU.C#\n")
                .get(0)
                .lines();

        assertThat(lines).hasSize(8);
        assertThat(lines.get(2).name()).isEqualTo("Motor 3");
        assertThat(lines.get(2).alternatives())
                .extracting(Expression::fields)
                .containsExactly(List.of("control[2]"), List.of("C3"));
    }

    @Test
    void expressionsHaveFunctionsInstancesAndFactors() {
        assertThat(Expression.parse("roll(vehicle_attitude.q) deg"))
                .isEqualTo(new Expression(Function.ROLL, "vehicle_attitude", 0, List.of("q"), 180 / Math.PI));
        assertThat(Expression.parse("norm(MAG:*.MagX,MagY) * -1.5E-3"))
                .isEqualTo(new Expression(
                        Function.NORM, "MAG", Expression.EVERY_INSTANCE, List.of("MagX", "MagY"), -1.5e-3));
        assertThat(Expression.parse("interval(IMU)"))
                .isEqualTo(new Expression(Function.INTERVAL, "IMU", 0, List.of(), 1));
        assertThat(Expression.parse("esc_status:2.esc[3].esc_rpm").field(2)).isEqualTo("esc_status.2.esc[3].esc_rpm");
    }

    @Test
    void whatIsNoneIsRefused() {
        for (String text : List.of("", "a.b * x", "a b", "nosuch(a.b)", "a.b c")) {
            assertThatThrownBy(() -> Expression.parse(text)).as(text).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> Definitions.parse("plot p\n  line x\n")).isInstanceOf(IllegalArgumentException.class);
    }
}
