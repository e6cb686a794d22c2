package org.mavlogd.control;

import java.util.Map;

/** A page of the HTTP interface: its path, methods and content. */
public interface Endpoint {
    /** Begins with a slash; met exactly, without the query. */
    String path();

    /** Makes the page. Called on the control thread, so it must not wait; what it throws becomes a 500. */
    Response respond();

    /** The same for a client that asks for something in particular. */
    default Response respond(Request request) {
        return respond();
    }

    /** How it may be asked for. */
    default Access access() {
        return Access.PAGE;
    }

    /** Which token a request must show, and whether it changes something. */
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

        /** As in the header {@code Allow}. */
        String methods() {
            return methods;
        }

        boolean isGuarded() {
            return isGuarded;
        }
    }

    /**
     * What a client asks for.
     *
     * @param accept the Accept headers, joined by commas; empty without any
     * @param parameters of the query, the first of each name
     */
    record Request(String accept, Map<String, String> parameters) {
        /** In particular nothing. */
        public static final Request PLAIN = new Request("", Map.of());

        public Request {
            parameters = Map.copyOf(parameters);
        }
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
