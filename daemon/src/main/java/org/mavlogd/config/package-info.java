/**
 * The configuration file: its syntax is TOML, its keys are declared here once, and every mistake in it is told at once.
 *
 * <p>In comes a path, out come immutable settings. Used by {@code app} alone and before any other thread runs; every
 * other package takes its own small settings from there. One class per section: it declares the section's keys and is
 * the record that their values become. A new section is one such class, named in {@link org.mavlogd.config.Schema} and
 * {@link org.mavlogd.config.Settings}.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.config;
