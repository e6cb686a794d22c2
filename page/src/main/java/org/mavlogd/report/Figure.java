package org.mavlogd.report;

import java.util.OptionalDouble;

/**
 * A fact of the log.
 *
 * @param group heading under which it is shown
 * @param value empty if it is not a number
 * @param text for people, with the unit
 */
record Figure(String id, String group, String name, OptionalDouble value, String unit, String text) {}
