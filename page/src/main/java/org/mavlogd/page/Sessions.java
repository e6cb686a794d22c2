package org.mavlogd.page;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The sessions of logged-in users. Only hashes of the token and of the sessions are kept. Answers to wrong tokens are
 * slowed down to a few per second. Owned by the event loop.
 */
final class Sessions {
    static final String COOKIE = "mavlogd_session";

    private static final int MAX_SESSIONS = 64;
    private static final long LIFE_NS = TimeUnit.HOURS.toNanos(12);
    private static final int MAX_FAILURES = 5;
    private static final long FAILURES_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int ID_BYTES = 32;

    private final byte[] token;
    private final LongSupplier nowNs;
    private final SecureRandom random = new SecureRandom();
    // The oldest first.
    private final Deque<Session> sessions = new ArrayDeque<>();
    private final Deque<Long> failures = new ArrayDeque<>();

    /** A session, by the hash of its id. */
    private static final class Session {
        private final byte[] hash;
        private final long beginNs;

        Session(byte[] hash, long beginNs) {
            this.hash = hash;
            this.beginNs = beginNs;
        }
    }

    Sessions(String token, LongSupplier nowNs) {
        this.token = hash(token);
        this.nowNs = nowNs;
    }

    /** Whether too many wrong tokens were tried recently: no token is checked until they have expired. */
    boolean isBlocked() {
        while (!failures.isEmpty() && nowNs.getAsLong() - failures.getFirst() > FAILURES_NS) {
            failures.removeFirst();
        }
        return failures.size() >= MAX_FAILURES;
    }

    /** Logs in; returns the id of a new session, or empty if the token is wrong. */
    Optional<String> login(String given) {
        if (!tries(given)) {
            return Optional.empty();
        }
        if (sessions.size() == MAX_SESSIONS) {
            sessions.removeFirst();
        }
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        sessions.addLast(new Session(hash(id), nowNs.getAsLong()));
        return Optional.of(id);
    }

    /** Whether this is the token; a wrong one is counted. Compares hashes, so that the duration reveals nothing. */
    boolean tries(String given) {
        boolean isRight = MessageDigest.isEqual(token, hash(given));
        if (!isRight) {
            failures.addLast(nowNs.getAsLong());
        }
        return isRight;
    }

    boolean isSession(String id) {
        sessions.removeIf(session -> nowNs.getAsLong() - session.beginNs > LIFE_NS);
        byte[] hash = hash(id);
        return sessions.stream().anyMatch(session -> MessageDigest.isEqual(session.hash, hash));
    }

    void logout(String id) {
        byte[] hash = hash(id);
        sessions.removeIf(session -> MessageDigest.isEqual(session.hash, hash));
    }

    private static byte[] hash(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
