/**
 * The peers of links, as the listeners of a link see them: what they receive and how they answer. {@link
 * org.mavlogd.link} implements it with sockets and ports.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.peer;
