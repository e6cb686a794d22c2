package org.mavlogd.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.mavlogd.logtools.LogDamage;
import org.mavlogd.logtools.LogMessages.Message;
import org.mavlogd.report.Problem.Severity;
import org.mavlogd.survey.LogSurvey;
import org.mavlogd.survey.SurveyFacts;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.LogLevel;

/**
 * The problems of a report from a survey of the log: errors in messages, damage, a crash, an end during flight.
 */
final class SurveyProblems {
    private static final int MAX_MESSAGES = 50;
    private static final int MAX_TEXT = 200;
    // Dropouts report the same gaps.
    private static final String GAP = ": gap, ";
    // ArduPilot logs the start of a failsafe only as text: as an error of a subsystem, as the reason for a change of
    // mode, or as a message of the vehicle without a level. "... Failsafe Cleared" and "... Off" report the end.
    private static final Pattern FAILSAFE = Pattern.compile(
            "Error: .* failsafe, .*|Mode .* \\((.* )?failsafe\\)|[A-Z][A-Za-z ]* [Ff]ailsafe( - .*| [Oo]n(: .*)?)?");

    /** Messages that differ only in their numbers. */
    private static final class Repeated {
        private final Message first;
        private long latestUs;
        private long count;

        Repeated(Message first) {
            this.first = first;
        }
    }

    private SurveyProblems() {}

    static List<Problem> of(LogSurvey survey) {
        List<Problem> problems = new ArrayList<>();
        SurveyFacts facts = new SurveyFacts(survey);
        messages(facts, problems);
        long beginUs = survey.beginUs();
        long endUs = survey.endUs();
        LogDamage damage = survey.damage().withoutCut();
        if (!damage.isNone()) {
            problems.add(Problem.of(
                    "damage", Severity.WARNING, beginUs, OptionalLong.empty(), "The log is damaged: " + damage.text()));
        }
        if (!facts.crashText().isEmpty()) {
            problems.add(Problem.of(
                    "crash",
                    Severity.CRITICAL,
                    endUs,
                    OptionalLong.empty(),
                    "The autopilot crashed: " + Words.line(facts.crashText(), MAX_TEXT)));
        }
        if (survey.flight().isArmedNow()) {
            problems.add(Problem.of(
                    "end", Severity.WARNING, endUs, OptionalLong.empty(), "The log ends while the vehicle is armed"));
        }
        return problems;
    }

    private static void messages(SurveyFacts facts, List<Problem> problems) {
        Map<String, Repeated> byText = new LinkedHashMap<>();
        for (Message message : facts.messages()) {
            boolean isFailsafe = FAILSAFE.matcher(message.text()).matches();
            boolean isError = message.level().compareTo(LogLevel.ERROR) <= 0
                    && !message.text().contains(GAP);
            if (isError || isFailsafe) {
                String text = message.text().replaceAll("[0-9]+", "#");
                if (byText.size() < MAX_MESSAGES || byText.containsKey(text)) {
                    Repeated repeated = byText.computeIfAbsent(text, key -> new Repeated(message));
                    repeated.count++;
                    repeated.latestUs = message.timestampUs();
                }
            }
        }
        byText.values().forEach(repeated -> problems.add(problem(repeated)));
    }

    private static Problem problem(Repeated repeated) {
        Message first = repeated.first;
        boolean isFailsafe = FAILSAFE.matcher(first.text()).matches();
        boolean isCritical = isFailsafe || first.level().compareTo(LogLevel.CRITICAL) <= 0;
        String often = repeated.count == 1 ? "" : " (" + Words.number(repeated.count) + " times)";
        return Problem.of(
                isFailsafe ? "failsafe" : "message",
                isCritical ? Severity.CRITICAL : Severity.WARNING,
                first.timestampUs(),
                repeated.latestUs > first.timestampUs() ? OptionalLong.of(repeated.latestUs) : OptionalLong.empty(),
                Words.line(first.text(), MAX_TEXT) + often);
    }
}
