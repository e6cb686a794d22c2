/**
 * Logs in other formats for the browser: what {@code mavlogd export} writes, sent while it is made. Each export has a thread of its
 * own while it lasts; the event loop only passes bytes on.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.page.export;
