/** The uploader's durable notes: which file was sent where, and how far an upload is. They survive power cuts. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.fleet.state;
