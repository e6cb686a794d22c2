/** The state of a running recorder, asked over HTTP and shown on a terminal. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.status;
