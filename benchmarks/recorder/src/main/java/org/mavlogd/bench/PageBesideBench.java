package org.mavlogd.bench;

import java.io.IOException;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mavlogd.bench.VehicleStream.Acks;
import org.mavlogd.bench.VehicleStream.Plan;

/**
 * Measures the recorder alone and, in turn, while four browsers show live plots and a report of a large log is made. A
 * thread plays each browser: it asks for four fields and the messages twice a second, and for the status each second.
 */
final class PageBesideBench {
    private static final int RATE_KB = 500;
    private static final int CLIENTS = 4;
    private static final long POLL_MS = 500;
    /** More than can be made in a run. */
    private static final int REPORTS = 12;

    private static final double RATIO_GOAL = 1.05;
    private static final Pattern RECORDING =
            Pattern.compile("\"name\":\"([^\"]+)\",\"size\":\\d+,\"state\":\"recording\"");

    private final PageBench pages;
    private final PageBench.Sizes sizes;
    private final List<Figure> figures;
    private final Bench bench;
    private final AtomicLong plots = new AtomicLong();
    private final AtomicLong reports = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();

    /** The measurements of a run. */
    private record Run(double ackMs, double cpuMsPerS, long lost, int acks) {}

    PageBesideBench(Path root, PageBench pages, PageBench.Sizes sizes, List<Figure> figures) throws IOException {
        this.pages = pages;
        this.sizes = sizes;
        this.figures = figures;
        this.bench = new Bench(root, Bench.Lengths.QUICK);
    }

    void measure(Path big) throws IOException, InterruptedException {
        List<Run> alone = new ArrayList<>();
        List<Run> beside = new ArrayList<>();
        for (int pair = 0; pair < sizes.pairs(); pair++) {
            Bench.progress(
                    "recorder alone and beside the page, %d of %d, %d s each", pair + 1, sizes.pairs(), sizes.pairS());
            // In both orders, since a run affects the next one.
            boolean isFirst = pair % 2 == 0;
            (isFirst ? alone : beside).add(run(big, !isFirst));
            (isFirst ? beside : alone).add(run(big, isFirst));
        }
        report(alone, beside);
    }

    private void report(List<Run> alone, List<Run> beside) {
        ratio("ack p99.9 beside the page, ms", of(alone, Run::ackMs), of(beside, Run::ackMs), "%.2f");
        ratio("CPU beside the page, ms/s", of(alone, Run::cpuMsPerS), of(beside, Run::cpuMsPerS), "%.1f");
        long lostAlone = alone.stream().mapToLong(Run::lost).sum();
        long lostBeside = beside.stream().mapToLong(Run::lost).sum();
        String note = String.format(
                Locale.ROOT,
                "alone %d; %d plots and %d reports meanwhile, %d requests failed",
                lostAlone,
                plots.get(),
                reports.get(),
                failures.get());
        figures.add(
                Figure.atMost("chunks lost beside the page", (double) lostBeside, "%.0f", (double) lostAlone, note));
    }

    private static List<Double> of(List<Run> runs, java.util.function.ToDoubleFunction<Run> figure) {
        return runs.stream().map(figure::applyAsDouble).toList();
    }

    private void ratio(String name, List<Double> alone, List<Double> beside, String format) {
        String note = String.format(
                Locale.ROOT,
                "alone " + format + " (%s); beside %s",
                Bench.median(alone),
                Bench.spread(alone, format),
                Bench.spread(beside, format));
        figures.add(Figure.plain(name, Bench.median(beside), format, note));
        double ratio = Bench.median(beside) / Bench.median(alone);
        figures.add(Figure.atMost("   ratio to the recorder alone", ratio, "%.2f", RATIO_GOAL, ""));
    }

