package org.mavlogd.cli;

import picocli.CommandLine.IVersionProvider;

/** The version of this build, from the jar's manifest. */
public final class Version implements IVersionProvider {
    private static final String UNPACKED = "unpacked";

    public static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? UNPACKED : version;
    }

    @Override
    public String[] getVersion() {
        return new String[] {"mavlogd " + text()};
    }
}
