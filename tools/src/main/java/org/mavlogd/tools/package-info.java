/** The commands beside {@code mavlogd run}: what users ask of logs, of vehicles' cards and of simulated vehicles. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.tools;