    private Run run(Path big, boolean withPage) throws IOException, InterruptedException {
        try (DaemonProcess daemon = bench.startDaemon("", "");
                DatagramChannel channel = DatagramChannel.open()) {
            VehicleStream vehicle =
                    bench.stream(new Plan(RATE_KB, true, true, Acks.FROM_RECEIVER), channel, daemon.port());
            Run figures;
            try {
                Bench.awaitData(vehicle);
                // Warms up, so that the same code is compiled in both cases.
                TimeUnit.SECONDS.sleep(Math.max(2, sizes.pairS() / 4));
                figures = withPage ? beside(daemon, big) : watch(daemon);
            } finally {
                vehicle.close();
            }
            TimeUnit.MILLISECONDS.sleep(800); // time to give up on gaps and update counts
            long sent = vehicle.counters().chunks() - vehicle.unsent();
            Latencies acks = vehicle.amidData();
            return new Run(acks.ms(0.999), figures.cpuMsPerS(), sent - daemon.recordingNumber("chunks"), acks.count());
        }
    }

    private Run beside(DaemonProcess daemon, Path big) throws IOException, InterruptedException {
        AtomicBoolean isOver = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        List<Path> copies = copies(big);
        try (PageProcess page = pages.page(List.of(daemon.logs(), big.getParent()))) {
            String log = recording(page);
            for (int i = 0; i < CLIENTS; i++) {
                threads.add(start(isOver, () -> watchLive(page, log)));
            }
            Iterator<Path> unseen = copies.iterator();
            threads.add(start(isOver, () -> {
                if (unseen.hasNext()) {
                    page.get("api/v1/logs/" + unseen.next().getFileName() + "/report");
                    reports.incrementAndGet();
                } else {
                    TimeUnit.MILLISECONDS.sleep(POLL_MS);
                }
            }));
            Run run = watch(daemon);
            isOver.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
            return run;
        } finally {
            isOver.set(true);
            for (Path copy : copies) {
                Files.deleteIfExists(copy);
            }
        }
    }

    /** The same log under other names, because the page keeps a report: one is being made all the time. */
    private static List<Path> copies(Path log) throws IOException {
        List<Path> copies = new ArrayList<>();
        for (int i = 1; i <= REPORTS; i++) {
            copies.add(Files.createLink(log.resolveSibling("copy-" + i + ".ulg"), log));
        }
        return copies;
    }

    private Run watch(DaemonProcess daemon) throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        ProcessStats.Cpu before = daemon.stats().cpu();
        TimeUnit.SECONDS.sleep(sizes.pairS());
        double ms = daemon.stats().cpu().since(before).totalMs();
        return new Run(0, ms / ((System.nanoTime() - startNs) / 1e9), 0, 0);
    }

    private static String recording(PageProcess page) throws IOException, InterruptedException {
        String logs = page.text("api/v1/logs");
        Matcher matcher = RECORDING.matcher(logs);
        if (!matcher.find()) {
            throw new IOException("the page shows no log that is being recorded: " + logs);
        }
        return matcher.group(1);
    }

    private void watchLive(PageProcess page, String log) throws IOException, InterruptedException {
        String path = "api/v1/logs/" + log;
        long startNs = System.nanoTime();
        for (String field : PageBench.FIELDS) {
            page.get(path + "/series?field=" + PageBench.escaped(field));
            plots.incrementAndGet();
        }
        page.get(path + "/messages");
        long spentMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
        TimeUnit.MILLISECONDS.sleep(Math.max(0, POLL_MS - spentMs));
    }

    /** Asks the page for a resource. */
    @FunctionalInterface
    private interface Asking {
        void ask() throws IOException, InterruptedException;
    }

    private Thread start(AtomicBoolean isOver, Asking asking) {
        Thread thread = new Thread(
                () -> {
                    while (!isOver.get()) {
                        try {
                            asking.ask();
                        } catch (IOException e) {
                            failures.incrementAndGet();
                        } catch (InterruptedException e) {
                            return;
                        }
                    }
                },
                "bench-browser");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
