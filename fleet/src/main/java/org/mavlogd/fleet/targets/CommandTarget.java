package org.mavlogd.fleet.targets;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.mavlogd.config.UploadTarget;
import org.mavlogd.fleet.state.Transfer;
import org.mavlogd.text.Words;

/**
 * A program that sends the file. It must exit with 0 when the file has arrived, and may be called again for a file for
 * which it did not. Its output is discarded, except the end, which explains a failure.
 */
final class CommandTarget implements Target {
    private static final int KEPT_BYTES = 2000;
    private static final int MAX_REASON = 300;
    private static final long LOOK_MS = 200;
    private static final long PATIENCE_S = 5;
    /** EX_DATAERR of sysexits.h: this file is refused. */
    private static final int REFUSED = 65;

    private final UploadTarget.Command command;

    CommandTarget(UploadTarget settings) {
        this.command = settings.command();
    }

    @Override
    public boolean replaces() {
        return true;
    }

    @Override
    public boolean resumes() {
        return false;
    }

    @Override
    public String host() {
        return "";
    }

    @Override
    public void close() {
        // nothing is open between two files
    }

    @Override
    public Transfer send(Shipment shipment, Transfer before, Notes notes) throws IOException, InterruptedException {
        shipment.throttle().check();
        Process process = start(shipment);
        Tail tail = new Tail(process.getInputStream());
        try {
            process.getOutputStream().close();
            int code = await(process, shipment, tail);
            String said = tail.text().isEmpty() ? "" : ": " + tail.text();
            if (code == REFUSED) {
                throw new RefusedException("the command refuses the file" + said);
            }
            if (code != 0) {
                throw new IOException("the command ends with " + code + said);
            }
        } finally {
            end(process);
        }
        return before.withKey(shipment.key()).sent("", System.currentTimeMillis());
    }

    private Process start(Shipment shipment) throws IOException {
        List<String> words = command.words().stream()
                .map(word -> word.replace("{file}", shipment.file().toString()).replace("{key}", shipment.key()))
                .toList();
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("MAVLOGD_KEY", shipment.key());
        builder.environment().put("MAVLOGD_SHA256", shipment.sha256());
        return builder.start();
    }

    private int await(Process process, Shipment shipment, Tail tail) throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(command.timeoutS());
        while (!process.waitFor(LOOK_MS, TimeUnit.MILLISECONDS)) {
            tail.drain();
            shipment.throttle().check();
            if (System.nanoTime() - deadlineNs > 0) {
                throw new IOException("the command did not end within " + command.timeoutS() + " s");
            }
        }
        tail.drain();
        return process.exitValue();
    }

    private static void end(Process process) {
        if (!process.isAlive()) {
            return;
        }
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Keeps the last bytes of a program's output. */
    private static final class Tail {
        private final InputStream in;
        private byte[] kept = {};

        Tail(InputStream in) {
            this.in = in;
        }

        /** Reads the available bytes, without waiting for more. */
        void drain() throws IOException {
            for (int there = in.available(); there > 0; there = in.available()) {
                byte[] more = in.readNBytes(Math.min(there, KEPT_BYTES));
                if (more.length == 0) {
                    return;
                }
                byte[] joined = Arrays.copyOf(kept, kept.length + more.length);
                System.arraycopy(more, 0, joined, kept.length, more.length);
                kept = Arrays.copyOfRange(joined, Math.max(0, joined.length - KEPT_BYTES), joined.length);
            }
        }

        String text() {
            return Words.line(new String(kept, StandardCharsets.UTF_8).strip(), MAX_REASON);
        }
    }
}
