package org.mavlogd.page;

import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.mavlogd.text.Words;

/**
 * Decides which requests are answered, and sets the headers that restrict browsers in using the answer. Owned by the
 * event loop.
 */
final class Guard {
    static final String WRITE_HEADER = "X-Mavlogd";

    private static final String BEARER = "Bearer ";
    private static final String TOO_MANY = "too many wrong tokens: wait 10 s";
    private static final int MAX_TEXT = 100;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    private final HostNames hosts;
    private final Optional<Sessions> sessions;
    private final boolean control;
    private final boolean isSecure;
    private final String policy;
    private final List<String> origins;

    /**
     * @param sessions empty if no login is required
     * @param control whether anything may be changed
     * @param isSecure whether the page is only served by HTTPS
     * @param tileOrigin origin from which browsers may load map tiles; empty for none
     * @param origins of other web pages that may open WebSockets
     */
    Guard(
            HostNames hosts,
            Optional<Sessions> sessions,
            boolean control,
            boolean isSecure,
            String tileOrigin,
            List<String> origins) {
        this.hosts = hosts;
        this.sessions = sessions;
        this.control = control;
        this.isSecure = isSecure;
        this.origins =
                origins.stream().map(origin -> origin.toLowerCase(Locale.ROOT)).toList();
        String images = "'self' data:" + (tileOrigin.isEmpty() ? "" : " " + tileOrigin);
        this.policy = "default-src 'self'; img-src " + images
                + "; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
    }

    /** The first handler of all requests. */
    void checkHost(RoutingContext context) {
        HttpServerResponse response = context.response();
        response.putHeader("Content-Security-Policy", policy)
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("X-Frame-Options", "DENY")
                .putHeader("Referrer-Policy", "no-referrer")
                .putHeader("Cross-Origin-Opener-Policy", "same-origin")
                .putHeader("Cross-Origin-Resource-Policy", "same-origin");
        List<String> headers = context.request().headers().getAll("Host");
        String ours = context.request().localAddress().hostAddress();
        if (headers.size() != 1 || !hosts.isOurs(headers.get(0), ours)) {
            throw new Problem(
                    FORBIDDEN, "the Host header does not name this computer; add the name to hosts in [page]");
        }
        context.next();
    }

    /** The handler before everything that requires a login. */
    void checkLogin(RoutingContext context) {
        if (!isLoggedIn(context.request())) {
            throw new Problem(UNAUTHORIZED, "log in first: POST /api/v1/login with {\"token\":...}");
        }
        context.next();
    }

    /**
     * The handler before WebSockets, which browsers open for any web page: only ours and listed ones may. Programs send
     * no origin.
     */
    void checkOrigin(RoutingContext context) {
        List<String> origins = context.request().headers().getAll("Origin");
        String ours = context.request().localAddress().hostAddress();
        if (origins.size() > 1 || origins.stream().anyMatch(origin -> !isAllowed(origin, ours))) {
            throw new Problem(
                    FORBIDDEN,
                    "web pages of \"" + Words.line(origins.get(0), MAX_TEXT)
                            + "\" may not connect; add it to origins in [page]");
        }
        context.next();
    }

    private boolean isAllowed(String origin, String ours) {
        int host = origin.indexOf("://") + 3;
        boolean isWeb = origin.startsWith("http://") || origin.startsWith("https://");
        return this.origins.contains(origin.toLowerCase(Locale.ROOT))
                || (isWeb && hosts.isOurs(origin.substring(host), ours));
    }

    /** Like {@link #checkLogin}, for programs that can only send an address. */
    void checkLoginOrToken(RoutingContext context) {
        List<String> tokens = context.queryParam("token");
        if (tokens.size() == 1 && sessions.isPresent()) {
            if (isRight(sessions.get(), tokens.get(0))) {
                context.next();
                return;
            }
        }
        checkLogin(context);
    }

    /** Checks a token. Wrong tokens count in every form of request, to prevent guessing. */
    private static boolean isRight(Sessions sessions, String token) {
        if (sessions.isBlocked()) {
            throw new Problem(429, TOO_MANY);
        }
        return sessions.tries(token);
    }

    /** The handler before all changes. A foreign web page cannot send our header. */
    void checkWrite(RoutingContext context) {
        refuseWithoutControl();
        checkHeader(context);
    }

    /** The handler before everything that only users with permission to change may see. */
    void checkControl(RoutingContext context) {
        refuseWithoutControl();
        context.next();
    }

    private void refuseWithoutControl() {
        if (!control) {
            throw new Problem(FORBIDDEN, "this page is read-only: control = true in [page] allows changes");
        }
    }

    void checkHeader(RoutingContext context) {
        if (!"1".equals(context.request().getHeader(WRITE_HEADER))) {
            throw new Problem(FORBIDDEN, "changes need the header " + WRITE_HEADER + ": 1");
        }
        context.next();
    }

    boolean isLoggedIn(HttpServerRequest request) {
        if (sessions.isEmpty()) {
            return true;
        }
        String authorization = request.getHeader("Authorization");
        if (authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return isRight(
                    sessions.get(), authorization.substring(BEARER.length()).strip());
        }
        Cookie cookie = request.getCookie(Sessions.COOKIE);
        return cookie != null && sessions.get().isSession(cookie.getValue());
    }

    boolean needsLogin() {
        return sessions.isPresent();
    }

    boolean allowsControl() {
        return control;
    }

    void login(RoutingContext context, String token) {
        if (sessions.isPresent()) {
            if (sessions.get().isBlocked()) {
                throw new Problem(429, TOO_MANY);
            }
            String id = sessions.get()
                    .login(token)
                    .orElseThrow(() -> new Problem(UNAUTHORIZED, "the token or password is wrong"));
            context.response().addCookie(cookie(id));
        }
        context.response().setStatusCode(204).end();
    }

    void logout(RoutingContext context) {
        Cookie cookie = context.request().getCookie(Sessions.COOKIE);
        if (cookie != null && sessions.isPresent()) {
            sessions.get().logout(cookie.getValue());
        }
        context.response().addCookie(cookie("").setMaxAge(0));
        context.response().setStatusCode(204).end();
    }

    private Cookie cookie(String value) {
        return Cookie.cookie(Sessions.COOKIE, value)
                .setPath("/")
                .setHttpOnly(true)
                .setSecure(isSecure)
                .setSameSite(CookieSameSite.STRICT);
    }

    static boolean isRead(HttpMethod method) {
        return method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
    }
}
