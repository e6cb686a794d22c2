/**
 * Makes the Java sources that hold MAVLink's message definitions, while the module {@code mavlink} is compiled. Definitions
 * come in from dronefleet's library and from the supplement beside this package; tables and layouts go out.
 *
 * <p>{@link org.mavlogd.mavlink.generator.DronefleetDefinitions} reads the library,
 * {@link org.mavlogd.mavlink.generator.Supplement} adds what the library lacks,
 * {@link org.mavlogd.mavlink.generator.TableProcessor} writes the sources. Runs inside the compiler, on its thread. Nothing of
 * it is in the recorder.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.mavlink.generator;
