package org.mavlogd.page.export;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.mavlogd.cli.Version;
import org.mavlogd.flight.TrackExport;
import org.mavlogd.logtools.OutputFile;
import org.mavlogd.logtools.Progress;
import org.mavlogd.series.SeriesStore.NotWanted;
import org.mavlogd.series.SeriesStore.Wanted;
import org.mavlogd.tables.CsvExport;
import org.mavlogd.tables.McapConversion;
import org.mavlogd.ulog.ULogException;

/**
 * Sends logs in the formats of {@code mavlogd export}: a table as CSV, several as ZIP, everything as MCAP, the track as
 * GPX. MCAP and GPX are sent while they are created. Tables are first created one after another as files, which {@link
 * Spool} keeps until they are sent. Any thread.
 */
public final class LogExports {
    private static final Pattern ENDING =
            Pattern.compile("(\\.(ulg|ulog|bin))?(\\.part)?(\\.gz)?$", Pattern.CASE_INSENSITIVE);
    private static final int COPY_BYTES = 64 * 1024;

    private final Spool spool;

    /** @param spool for files until they are sent */
    public LogExports(Spool spool) {
        this.spool = spool;
    }

    /**
     * A log to export.
     *
     * @param name known to the user
     */
    public record Source(Path file, String name) {
        private String base() {
            return ENDING.matcher(name).replaceFirst("");
        }
    }

    /**
     * Sends a log. Failures before the first byte can still be answered.
     *
     * @throws ULogException if it is not a log, is refused, or lacks what was requested
     */
    public void send(Source log, ExportChoice choice, BrowserStream out, Wanted wanted) throws IOException {
        try {
            switch (choice.format()) {
                case CSV -> tables(log, choice, out, wanted);
                case MCAP -> mcap(log, choice, out, wanted);
                case GPX -> track(log, choice, out, wanted);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        out.end();
    }

    private static void mcap(Source log, ExportChoice choice, BrowserStream out, Wanted wanted) throws IOException {
        out.begin("application/octet-stream", log.base() + ".mcap");
        McapConversion.write(
                log.file,
                program(),
                new McapConversion.Choice(choice.topicChoice(), choice.range()),
                Channels.newChannel(out),
                whileWanted(wanted));
    }

    private static void track(Source log, ExportChoice choice, BrowserStream out, Wanted wanted) throws IOException {
        out.begin("application/gpx+xml", log.base() + ".gpx");
        TrackExport.write(log.file, TrackExport.Format.GPX, program(), choice.range(), out, whileWanted(wanted));
    }

    private void tables(Source log, ExportChoice choice, BrowserStream out, Wanted wanted) throws IOException {
        out.begin("application/zip", log.base() + "_csv.zip");
        try (Spool.Place place = spool.open(wanted)) {
            place.fill(() -> csv(log, choice, place, wanted));
            List<Path> files = place.files();
            if (files.size() == 1) {
                out.type(
                        "text/csv; charset=utf-8",
                        log.base() + "_" + files.get(0).getFileName());
                copy(files.get(0), out);
            } else {
                zip(files, out);
            }
        }
    }

    private static void csv(Source log, ExportChoice choice, Spool.Place place, Wanted wanted) throws IOException {
        CsvExport.Choice what = new CsvExport.Choice(choice.topicChoice(), choice.range(), choice.times());
        Progress check = whileWanted(wanted);
        try (CsvExport export = new CsvExport(place.directory(), OutputFile.Existing.REFUSE_UNFORCED, what)) {
            CsvExport.Result result = export.export(log.file, (done, total) -> {
                check.onProgress(done, total);
                place.check();
            });
            if (result.files() == 0) {
                throw new ULogException("no samples"
                        + (what.topics().isAll() ? "" : " of " + what.topics().text()) + " in this time");
            }
        }
    }

    private static void zip(List<Path> files, OutputStream out) throws IOException {
        ZipOutputStream zip = new ZipOutputStream(out);
        zip.setLevel(Deflater.BEST_SPEED);
        for (Path file : files) {
            zip.putNextEntry(new ZipEntry(String.valueOf(file.getFileName())));
            copy(file, zip);
            zip.closeEntry();
        }
        zip.finish();
    }

    private static void copy(Path file, OutputStream out) throws IOException {
        byte[] part = new byte[COPY_BYTES];
        try (var in = Files.newInputStream(file)) {
            for (int count = in.read(part); count >= 0; count = in.read(part)) {
                out.write(part, 0, count);
            }
        }
    }

    private static String program() {
        return "mavlogd " + Version.text();
    }

    private static Progress whileWanted(Wanted wanted) {
        return (done, total) -> {
            try {
                wanted.check();
            } catch (NotWanted e) {
                throw new UncheckedIOException(e);
            }
        };
    }
}
