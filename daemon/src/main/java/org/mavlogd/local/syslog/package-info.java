/**
 * Messages that other programs of this computer send by syslog, in the forms of RFC 3164 and RFC 5424. The link's
 * thread receives the datagrams and publishes tagged log messages.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.local.syslog;
