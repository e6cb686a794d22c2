package org.mavlogd.control;

/** One page. */
public interface Endpoint {
    /** Begins with a slash; met exactly, without the query. */
    String path();

    /** Makes the page. Called on the control thread, so it must not wait; what it throws becomes a 500. */
    Response respond();
}
