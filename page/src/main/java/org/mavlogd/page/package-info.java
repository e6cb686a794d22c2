/** The page: an HTTP server for browsers, beside the recorder and in a process of its own. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.page;
