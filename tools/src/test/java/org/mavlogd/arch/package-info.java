/** The shape of the whole program. */
package org.mavlogd.arch;
