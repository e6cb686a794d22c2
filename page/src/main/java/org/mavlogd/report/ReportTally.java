package org.mavlogd.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.mavlogd.flight.FlightSummary;
import org.mavlogd.flight.FlightTrack;
import org.mavlogd.logtools.TopicReader;
import org.mavlogd.report.LineTally.Found;
import org.mavlogd.report.Report.Plot;
import org.mavlogd.report.Report.SpectrumPlot;
import org.mavlogd.report.fields.Definitions;
import org.mavlogd.report.fields.Definitions.Definition;
import org.mavlogd.report.fields.FieldRouter;
import org.mavlogd.report.tally.ColumnSeries;
import org.mavlogd.report.tally.Spectrum;
import org.mavlogd.report.tally.Statistics;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;

/** Collects the values of a log for all definitions of a report. */
final class ReportTally implements TopicReader {
    private static final List<Definition> PLOTS = Definitions.load(ReportTally.class, "plots.txt");
    private static final List<Definition> RULES = Definitions.load(ReportTally.class, "rules.txt");

    private static final long NEAR_US = 1_000_000;

    private final FieldRouter router = new FieldRouter();
    private final FlightTrack track = new FlightTrack();
    private final DropoutTally dropouts = new DropoutTally();
    private final List<LineTally<ColumnSeries>> plots = new ArrayList<>();
    private final List<LineTally<Spectrum>> spectra = new ArrayList<>();
    private final List<LineTally<Statistics>> figures = new ArrayList<>();
    private final List<Rule> rules = new ArrayList<>();
    private final FlightSummary flight;
    private final LongSupplier latestUs;

    /**
     * Creates an empty tally.
     *
     * @param flight receives each sample before this
     * @param latestUs latest time of all samples so far
     */
    ReportTally(FlightSummary flight, LongSupplier latestUs) {
        this.flight = flight;
        this.latestUs = latestUs;
        // While the log does not show whether the vehicle is armed, it counts as armed; problems() later removes the
        // problems that do not count.
        BooleanSupplier isArmed = () -> flight.isArmedNow() || !flight.knowsArming();
        for (Definition plot : PLOTS) {
            if (plot.kind().equals("plot")) {
                plots.add(new LineTally<>(plot, router, ColumnSeries::new));
            } else {
                spectra.add(new LineTally<>(plot, router, Spectrum::new));
            }
        }
        for (Definition rule : RULES) {
            if (rule.kind().equals("rule")) {
                rules.add(new Rule(rule, router, isArmed));
            } else {
                boolean isWhileArmed = rule.textOr("when", "").equals("armed");
                figures.add(new LineTally<>(
                        rule, router, () -> isWhileArmed ? new Statistics(flight::isArmedNow) : new Statistics()));
            }
        }
    }

    @Override
    public void onMultiInfo(KeyedValue info, boolean continued) {
        router.onMultiInfo(info, continued);
    }

    @Override
    public void onTopic(Topic topic) {
        router.onTopic(topic);
        track.onTopic(topic);
    }

    @Override
    public boolean reads(Topic topic) {
        return router.reads(topic) || track.reads(topic);
    }

    @Override
    public void onSample(SampleView sample) throws IOException {
        router.onSample(sample);
        track.onSample(sample);
    }

    @Override
    public void onDropout(int durationMs) {
        dropouts.onDropout(latestUs.getAsLong(), durationMs);
    }

    List<Plot> plots() {
        List<Plot> all = new ArrayList<>();
        for (LineTally<ColumnSeries> plot : plots) {
            List<Found<ColumnSeries>> series = plot.firsts(columns -> columns.values() > 0);
            if (plot.definition().isRepeated() && series.stream().anyMatch(ReportTally::moves)) {
                series = series.stream().filter(ReportTally::moves).toList();
            }
            if (!series.isEmpty()) {
                all.add(new Plot(plot.definition(), series));
            }
        }
        return all;
    }

    private static boolean moves(Found<ColumnSeries> found) {
        return !found.sink().isConstant();
    }

    List<SpectrumPlot> spectra() {
        List<SpectrumPlot> all = new ArrayList<>();
        for (LineTally<Spectrum> spectrum : spectra) {
            List<Found<Spectrum>> series = spectrum.firsts(found -> found.windows() > 0);
            if (!series.isEmpty()) {
                all.add(new SpectrumPlot(spectrum.definition(), series));
            }
        }
        return all;
    }

    List<Figure> figures() {
        List<Figure> all = new ArrayList<>();
        for (LineTally<Statistics> figure : figures) {
            figure.firsts(found -> found.count() > 0).stream()
                    .limit(1)
                    .filter(found -> isMeasured(figure.definition(), found.sink()))
                    .forEach(found -> all.add(figure(figure.definition(), found.sink())));
        }
        return all;
    }

    /** Whether a value was measured: one below the minimum was not, and a damaged one may be infinite. */
    private static boolean isMeasured(Definition definition, Statistics statistics) {
        double value = statistics.of(definition.text("statistic"));
        return value <= Double.MAX_VALUE && value >= Double.parseDouble(definition.textOr("least", "-1.0E308"));
    }

    private static Figure figure(Definition definition, Statistics statistics) {
        String unit = definition.textOr("unit", "");
        double value = statistics.of(definition.text("statistic"));
        return new Figure(
                definition.id(),
                definition.text("group"),
                definition.text("name"),
                OptionalDouble.of(value),
                unit,
                Numbers.text(value, unit));
    }

    /** The problems; gaps that appear in several topics or as dropouts are merged. */
    List<Problem> problems() {
        List<Problem> all = new ArrayList<>(dropouts.problems());
        for (Rule rule : rules) {
            for (Problem problem : rule.problems()) {
                if (counts(rule, problem) && !isToldBy(all, problem)) {
                    all.add(problem);
                }
            }
        }
        return all;
    }

    private boolean counts(Rule rule, Problem problem) {
        return !rule.isWhileArmed()
                || !flight.knowsArming()
                || flight.armed().stream().anyMatch(armed -> problem.overlaps(armed.fromUs(), armed.toUs()));
    }

    private static boolean isToldBy(List<Problem> known, Problem problem) {
        return problem.kind().equals("gap")
                && known.stream()
                        .anyMatch(other -> other.kind().equals("gap")
                                && problem.overlaps(other.fromUs() - NEAR_US, other.endUs() + NEAR_US));
    }

    List<FlightTrack.Point> track(Optional<String> source) {
        return track.points(source);
    }
}
