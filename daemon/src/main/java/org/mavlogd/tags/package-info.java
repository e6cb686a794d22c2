/** Names and numbers of the tags of messages in logs. Values only, for any thread. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.tags;
