package org.mavlogd.control;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.metrics.ProblemLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies systemd of the state of the service, with the datagrams of {@code sd_notify(3)}. Does nothing if systemd did
 * not request it.
 *
 * <p>Never blocks and never throws: a notice that cannot be sent is dropped, and the first of them is logged. Uses the
 * socket of Netty's native transport without an event loop, so it needs no thread. If that library does not load, it
 * runs {@code systemd-notify} for each notice, because Java itself has no datagrams to Unix sockets; the unit must
 * allow that with {@code NotifyAccess=all}. Owned by one thread.
 */
public final class SystemdNotifier implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SystemdNotifier.class);
    private static final int MAX_PATH_LENGTH = 107; // sun_path of unix(7), less the ending NUL
    private static final int MAX_NOTICE_LENGTH = 1024;
    private static final int MAX_STATUS_LENGTH = 256;

    private static final String COMMAND = "systemd-notify";

    private final byte[] address;
    private final @Nullable Socket socket;
    // Used in place of the socket; empty for none.
    private final String command;
    private final ByteBuffer notice = ByteBuffer.allocateDirect(MAX_NOTICE_LENGTH);
    private final ProblemLog problems = new ProblemLog(LOG);
    private final long watchdogIntervalNs;

    private SystemdNotifier(byte[] address, @Nullable Socket socket, String command, long watchdogIntervalNs) {
        this.address = address;
        this.socket = socket;
        this.command = command;
        this.watchdogIntervalNs = watchdogIntervalNs;
    }

    /**
     * Reads {@code NOTIFY_SOCKET}, {@code WATCHDOG_USEC} and {@code WATCHDOG_PID}.
     *
     * @param pid of this process: a watchdog may be meant for another one
     */
    public static SystemdNotifier of(Map<String, String> environment, long pid) {
        boolean isNative = Epoll.isAvailable();
        if (!isNative && environment.containsKey("NOTIFY_SOCKET")) {
            LOG.warn(
                    "Netty's native library does not load: systemd is notified by {}",
                    COMMAND,
                    Epoll.unavailabilityCause());
        }
        return of(environment, pid, isNative ? "" : COMMAND);
    }

    /** @param command to run for each notice; empty to use a socket */
    static SystemdNotifier of(Map<String, String> environment, long pid, String command) {
        String path = environment.getOrDefault("NOTIFY_SOCKET", "");
        byte[] address = path.getBytes(StandardCharsets.UTF_8);
        if (path.isEmpty()) {
            return new SystemdNotifier(address, null, "", 0);
        }
        long intervalNs = watchdogIntervalNs(environment, pid);
        if (!command.isEmpty()) {
            return new SystemdNotifier(address, null, command, intervalNs);
        }
        return new SystemdNotifier(address(address), open(path, address), "", intervalNs);
    }

    /** All parts are started. */
    public void ready() {
        send("READY=1");
    }

    /** The orderly end has begun. */
    public void stopping() {
        send("STOPPING=1");
    }

    /** Sets the status line of {@code systemctl status}. */
    public void status(String text) {
        String line = text.length() > MAX_STATUS_LENGTH ? text.substring(0, MAX_STATUS_LENGTH) : text;
        // A line break would begin another assignment.
        send("STATUS=" + line.replaceAll("\\p{Cntrl}", " "));
    }

    /** Reports that the process works; due every {@link #watchdogIntervalNs}. */
    public void watchdog() {
        send("WATCHDOG=1");
    }

    /** Half the time after which systemd restarts a process without {@link #watchdog}; 0 if it does not watch. */
    public long watchdogIntervalNs() {
        return watchdogIntervalNs;
    }

    @Override
    public void close() {
        if (socket == null) {
            return;
        }
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("closing the notify socket", e);
        }
    }

    private void send(String text) {
        if (!command.isEmpty()) {
            run(text);
        }
        if (socket == null) {
            return;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        notice.clear().put(bytes).flip();
        try {
            int sent = socket.sendToDomainSocket(notice, 0, bytes.length, address);
            if (sent == bytes.length) {
                problems.resolved("systemd can be notified again");
            } else {
                problems.report("systemd cannot be notified: its queue is full");
            }
        } catch (IOException e) {
            problems.report("systemd cannot be notified: " + e);
        }
    }

    /** Does not wait for the command, which gets the address with this process's environment. */
    private void run(String text) {
        try {
            new ProcessBuilder(command, text)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            problems.resolved("systemd can be notified again");
        } catch (IOException e) {
            problems.report("systemd cannot be notified: " + e);
        }
    }

    private static byte[] address(byte[] path) {
        byte[] address = path.clone();
        if (address[0] == '@') {
            address[0] = 0; // an abstract address, see unix(7)
        }
        return address;
    }

    private static @Nullable Socket open(String path, byte[] address) {
        boolean isPath = path.startsWith("/") || path.startsWith("@");
        if (!isPath || address.length < 2 || address.length > MAX_PATH_LENGTH) {
            LOG.warn("systemd is not notified: NOTIFY_SOCKET is not a Unix socket that can be reached");
            return null;
        }
        try {
            return Socket.newSocketDomainDgram();
        } catch (RuntimeException e) {
            LOG.warn("systemd is not notified: no socket", e);
            return null;
        }
    }

    private static long watchdogIntervalNs(Map<String, String> environment, long pid) {
        long watchedPid = number(environment.getOrDefault("WATCHDOG_PID", Long.toString(pid)));
        long timeoutUs = number(environment.getOrDefault("WATCHDOG_USEC", "0"));
        return watchedPid == pid && timeoutUs > 0 ? TimeUnit.MICROSECONDS.toNanos(timeoutUs) / 2 : 0;
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
