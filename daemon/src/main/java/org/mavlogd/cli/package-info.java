/**
 * Classes that all commands share: exit codes, log lines and usage errors, the version. Depends on no other package.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.cli;
