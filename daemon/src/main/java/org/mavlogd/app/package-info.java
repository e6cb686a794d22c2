/** The program {@code mavlogd run}: its command line, its integration into the system, its start and its end. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.app;
