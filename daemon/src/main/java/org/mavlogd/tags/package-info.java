/** Names of the numbers that tagged messages have in a log. Values only, for any thread. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.tags;
