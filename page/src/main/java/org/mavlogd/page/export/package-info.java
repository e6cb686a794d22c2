/**
 * Sends logs in other formats to browsers: those of {@code mavlogd export}, sent while they are created. Each export
 * has its own thread; the event loop only passes bytes on.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.page.export;
