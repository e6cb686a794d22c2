/**
 * The peers of links as those see them who listen to a link: what they hear, and how they answer. No sockets, no ports: {@link
 * org.mavlogd.link} implements it.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.peer;
