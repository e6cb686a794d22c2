/** What the uploader must not forget: which file was sent where, and how far an upload is. Comes through power cuts. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.fleet.state;
