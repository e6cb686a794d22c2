/** The program {@code mavlogd run}: its command line, its place in the system, and what it does when it starts and ends. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.app;
