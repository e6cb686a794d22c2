/** The names of the numbers that tagged texts carry in a log. Values only, for any thread. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.tags;
