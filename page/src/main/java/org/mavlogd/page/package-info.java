/** The page: an HTTP server for browsers, in its own process next to the recorder. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.page;
