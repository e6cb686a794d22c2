package org.mavlogd.logtools;

import org.mavlogd.text.Words;

/** The result of a check in one line. */
public final class CheckText {
    private static final int MAX_NAME = 300;

    private CheckText() {}

    public static String line(String file, LogSurvey survey) {
        LogDamage damage = survey.damage();
        String contents = Words.bytes(survey.sizeBytes()) + ", " + Words.count(survey.dataMessages(), "data message")
                + ", " + Words.duration(survey.durationUs());
        return Words.line(file, MAX_NAME) + ": "
                + (damage.isNone() ? "whole (" + contents + ")" : "damaged: " + damage.text() + " (" + contents + ")");
    }
}
