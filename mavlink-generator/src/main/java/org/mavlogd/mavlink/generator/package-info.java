/**
 * Generates the Java sources of MAVLink's message definitions while the module {@code mavlink} is compiled. Its inputs
 * are dronefleet's library and the supplement in this package's resources; its outputs are tables and layouts.
 *
 * <p>{@link org.mavlogd.mavlink.generator.DronefleetDefinitions} reads the library, {@link
 * org.mavlogd.mavlink.generator.Supplement} adds the parts that the library lacks, {@link
 * org.mavlogd.mavlink.generator.TableProcessor} writes the sources. Runs inside the compiler, on its thread. The
 * recorder does not contain it.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.mavlink.generator;
