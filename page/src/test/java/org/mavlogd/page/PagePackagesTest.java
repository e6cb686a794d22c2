package org.mavlogd.page;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which package of this module may depend on which; the other modules test their own packages. */
class PagePackagesTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar") && !location.contains("/test-classes/"))
            .importPackages("org.mavlogd");

    @Test
    void seesAllPackages() {
        assertThat(CLASSES.stream().map(JavaClass::getPackageName))
                .contains(
                        "org.mavlogd.page",
                        "org.mavlogd.foxglove",
                        "org.mavlogd.report",
                        "org.mavlogd.series",
                        "org.mavlogd.tools");
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("org.mavlogd.(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    /** The recorder and the tools depend on nothing here, since their jars are installed without this one. */
    @ParameterizedTest
    @CsvSource({
        "page, org.mavlogd.page..",
        "foxglove, org.mavlogd.page.. org.mavlogd.foxglove..",
        "report, org.mavlogd.page.. org.mavlogd.report..",
        "series, org.mavlogd.page.. org.mavlogd.series.. org.mavlogd.foxglove.."
    })
    void onlyThisModuleKnowsItself(String known, String by) {
        noClasses()
                .that()
                .resideOutsideOfPackages(by.split(" ", -1))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.mavlogd." + known + "..")
                .check(CLASSES);
    }

    @Test
    void theWebLibraryStaysWithTheServers() {
        noClasses()
                .that()
                .resideOutsideOfPackages("org.mavlogd.page..", "org.mavlogd.foxglove..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.vertx..")
                .check(CLASSES);
    }

    @Test
    void plotsAreMadeOfLogsAlone() {
        noClasses()
                .that()
                .resideInAPackage("org.mavlogd.series..")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages(
                        "org.mavlogd.series..",
                        "org.mavlogd.ulog..",
                        "org.mavlogd.bytes..",
                        "org.mavlogd.text..",
                        "org.mavlogd.recovery..",
                        "java..",
                        "org.jspecify..")
                .check(CLASSES);
    }
}
