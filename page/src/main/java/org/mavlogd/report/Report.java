package org.mavlogd.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.mavlogd.flight.FlightTrack;
import org.mavlogd.logtools.LogDamage;
import org.mavlogd.logtools.Progress;
import org.mavlogd.report.LineTally.Found;
import org.mavlogd.report.fields.Definitions.Definition;
import org.mavlogd.report.tally.ColumnSeries;
import org.mavlogd.report.tally.Spectrum;
import org.mavlogd.survey.LogSurvey;
import org.mavlogd.survey.SurveyFacts;
import org.mavlogd.text.Words;

/**
 * The report of a flight: figures, problems, plots and spectra of one log of PX4 or ArduPilot, read in one pass.
 *
 * <p>Memory depends on the plots, not on the log: at most {@link ColumnSeries#MAX_COLUMNS} columns of each series.
 * {@link ReportJson} writes it as JSON, {@link ReportHtml} as a page.
 */
public final class Report {
    private static final int MAX_MESSAGES = 2000;

    /** A plot of the log. */
    record Plot(Definition definition, List<Found<ColumnSeries>> series) {}

    /** Spectra that are drawn together. */
    record SpectrumPlot(Definition definition, List<Found<Spectrum>> series) {}

    private final String name;
    private final LogSurvey survey;
    private final long fileBytes;
    private final ReportTally tally;

    private Report(String name, LogSurvey survey, long fileBytes, ReportTally tally) {
        this.name = name;
        this.survey = survey;
        this.fileBytes = fileBytes;
        this.tally = tally;
    }

    /**
     * Reads a log.
     *
     * @param name of the log in the report
     * @throws org.mavlogd.ulog.ULogException if it is not a log, or is refused
     */
    public static Report of(Path log, String name, Progress progress) throws IOException {
        ReportTally[] made = new ReportTally[1];
        LogSurvey survey = LogSurvey.of(
                log,
                MAX_MESSAGES,
                reading -> {
                    made[0] = new ReportTally(reading.flight(), reading::latestUs);
                    return made[0];
                },
                progress);
        // For a converted or unpacked log the survey has the size of the result.
        long fileBytes = Files.isRegularFile(log) ? Files.size(log) : survey.sizeBytes();
        return new Report(name, survey, fileBytes, made[0]);
    }

    /** Damage because of which parts of the log may be missing. */
    public LogDamage damage() {
        return survey.damage();
    }

    /** A summary in one line. */
    public String summary() {
        return Words.count(problems().size(), "problem") + ", " + Words.count(plots().size(), "plot");
    }

    String name() {
        return name;
    }

    LogSurvey survey() {
        return survey;
    }

    SurveyFacts facts() {
        return new SurveyFacts(survey);
    }

    List<Figure> figures() {
        List<Figure> figures = new ArrayList<>(SurveyFigures.of(survey, fileBytes));
        figures.addAll(tally.figures());
        return figures;
    }

    /** The problems, the most severe first, each severity in chronological order. */
    List<Problem> problems() {
        List<Problem> problems = new ArrayList<>(SurveyProblems.of(survey));
        problems.addAll(tally.problems());
        problems.sort(Comparator.comparing(Problem::severity).thenComparingLong(Problem::fromUs));
        return problems;
    }

    List<Plot> plots() {
        return tally.plots();
    }

    List<SpectrumPlot> spectra() {
        return tally.spectra();
    }

    /** The positions, in metres from the first one; empty if the log has none. */
    List<FlightTrack.Point> track() {
        return tally.track(survey.flight().way().source());
    }
}
