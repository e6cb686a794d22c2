/** The program: command line, wiring of all parts, order of start and stop. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.app;
