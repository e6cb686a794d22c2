package org.mavlogd.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.ulog.ULogLayout;

/** Tests which package may depend on which, from the class files. */
class PackagesTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("org.mavlogd");

    @Test
    void seesAllPackages() {
        List<String> packages =
                CLASSES.stream().map(JavaClass::getPackageName).distinct().toList();

        assertThat(packages)
                .contains("org.mavlogd.ulog")
                .containsAll(Stream.of(
                                "app",
                                "cli",
                                "config",
                                "control",
                                "dataflash",
                                "exports",
                                "feed",
                                "fetch",
                                "forward",
                                "link",
                                "local",
                                "local.events",
                                "local.gpsd",
                                "local.heard",
                                "local.iio",
                                "local.journal",
                                "local.nmea",
                                "local.publish",
                                "local.syslog",
                                "local.system",
                                "logtools",
                                "mavlink",
                                "mcap",
                                "memory",
                                "metrics",
                                "peer",
                                "record",
                                "recovery",
                                "simulate",
                                "store",
                                "tags",
                                "text",
                                "time",
                                "tools",
                                "vehicle",
                                "vehicle.ardupilot",
                                "vehicle.conversation",
                                "vehicle.px4",
                                "wiring")
                        .map(name -> "org.mavlogd." + name)
                        .toList());
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("org.mavlogd.(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void classesThatNeedEachOtherAreFewAndInOnePackage() {
        assertThat(Structure.of(CLASSES).classCycles())
                .isNotEmpty()
                .allMatch(cycle -> cycle.classes().size() <= Structure.CLASSES_IN_CYCLE)
                .allMatch(cycle -> cycle.packages().size() == 1);
    }

    /** The limits that {@code scripts/structure} measures; the library has one package by design. */
    @Test
    void packagesClassesAndMethodsStaySmall() throws IOException {
        Structure structure = Structure.of(Path.of(".."), CLASSES);

        assertThat(structure.fullPackages()).containsOnlyKeys("org.mavlogd.ulog");
        assertThat(structure.types())
                .filteredOn(type -> type.isTopLevel() && type.lines() > 400)
                .isEmpty();
        assertThat(structure.typesWithManyParameters()).isEmpty();
        assertThat(structure.methodLines(99)).isLessThanOrEqualTo(25);
    }

    /**
     * Data flows from the first package to the others, or they are unrelated; so the first depends on none of the
     * others.
     */
    @ParameterizedTest
    @CsvSource({
        "forward, link vehicle local fetch feed store recovery record",
        "feed, link mavlink vehicle local fetch dataflash store recovery record",
        "vehicle, link local fetch dataflash store recovery record",
        "local, link fetch dataflash store recovery record",
        "fetch, local feed dataflash store recovery record",
        "store, peer link mavlink vehicle local fetch feed time dataflash recovery record",
        "recovery, peer link mavlink vehicle local fetch time record",
        "record, peer link mavlink vehicle local fetch"
    })
    void noneKnowsWhatIsBehindIt(String first, String others) {
        for (String other : others.split(" ", -1)) {
            notKnown(first, other);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"peer", "time", "tags", "text"})
    void theGroundKnowsNoOtherPackage(String ground) {
        String its = "org.mavlogd." + ground;
        noClasses()
                .that()
                .resideInAPackage(its + "..")
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAPackage("org.mavlogd..")
                        .and(JavaClass.Predicates.resideOutsideOfPackage(its + "..")))
                .check(CLASSES);
    }

    private static void notKnown(String first, String other) {
        assertThat(CLASSES.stream().map(JavaClass::getPackageName))
                .as("packages that exist")
                .contains("org.mavlogd." + other);
        noClasses()
                .that()
                .resideInAPackage("org.mavlogd." + first + "..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.mavlogd." + other + "..")
                .check(CLASSES);
    }

    @Test
    void subpackagesDoNotLookBack() {
        noClasses()
                .that()
                .resideInAPackage("org.mavlogd.vehicle.*")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.mavlogd.vehicle")
                .check(CLASSES);
    }

    @Test
    void makesOfAutopilotsDoNotKnowEachOther() {
        noClasses()
                .that()
                .resideInAPackage("org.mavlogd.vehicle.ardupilot")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.mavlogd.vehicle.px4")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage("org.mavlogd.vehicle.px4")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.mavlogd.vehicle.ardupilot")
                .check(CLASSES);
    }

    @Test
    void localKnowsNoneOfItsSources() {
        noClasses()
                .that()
                .resideInAPackage("org.mavlogd.local")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.mavlogd.local.*")
                .check(CLASSES);
        slices().matching("org.mavlogd.local.(*)")
                .should()
                .notDependOnEachOther()
                .check(CLASSES);
    }

    @Test
    void nettyStaysInLinkAndControl() {
        onlyIn(Set.of("org.mavlogd.link", "org.mavlogd.control"), "io.netty..");
    }

    /** The build reads dronefleet's definitions; nothing of it runs in the recorder, its tools or its simulator. */
    @Test
    void nothingThatRunsNeedsDronefleet() {
        noClasses()
                .that()
                .resideOutsideOfPackage("org.mavlogd.mavlink.generator")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.dronefleet..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackage("org.mavlogd.mavlink.generator")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.mavlogd.mavlink.generator")
                .check(CLASSES);
    }

    @Test
    void xzStaysInEvents() {
        onlyIn(Set.of("org.mavlogd.events"), "org.tukaani..");
    }

    @Test
    void micrometerStaysInMetrics() {
        onlyIn(Set.of("org.mavlogd.metrics"), "io.micrometer..");
    }

    @Test
    void oneClassKnowsTheSerialLibrary() {
        assertThat(users(target -> target.getPackageName().startsWith("com.fazecast"))
                        .map(user -> outermost(user.getName()))
                        .distinct())
                .containsExactly("org.mavlogd.link.SerialDevice");
    }

    @Test
    void onlyWhatStartsThingsKnowsTheConfiguration() {
        onlyIn(
                Set.of("org.mavlogd.app", "org.mavlogd.wiring", "org.mavlogd.config", "org.mavlogd.tools"),
                "org.mavlogd.config..");
    }

    @Test
    void onlyToolsKnowApp() {
        onlyIn(Set.of("org.mavlogd.app", "org.mavlogd.tools"), "org.mavlogd.app..");
    }

    @Test
    void onlyAppAndToolsKnowTheWiring() {
        onlyIn(Set.of("org.mavlogd.app", "org.mavlogd.wiring", "org.mavlogd.tools"), "org.mavlogd.wiring..");
    }

    @Test
    void recorderKnowsNeitherToolsNorSimulator() {
        Set<String> tools = Set.of(
                "org.mavlogd.tools",
                "org.mavlogd.edit",
                "org.mavlogd.flight",
                "org.mavlogd.logtools",
                "org.mavlogd.setup",
                "org.mavlogd.survey",
                "org.mavlogd.tables");
        onlyIn(tools, "org.mavlogd.logtools..");
        onlyIn(Set.of("org.mavlogd.tools", "org.mavlogd.survey", "org.mavlogd.tables"), "org.mavlogd.tables..");
        onlyIn(Set.of("org.mavlogd.tools", "org.mavlogd.survey", "org.mavlogd.flight"), "org.mavlogd.flight..");
        onlyIn(Set.of("org.mavlogd.tools", "org.mavlogd.survey"), "org.mavlogd.survey..");
        onlyIn(Set.of("org.mavlogd.tools", "org.mavlogd.edit"), "org.mavlogd.edit..");
        onlyIn(Set.of("org.mavlogd.tools", "org.mavlogd.manual"), "org.mavlogd.manual..");
        onlyIn(Set.of("org.mavlogd.tools", "org.mavlogd.setup"), "org.mavlogd.setup..");
        onlyIn(Set.of("org.mavlogd.tools"), "org.mavlogd.tools..");
        onlyIn(
                Set.of(
                        "org.mavlogd.tools",
                        "org.mavlogd.simulate",
                        "org.mavlogd.simulate.ardupilot",
                        "org.mavlogd.simulate.px4",
                        "org.mavlogd.simulate.run"),
                "org.mavlogd.simulate..");
    }

    /** Only the command that needs an export loads its libraries. */
    @Test
    void onlyTheirCommandsLoadTheExports() {
        assertThat(users(target -> target.getPackageName().equals("org.mavlogd.exports")
                                || target.getPackageName().equals("org.mavlogd.mcap")
                                || target.getPackageName().startsWith("org.apache.parquet")
                                || target.getPackageName().startsWith("com.github.luben"))
                        .map(user -> outermost(user.getName()))
                        .filter(user ->
                                !user.startsWith("org.mavlogd.exports.") && !user.startsWith("org.mavlogd.mcap."))
                        .distinct())
                .containsExactlyInAnyOrder(
                        "org.mavlogd.tables.McapConversion",
                        "org.mavlogd.tables.ParquetExport",
                        "org.mavlogd.tables.RowMerge",
                        "org.mavlogd.tables.RowSpool");
    }

    @ParameterizedTest
    @CsvSource({
        "exports, org.mavlogd.exports.. org.mavlogd.mcap.. org.mavlogd.ulog.. org.apache.parquet.format.. java.. org.jspecify..",
        "mcap, org.mavlogd.mcap.. com.github.luben.. java.. org.jspecify.."
    })
    void exportsKnowFormatsOnly(String name, String known) {
        noClasses()
                .that()
                .resideInAPackage("org.mavlogd." + name + "..")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages(known.split(" ", -1))
                .check(CLASSES);
    }

    @Test
    void formatLibraryKnowsNothingButJava() {
        noClasses()
                .that()
                .resideInAPackage("org.mavlogd.ulog..")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages("org.mavlogd.ulog..", "java..")
                .check(CLASSES);
    }

    @Test
    void formatLibraryRequiresOnlyTheBaseModule() throws IOException {
        ModuleDescriptor module;
        try (InputStream in = besides(ULogLayout.class, "module-info.class").openStream()) {
            module = ModuleDescriptor.read(in);
        }

        assertThat(module.name()).isEqualTo("org.mavlogd.ulog");
        assertThat(module.requires().stream().map(ModuleDescriptor.Requires::name))
                .containsExactly("java.base");
    }

    private static void onlyIn(Set<String> packages, String target) {
        assertThat(CLASSES.stream().map(JavaClass::getPackageName))
                .as("the packages named here")
                .containsAll(packages);
        noClasses()
                .that()
                .resideOutsideOfPackages(packages.toArray(String[]::new))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(target)
                .check(CLASSES);
    }

    private static Stream<JavaClass> users(Predicate<JavaClass> target) {
        return CLASSES.stream()
                .filter(user -> user.getDirectDependenciesFromSelf().stream()
                        .anyMatch(dependency -> target.test(dependency.getTargetClass())));
    }

    private static String outermost(String className) {
        int nested = className.indexOf('$');
        return nested < 0 ? className : className.substring(0, nested);
    }

    /** A file at the root of the directory or jar that contains the class. */
    private static URL besides(Class<?> type, String file) throws IOException {
        URI location = URI.create(
                type.getProtectionDomain().getCodeSource().getLocation().toString());
        boolean jar = location.getPath().endsWith(".jar");
        return jar
                ? URI.create("jar:" + location + "!/" + file).toURL()
                : Path.of(location).resolve(file).toUri().toURL();
    }
}
