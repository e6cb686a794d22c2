package org.mavlogd.control;

/** One page. */
public interface Endpoint {
    /** Begins with a slash; met exactly, without the query. */
    String path();

    /** Makes the page. Called on the control thread, so it must not wait; what it throws becomes a 500. */
    Response respond();

    /**
     * The same for a client that prefers a format.
     *
     * @param accept the request's Accept headers, joined by commas; empty without any
     */
    default Response respond(String accept) {
        return respond();
    }

    /**
     * What a page answers.
     *
     * @param status an HTTP status code
     * @param contentType with charset where it has one; the body is sent as UTF-8
     */
    record Response(int status, String contentType, String body) {
        static final String TEXT = "text/plain; charset=utf-8";

        public Response {
            if (status < 200 || status > 599) {
                throw new IllegalArgumentException("HTTP status " + status + " is no final one");
            }
            if (contentType.isEmpty() || !contentType.chars().allMatch(c -> c >= ' ' && c <= '~')) {
                throw new IllegalArgumentException("content type is not printable ASCII");
            }
        }

        /** A sentence for people, as plain text. */
        public static Response text(int status, String sentence) {
            return new Response(status, TEXT, sentence + "\n");
        }

        /** A JSON document. */
        public static Response json(int status, String document) {
            return new Response(status, "application/json", document);
        }
    }
}
