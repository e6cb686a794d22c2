package org.mavlogd.page;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.mavlogd.page.Catalogue.Entry;
import org.mavlogd.page.Catalogue.State;
import org.mavlogd.report.Report;
import org.mavlogd.report.ReportJson;
import org.mavlogd.series.SeriesStore.NotWanted;
import org.mavlogd.series.SeriesStore.Wanted;

/** Builds reports and keeps the last one. Owned by one thread. */
final class Reports {
    private String latestOf = "";
    private byte[] latest = {};

    byte[] of(Entry log, Wanted wanted) throws IOException {
        String key = log.file() + "\n" + log.bytes() + "\n" + log.modifiedMs();
        if (!key.equals(latestOf)) {
            byte[] made = make(log, wanted);
            if (log.state() == State.RECORDING) {
                return made; // soon out of date
            }
            latest = made;
            latestOf = key;
        }
        return latest;
    }

    private static byte[] make(Entry log, Wanted wanted) throws IOException {
        try {
            Report report = Report.of(log.file(), log.name(), (done, total) -> check(wanted));
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ReportJson.write(report, out);
            return out.toByteArray();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void check(Wanted wanted) {
        try {
            wanted.check();
        } catch (NotWanted e) {
            throw new UncheckedIOException(e);
        }
    }
}
