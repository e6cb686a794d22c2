package org.mavlogd.fleet;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Tests the dependencies between the packages of this module. */
class FleetPackagesTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.mavlogd");

    @Test
    void packagesHaveNoCycles() {
        assertThat(CLASSES.stream().map(JavaClass::getPackageName))
                .contains("org.mavlogd.fleet", "org.mavlogd.fleet.state", "org.mavlogd.fleet.targets");
        slices().matching("org.mavlogd.(*)..").should().beFreeOfCycles().check(CLASSES);
        slices().matching("org.mavlogd.fleet.(*)").should().beFreeOfCycles().check(CLASSES);
        noClasses()
                .that()
                .resideInAnyPackage("org.mavlogd.fleet.state", "org.mavlogd.fleet.targets")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.mavlogd.fleet")
                .check(CLASSES);
    }

    @Test
    void nobodyElseKnowsUploadsOrTheLibraryForS3() {
        noClasses()
                .that()
                .resideOutsideOfPackage("org.mavlogd.fleet..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.mavlogd.fleet..", "software.amazon..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackage("org.mavlogd.fleet.targets")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("software.amazon..")
                .check(CLASSES);
    }
}
