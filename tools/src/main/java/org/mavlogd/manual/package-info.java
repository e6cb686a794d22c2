/** Completion for shells, and manual pages, made from the commands' own descriptions. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.manual;
