package org.mavlogd.local.journal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A child process whose output is polled, so that a child that hangs blocks no thread. An orderly end of this program
 * kills it; otherwise journalctl ends by itself when no program reads its output any more.
 */
final class ChildProcess implements Follower {
    private static final int MAX_ERROR_BYTES = 4096;
    private static final int MAX_ERROR_LENGTH = 300;
    private static final int SIGTERM_CODE = 128 + 15;
    private static final long END_MS = 500;

    private final Process process;
    private final InputStream out;
    private final InputStream err;
    private final byte[] errorBytes = new byte[MAX_ERROR_BYTES];
    private String lastError = "";

    private ChildProcess(Process process) {
        this.process = process;
        this.out = process.getInputStream();
        this.err = process.getErrorStream();
    }

    static ChildProcess launch(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("LC_ALL", "C");
        builder.environment().put("SYSTEMD_COLORS", "0");
        builder.environment().put("SYSTEMD_URLIFY", "0");
        // Else the child could report to systemd in this program's name.
        builder.environment().remove("NOTIFY_SOCKET");
        Process process = builder.start();
        process.getOutputStream().close();
        return new ChildProcess(process);
    }

    @Override
    public int read(byte[] buffer) throws IOException {
        readErrors();
        int waiting = out.available();
        return waiting == 0 ? 0 : Math.max(0, out.read(buffer, 0, Math.min(waiting, buffer.length)));
    }

    /** Keeps the last line of standard error. */
    private void readErrors() throws IOException {
        int waiting = err.available();
        if (waiting == 0) {
            return;
        }
        int count = err.read(errorBytes, 0, Math.min(waiting, errorBytes.length));
        String text = new String(errorBytes, 0, Math.max(0, count), StandardCharsets.UTF_8).strip();
        String line = text.substring(text.lastIndexOf('\n') + 1);
        if (!line.isEmpty()) {
            lastError = line.substring(0, Math.min(line.length(), MAX_ERROR_LENGTH));
        }
    }

    @Override
    public boolean isOver() {
        if (process.isAlive()) {
            return false;
        }
        try {
            readErrors();
            return out.available() == 0;
        } catch (IOException e) {
            return true;
        }
    }

    @Override
    public String reason() {
        String code = "ended with code " + process.exitValue();
        return lastError.isEmpty() ? code : code + ": " + lastError;
    }

    @Override
    public boolean wasTerminated() {
        return process.exitValue() == SIGTERM_CODE;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(END_MS, TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                process.waitFor(END_MS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        closeQuietly(out);
        closeQuietly(err);
    }

    private static void closeQuietly(InputStream stream) {
        try {
            stream.close();
        } catch (IOException e) {
            return; // nothing can be done about it
        }
    }
}
