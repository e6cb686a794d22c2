package org.mavlogd.arch;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/** Prints the figures of {@code scripts/structure}. */
final class StructureReport {
    private static final int SHOWN = 8;

    private StructureReport() {}

    public static void main(String[] arguments) throws IOException {
        Structure structure = Structure.of(
                Path.of(arguments[0]),
                new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .withImportOption(location -> !location.contains("-tests.jar"))
                        .importPackages("org.mavlogd"));
        List<Structure.Type> types = structure.types();
        long library = types.stream()
                .filter(type -> type.packageName().startsWith("org.mavlogd.ulog"))
                .count();
        long topLevel = types.stream().filter(Structure.Type::isTopLevel).count();
        System.out.printf(
                "types in files of their own: %d; with those inside them %d, %d of them in ulog-writer%n",
                topLevel, types.size(), library);
        System.out.printf("packages above %d classes: %s%n", Structure.CLASSES_IN_PACKAGE, structure.fullPackages());
        System.out.println("largest classes: "
                + shown(types.stream()
                        .filter(Structure.Type::isTopLevel)
                        .sorted(Comparator.comparingInt(type -> -type.lines()))
                        .map(type -> type.name() + " " + type.lines())
                        .toList()));
        System.out.printf(
                "more than %d constructor parameters: %s%n",
                Structure.PARAMETERS,
                structure.typesWithManyParameters().stream()
                        .map(type -> type.name() + " " + type.mostParameters())
                        .toList());
        System.out.printf(
                "method length, median, 90th and 99th percentile: %d, %d, %d lines%n",
                structure.methodLines(50), structure.methodLines(90), structure.methodLines(99));
        System.out.println("longest methods: "
                + shown(structure.longestMethods().stream()
                        .map(method -> method.name() + " " + method.lines())
                        .toList()));
        System.out.printf("class cycles above %d classes, and those across packages:%n", Structure.CLASSES_IN_CYCLE);
        structure.classCycles().stream()
                .filter(cycle -> cycle.classes().size() > Structure.CLASSES_IN_CYCLE
                        || cycle.packages().size() > 1)
                .forEach(cycle -> System.out.println(
                        "  " + cycle.classes().size() + " in " + cycle.packages() + ": " + cycle.classes()));
    }

    private static List<String> shown(List<String> all) {
        return all.subList(0, Math.min(SHOWN, all.size()));
    }
}
