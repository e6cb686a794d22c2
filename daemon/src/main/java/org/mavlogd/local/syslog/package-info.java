/**
 * Messages that other programs of this computer send by syslog, in the forms of RFC 3164 and RFC 5424. Datagrams of a
 * link come in, on its thread; tagged messages go out.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.local.syslog;
