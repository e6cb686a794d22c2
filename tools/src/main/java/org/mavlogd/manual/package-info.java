/** What is made of the commands' own descriptions: completion for shells, and manual pages. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.manual;
