/**
 * The configuration file: its syntax is TOML, its keys are declared here once, and all errors in it are reported at
 * once.
 *
 * <p>It reads the file at a path into immutable settings. Used only by {@code app}, before any other thread runs; every
 * other package gets its own small settings from there. Each section has a class that declares its keys and reads them
 * into the settings of the package that uses them; small ones are nested in the record of their values. A new section
 * is one such class, listed in {@link org.mavlogd.config.Settings#SECTIONS}.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.config;
