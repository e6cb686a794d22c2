/**
 * Messages that other programs of this computer send by syslog, in the forms of RFC 3164 and RFC 5424. Input are
 * datagrams of a link, on its thread, output are tagged log messages.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.local.syslog;
