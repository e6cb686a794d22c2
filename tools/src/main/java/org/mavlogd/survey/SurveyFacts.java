package org.mavlogd.survey;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.mavlogd.logtools.LogMessages.Message;
import org.mavlogd.survey.ParameterTally.Entry;
import org.mavlogd.survey.ParameterTally.TimedValue;
import org.mavlogd.ulog.Parameter;

/** The facts of a survey about vehicle and software, its messages and parameters, for other presentations. */
public final class SurveyFacts {
    private static final String AIRFRAME = "SYS_AUTOSTART";

    /** A parameter that differs from its default. */
    public record NonDefault(String name, Parameter value, Parameter defaultValue) {}

    /** A change of a parameter; {@code timestampUs} is that of the newest sample before it. */
    public record Change(String name, long timestampUs, Parameter before, Parameter value) {}

    private final LogSurvey survey;
    private final VehicleText text;

    public SurveyFacts(LogSurvey survey) {
        this.survey = survey;
        this.text = new VehicleText(survey.infos());
    }

    /** System, kind of vehicle, hardware and airframe; empty if unknown. */
    public String vehicle() {
        return text.vehicle(survey.flight().vehicleKind(), survey.parameters().value(AIRFRAME));
    }

    /** Name, release, branch and commit. */
    public String software() {
        return text.software();
    }

    /** Name and release of the vehicle's operating system. */
    public String operatingSystem() {
        return text.operatingSystem();
    }

    public Optional<String> uuid() {
        return text.uuid();
    }

    public Optional<String> recorder() {
        return text.recorder();
    }

    /** Text of all crashes in the log; may be empty. */
    public String crashText() {
        return survey.infos().crashText();
    }

    /** The first messages, up to the survey's limit. */
    public List<Message> messages() {
        return survey.texts().first();
    }

    public long messageCount() {
        return survey.texts().count();
    }

    /** A text of the log's infos, truncated to a line. */
    public Optional<String> info(String name) {
        return survey.infos().text(name);
    }

    /** The first value of each parameter, by name. */
    public SortedMap<String, Parameter> parameters() {
        SortedMap<String, Parameter> all = new TreeMap<>();
        survey.parameters().entries().forEach((name, entry) -> all.put(name, entry.value()));
        return all;
    }

    public int parameterCount() {
        return survey.parameters().count();
    }

    /** The first value of a parameter. */
    public Optional<Parameter> parameter(String name) {
        return survey.parameters().value(name);
    }

    public List<NonDefault> nonDefaultParameters() {
        List<NonDefault> all = new ArrayList<>();
        for (Map.Entry<String, Entry> parameter : survey.parameters().entries().entrySet()) {
            Entry entry = parameter.getValue();
            entry.defaultValue()
                    .filter(other -> entry.isNonDefault())
                    .ifPresent(other -> all.add(new NonDefault(parameter.getKey(), entry.value(), other)));
        }
        return all;
    }

    /** The first {@code most} changes, by name. Repeated values are not changes. */
    public List<Change> changedParameters(int most) {
        List<Change> all = new ArrayList<>();
        for (Map.Entry<String, Entry> parameter : survey.parameters().entries().entrySet()) {
            Parameter before = parameter.getValue().value();
            for (TimedValue change : parameter.getValue().changes()) {
                if (!ParameterTally.isSame(before, change.parameter()) && all.size() < most) {
                    all.add(new Change(parameter.getKey(), change.timestampUs(), before, change.parameter()));
                }
                before = change.parameter();
            }
        }
        return all;
    }

    /** A parameter's value with the digits of its type. */
    public static String text(Parameter parameter) {
        return ParameterTally.text(parameter);
    }
}
