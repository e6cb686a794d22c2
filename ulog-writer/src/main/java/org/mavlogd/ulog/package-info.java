/** The ULog file format. */
package org.mavlogd.ulog;
