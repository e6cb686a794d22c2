package org.mavlogd.fleet.targets;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.mavlogd.config.UploadTarget;
import org.mavlogd.fleet.state.Transfer;
import org.mavlogd.text.Words;

/**
 * A program that sends the file. It must exit with 0 when the file has arrived, and may be called again for a file for
 * which it did not. Its output is discarded, except the end, which explains a failure. When it ends, the processes that
 * it started are ended.
 */
final class CommandTarget implements Target {
    private static final int KEPT_BYTES = 2000;
    private static final int LOOK_BYTES = 1 << 20;
    private static final int MAX_REASON = 300;
    private static final long LOOK_MS = 200;
    private static final long END_LOOK_MS = 20;
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
        Family family = new Family(process);
        Tail tail = new Tail(process.getInputStream());
        try {
            process.getOutputStream().close();
            int code = await(process, family, shipment, tail);
            String said = tail.text().isEmpty() ? "" : ": " + tail.text();
            if (code == REFUSED) {
                throw new RefusedException("the command refuses the file" + said);
            }
            if (code != 0) {
                throw new IOException("the command ends with " + code + said);
            }
        } finally {
            family.end();
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

    private int await(Process process, Family family, Shipment shipment, Tail tail)
            throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(command.timeoutS());
        family.look();
        for (long ms = 1; !process.waitFor(ms, TimeUnit.MILLISECONDS); ms = Math.min(LOOK_MS, 2 * ms)) {
            family.look();
            tail.drain();
            shipment.throttle().check();
            if (System.nanoTime() - deadlineNs > 0) {
                throw new IOException("the command did not end within " + command.timeoutS() + " s");
            }
        }
        // Java reads the rest of the output of an ended process: without end if another process keeps writing.
        family.end();
        tail.drain();
        return process.exitValue();
    }

    /** A command and the processes that it started, also those whose parents have ended. */
    private static final class Family {
        private final Process process;
        private final Set<ProcessHandle> alive = new LinkedHashSet<>();

        Family(Process process) {
            this.process = process;
        }

        void look() {
            alive.removeIf(one -> !one.isAlive());
            List<ProcessHandle> orphans = List.copyOf(alive);
            orphans.stream().flatMap(ProcessHandle::children).forEach(alive::add);
            if (process.isAlive()) {
                alive.add(process.toHandle());
                process.descendants().forEach(alive::add);
            }
        }

        /** Asks all to end, and kills those that do not. */
        void end() {
            look();
            alive.forEach(ProcessHandle::destroy);
            try {
                long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
                for (look(); !alive.isEmpty() && System.nanoTime() - deadlineNs < 0; look()) {
                    Thread.sleep(END_LOOK_MS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            alive.forEach(ProcessHandle::destroyForcibly);
        }
    }

    /** Keeps the last bytes of a program's output. */
    static final class Tail {
        private final InputStream in;
        private byte[] kept = {};

        Tail(InputStream in) {
            this.in = in;
        }

        /**
         * Reads the available bytes, without waiting for more. Limited, because a program may write faster than this
         * reads.
         */
        void drain() throws IOException {
            int left = LOOK_BYTES;
            for (int there = in.available(); there > 0 && left > 0; there = in.available()) {
                byte[] more = in.readNBytes(Math.min(there, KEPT_BYTES));
                if (more.length == 0) {
                    return;
                }
                left -= more.length;
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
