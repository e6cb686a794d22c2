package org.mavlogd.page;

import io.vertx.core.Context;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mavlogd.logtools.TimeRange;
import org.mavlogd.page.Catalogue.Entry;
import org.mavlogd.page.export.BrowserStream;
import org.mavlogd.page.export.ExportChoice;
import org.mavlogd.page.export.LogExports;
import org.mavlogd.series.SeriesRequest;
import org.mavlogd.status.UploadReport;
import org.mavlogd.ulog.LogLevel;

/** The routes below {@code /api/v1/logs}. */
final class LogApi {
    private final Catalogue catalogue;
    private final FactsIndex facts;
    private final LogReader reader;
    private final LogExports exports;
    private final Reports reports = new Reports();
    private final Threads threads;
    private final Supplier<Optional<UploadReport>> uploads;

    /**
     * The threads of the API.
     *
     * @param plots owns the reader
     * @param reports builds reports
     * @param exports send logs in other formats
     * @param files quick work
     */
    record Threads(Workers plots, Workers reports, Workers exports, Workers files) {}

    LogApi(
            Catalogue catalogue,
            FactsIndex facts,
            LogReader reader,
            LogExports exports,
            Threads threads,
            Supplier<Optional<UploadReport>> uploads) {
        this.catalogue = catalogue;
        this.facts = facts;
        this.reader = reader;
        this.exports = exports;
        this.threads = threads;
        this.uploads = uploads;
    }

    void list(RoutingContext request) {
        threads.files.answer(request, wanted -> LogList.of(catalogue, facts, uploads.get()));
    }

    void download(RoutingContext request) {
        String name = name(request);
        threads.files.run(request, wanted -> catalogue.find(name), log -> Download.send(request, log));
    }

    void topics(RoutingContext request) {
        String name = name(request);
        threads.plots.answer(request, wanted -> reader.topics(catalogue.find(name), wanted));
    }

    void series(RoutingContext request) {
        String name = name(request);
        String field = parameter(request, "field");
        if (field == null) {
            throw new Problem(400, "field is missing: TOPIC.FIELD or TOPIC.INSTANCE.FIELD");
        }
        int points = Math.toIntExact(number(request, "points", SeriesRequest.DEFAULT_POINTS, SeriesRequest.MAX_POINTS));
        SeriesRequest plot = new SeriesRequest(field, from(request), to(request), points);
        threads.plots.answer(request, wanted -> reader.series(catalogue.find(name), plot, wanted));
    }

    void messages(RoutingContext request) {
        String name = name(request);
        LogLevel level = level(parameter(request, "level"));
        long from = from(request);
        long to = to(request);
        threads.plots.answer(request, wanted -> reader.messages(catalogue.find(name), from, to, level, wanted));
    }

    void modes(RoutingContext request) {
        String name = name(request);
        threads.plots.answer(request, wanted -> reader.modes(catalogue.find(name), wanted));
    }

    void report(RoutingContext request) {
        String name = name(request);
        threads.reports.answer(request, wanted -> reports.of(catalogue.find(name), wanted));
    }

    void export(RoutingContext request) {
        String name = name(request);
        ExportChoice choice = ExportChoice.of(
                new ExportChoice.Words(
                        String.valueOf(request.pathParam("format")),
                        request.queryParam("topic"),
                        Optional.ofNullable(parameter(request, "time"))),
                range(request));
        Context loop = request.vertx().getOrCreateContext();
        threads.exports.run(
                request,
                wanted -> {
                    Entry log = catalogue.find(name);
                    LogExports.Source source = new LogExports.Source(log.file(), log.name());
                    exports.send(source, choice, new BrowserStream(request.request(), loop, wanted), wanted);
                    return name;
                },
                sent -> {});
    }

    private static TimeRange range(RoutingContext request) {
        return new TimeRange(
                parameter(request, "from") == null
                        ? Optional.empty()
                        : Optional.of(TimeRange.Bound.boot(from(request))),
                parameter(request, "to") == null ? Optional.empty() : Optional.of(TimeRange.Bound.boot(to(request))));
    }

    void keep(RoutingContext request) {
        String name = name(request);
        threads.files.answer(request, wanted -> LogControl.keep(catalogue.find(name), true));
    }

    void unkeep(RoutingContext request) {
        String name = name(request);
        threads.files.answer(request, wanted -> LogControl.keep(catalogue.find(name), false));
    }

    void remark(RoutingContext request) {
        String name = name(request);
        String text = new String(
                request.body().buffer() == null
                        ? new byte[0]
                        : request.body().buffer().getBytes(),
                StandardCharsets.UTF_8);
        threads.files.answer(request, wanted -> {
            Entry log = catalogue.find(name);
            return LogControl.remark(log, text);
        });
    }

    void delete(RoutingContext request) {
        String name = name(request);
        threads.files.answer(request, wanted -> LogControl.delete(catalogue.find(name)));
    }

    private static String name(RoutingContext request) {
        return String.valueOf(request.pathParam("name"));
    }

    private static @Nullable String parameter(RoutingContext request, String name) {
        var values = request.queryParam(name);
        if (values.size() > 1) {
            throw new Problem(400, name + " is there " + values.size() + " times; give it once");
        }
        return values.isEmpty() ? null : values.get(0);
    }

    private static long from(RoutingContext request) {
        return number(request, "from", 0, Long.MAX_VALUE);
    }

    /** The end of the range; 400 if it is before the start. */
    private static long to(RoutingContext request) {
        long to = number(request, "to", Long.MAX_VALUE, Long.MAX_VALUE);
        long from = from(request);
        if (from > to) {
            throw new Problem(400, "from is " + from + ", and must not be after to, " + to);
        }
        return to;
    }

    private static long number(RoutingContext request, String name, long byDefault, long max) {
        String text = parameter(request, name);
        if (text == null || text.isEmpty()) {
            return byDefault;
        }
        if (!text.matches("[0-9]{1,18}") || Long.parseLong(text) > max) {
            throw new Problem(
                    400,
                    name + " is \"" + text + "\", and must be a whole number from 0 to "
                            + Math.min(max, 999_999_999_999_999_999L));
        }
        return Long.parseLong(text);
    }

    private static LogLevel level(@Nullable String word) {
        if (word == null || word.isEmpty()) {
            return LogLevel.DEBUG;
        }
        return Arrays.stream(LogLevel.values())
                .filter(level -> level.name().toLowerCase(Locale.ROOT).equals(word))
                .findFirst()
                .orElseThrow(() -> new Problem(
                        400,
                        "level is \"" + word
                                + "\", and must be emergency, alert, critical, error, warning, notice, info or debug"));
    }
}
