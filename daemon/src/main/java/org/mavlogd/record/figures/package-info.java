/**
 * Figures and reports of a recording: one set of figures for each kind of log, its status, and advice about its losses.
 * Written by the recorder's thread; a status is immutable and read by any thread.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.record.figures;
