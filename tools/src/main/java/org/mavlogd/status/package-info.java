/** Gets the state of a running recorder over HTTP and shows it on a terminal. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.status;
