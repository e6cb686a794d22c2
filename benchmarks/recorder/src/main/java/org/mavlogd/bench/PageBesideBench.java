package org.mavlogd.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page at work beside the recorder: four browsers show live plots, and reports of a large log are made. A thread plays
 * each browser: it asks for four fields and the messages twice a second.
 */
final class PageBesideBench {
    private static final int CLIENTS = 4;
    private static final long POLL_MS = 500;
    /** More than can be made in a run. */
    private static final int REPORTS = 12;

    private static final Pattern RECORDING =
            Pattern.compile("\"name\":\"([^\"]+)\",\"size\":\\d+,\"state\":\"recording\"");

    private final PageBench pages;
    private final Path big;
    private final AtomicLong plots = new AtomicLong();
    private final AtomicLong reports = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();

    /** @param big the log of which reports are made */
    PageBesideBench(PageBench pages, Path big) {
        this.pages = pages;
        this.big = big;
    }

    List<Figure> measure(RecorderPairs pairs) throws IOException, InterruptedException {
        List<Figure> figures = new ArrayList<>(pairs.measure("the page", this::start));
        figures.add(Figure.plain("plots meanwhile", (double) plots.get(), "%.0f", reports.get() + " reports"));
        figures.add(Figure.atMost("requests that failed", (double) failures.get(), "%.0f", 0, ""));
        return figures;
    }

    private RecorderPairs.Running start(DaemonProcess recorder) throws IOException, InterruptedException {
        AtomicBoolean isOver = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        List<Path> copies = copies();
        PageProcess page = pages.page(List.of(recorder.logs(), big.getParent()));
        String log;
        try {
            log = recording(page);
        } catch (IOException e) {
            page.close();
            throw e;
        }
        for (int i = 0; i < CLIENTS; i++) {
            threads.add(start(isOver, () -> watchLive(page, log)));
        }
        Iterator<Path> unseen = copies.iterator();
        threads.add(start(isOver, () -> askForReport(page, unseen)));
        return () -> {
            isOver.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
            page.close();
            for (Path copy : copies) {
                Files.deleteIfExists(copy);
            }
        };
    }

    /** The same log under other names, because the page keeps a report: one is being made all the time. */
    private List<Path> copies() throws IOException {
        List<Path> copies = new ArrayList<>();
        for (int i = 1; i <= REPORTS; i++) {
            copies.add(Files.createLink(big.resolveSibling("copy-" + i + ".ulg"), big));
        }
        return copies;
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

    private void askForReport(PageProcess page, Iterator<Path> unseen) throws IOException, InterruptedException {
        if (unseen.hasNext()) {
            page.get("api/v1/logs/" + unseen.next().getFileName() + "/report");
            reports.incrementAndGet();
        } else {
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
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
