package org.mavlogd.report;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.mavlogd.flight.FlightBatteries.Battery;
import org.mavlogd.flight.FlightWay;
import org.mavlogd.survey.LogSurvey;
import org.mavlogd.survey.SurveyFacts;
import org.mavlogd.text.Words;

/** The figures of a report from a survey of the log. */
final class SurveyFigures {
    private static final int MAX_TEXT = 200;

    private final LogSurvey survey;
    private final SurveyFacts facts;
    private final List<Figure> figures = new ArrayList<>();

    private SurveyFigures(LogSurvey survey) {
        this.survey = survey;
        this.facts = new SurveyFacts(survey);
    }

    static List<Figure> of(LogSurvey survey, long fileBytes) {
        SurveyFigures figures = new SurveyFigures(survey);
        figures.origin();
        figures.flight();
        figures.batteries();
        figures.log(fileBytes);
        return figures.figures;
    }

    private void origin() {
        text("vehicle", "Vehicle", facts.vehicle());
        text("vehicle_id", "Vehicle id", facts.uuid().orElse(""));
        text("software", "Software", facts.software());
        text("system", "System", facts.operatingSystem());
        text("recorder", "Recorded by", facts.recorder().orElse(""));
    }

    private void flight() {
        time("duration", "Flight", "Duration", survey.durationUs());
        if (survey.flight().knowsArming()) {
            time("armed", "Flight", "Armed", survey.flight().armedUs());
        }
        FlightWay.Result way = survey.flight().way();
        number("distance", "Motion", "Distance", way.distanceM(), "m");
        number("speed_max", "Motion", "Maximum speed", way.maximumSpeedMS(), "m/s");
        number("height_max", "Motion", "Maximum height above the start", way.maximumHeightM(), "m");
        number("altitude_max", "Motion", "Maximum altitude above sea level", way.maximumAltitudeM(), "m");
    }

    private void batteries() {
        List<Battery> batteries = survey.flight().batteries();
        for (int i = 0; i < batteries.size(); i++) {
            String id = i == 0 ? "battery" : "battery_" + (i + 1);
            String name = batteries.size() == 1 ? "Battery" : "Battery " + (i + 1);
            Battery battery = batteries.get(i);
            number(id + "_used_mah", "Power", name + ": used", battery.usedMah(), "mAh");
            number(id + "_used_percent", "Power", name + ": share used", battery.usedPercent(), "%");
        }
    }

    private void log(long fileBytes) {
        count("size", "Size of the log", fileBytes, Words.bytes(fileBytes), "B");
        count("samples", "Samples", survey.dataMessages(), Words.number(survey.dataMessages()), "");
        count("dropouts", "Dropouts", survey.dropouts(), dropouts(), "");
        count("parameters", "Parameters", facts.parameterCount(), Words.number(facts.parameterCount()), "");
        count("messages", "Messages", facts.messageCount(), Words.number(facts.messageCount()), "");
        text(
                "damage",
                "Damage",
                survey.damage().isNone() ? "none" : survey.damage().text());
    }

    private String dropouts() {
        return survey.dropouts() == 0
                ? "none"
                : Words.number(survey.dropouts()) + ", " + Words.duration(survey.dropoutMs() * 1000);
    }

    private void text(String id, String name, String text) {
        if (!text.isEmpty()) {
            String group = id.equals("damage") ? "Log" : "Flight";
            figures.add(new Figure(id, group, name, OptionalDouble.empty(), "", Words.line(text, MAX_TEXT)));
        }
    }

    private void time(String id, String group, String name, long us) {
        figures.add(new Figure(id, group, name, OptionalDouble.of(us / 1e6), "s", Words.duration(us)));
    }

    private void number(String id, String group, String name, OptionalDouble value, String unit) {
        value.ifPresent(number -> figures.add(new Figure(id, group, name, value, unit, Numbers.text(number, unit))));
    }

    private void count(String id, String name, long count, String text, String unit) {
        figures.add(new Figure(id, "Log", name, OptionalDouble.of((double) count), unit, text));
    }
}
