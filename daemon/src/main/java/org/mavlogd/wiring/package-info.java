/**
 * The running recorder, put together from its parts: each stage makes its objects from their settings and hands them to the next.
 * {@link org.mavlogd.wiring.Daemon} says in which order all start and stop.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.wiring;
