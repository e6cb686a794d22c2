package org.mavlogd.control;

import java.util.Map;

/** A page of the HTTP interface: its path, methods and content. */
public interface Endpoint {
    /** Begins with a slash; matched exactly, without the query. */
    String path();

    /** Makes the page. Called on the control thread, so it must not block; an exception becomes a 500. */
    Response respond();

    /** The same for a request with details. */
    default Response respond(Request request) {
        return respond();
    }

    /** How it may be requested. */
    default Access access() {
        return Access.PAGE;
    }

    /** The token that a request needs, and whether it changes something. */
    enum Access {
        /** Read by GET, with the token of the pages if there is one. */
        PAGE("GET, HEAD", false),
        /** Read by GET, with the token of the commands. */
        COMMAND_STATUS("GET, HEAD", true),
        /** Changes something: by POST, with the token of the commands. */
        COMMAND("POST", true);

        private final String methods;
        private final boolean isGuarded;

        Access(String methods, boolean isGuarded) {
            this.methods = methods;
            this.isGuarded = isGuarded;
        }

        /** The value of the header {@code Allow}. */
        String methods() {
            return methods;
        }

        boolean isGuarded() {
            return isGuarded;
        }
    }

    /**
     * The details of a request.
     *
     * @param accept the Accept headers, joined by commas; empty without any
     * @param parameters of the query, the first of each name
     */
    record Request(String accept, Map<String, String> parameters) {
        /** A request without details. */
        public static final Request PLAIN = new Request("", Map.of());

        public Request {
            parameters = Map.copyOf(parameters);
        }
    }

    /**
     * The answer of a page.
     *
     * @param status an HTTP status code
     * @param contentType with charset if it has one; the body is sent as UTF-8
     */
    record Response(int status, String contentType, String body) {
        static final String TEXT = "text/plain; charset=utf-8";

        public Response {
            if (status < 200 || status > 599) {
                throw new IllegalArgumentException("HTTP status " + status + " is not a final one");
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
