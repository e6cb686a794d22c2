/** The commands other than {@code mavlogd run}, on logs, vehicles' cards and simulated vehicles. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.tools;
