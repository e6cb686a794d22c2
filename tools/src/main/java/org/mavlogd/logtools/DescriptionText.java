package org.mavlogd.logtools;

import java.io.PrintWriter;
import java.util.Locale;
import org.mavlogd.dataflash.MessageDescriptions.Description;
import org.mavlogd.dataflash.MessageDescriptions.FieldDescription;

/** What a topic and its fields mean, for people. */
public final class DescriptionText {
    private DescriptionText() {}

    public static void print(Description description, PrintWriter out) {
        out.println(description.name() + ": " + description.text());
        out.println();
        out.printf(Locale.ROOT, "  %-16s %-18s %s%n", "Field", "Unit", "Meaning");
        for (FieldDescription field : description.fields()) {
            out.println(String.format(Locale.ROOT, "  %-16s %-18s %s", field.label(), field.unit(), field.text())
                    .stripTrailing());
        }
    }
}
