/** Names and numbers of the tags of log messages. Immutable values, for any thread. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.tags;
