/**
 * The running recorder, assembled from its parts: each stage makes its objects from their settings and passes them to
 * the next. {@link org.mavlogd.wiring.Daemon} defines the order in which they start and stop.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.wiring;
