package org.mavlogd.page;

import com.fasterxml.jackson.core.JsonGenerator;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.mavlogd.cli.Version;
import org.mavlogd.config.PageSettings;
import org.mavlogd.foxglove.FoxgloveServer;
import org.mavlogd.page.export.LogExports;
import org.mavlogd.page.export.Spool;
import org.mavlogd.series.SeriesStore;
import org.mavlogd.status.UploadReport;

/**
 * The server of the page: one event loop, one thread for plots, one for files, one that reads facts in the background.
 */
final class PageServer implements AutoCloseable {
    static final String API = "/api/v1";

    private static final String LOG = API + "/logs/:name";
    private static final String FETCH = API + "/fetch";
    private static final int MAX_BODY = 16 * 1024;
    private static final int MAX_WISH = 512 * 1024;
    private static final int MAX_HEADERS = 16 * 1024;
    private static final int MAX_LINE = 8 * 1024;
    private static final int IDLE_S = 60;
    private static final long START_S = 20;
    private static final long STOP_S = 3;
    private static final long SERIES_BYTES = 20L << 20;
    private static final long COPY_BYTES = 4L << 30;
    private static final long SPOOL_BYTES = 4L << 30;
    private static final int MAX_EXPORTS = 2;

    private final PageSettings settings;
    private final List<Path> directories;
    private final LogApi.Threads threads = new LogApi.Threads(
            new Workers("page-plots"),
            new Workers("page-reports"),
            new Workers("page-exports", MAX_EXPORTS),
            new Workers("page-files"));
    private final FactsIndex facts;
    private final Vertx vertx;
    private final LogApi logs;
    private final Guard guard;
    private final FoxgloveApi foxglove;
    private final RecorderStatus recorder;
    private final CardLogs card;
    private final HttpServer server;

    /**
     * @param directories of the logs
     * @param cache directory for our own files
     */
    PageServer(PageSettings settings, List<Path> directories, Path cache) {
        this.settings = settings;
        this.directories = List.copyOf(directories);
        Catalogue catalogue = new Catalogue(directories);
        LogReader reader =
                new LogReader(new PlainLogs(cache, COPY_BYTES, Spool.RESERVE_BYTES), new SeriesStore(SERIES_BYTES));
        this.facts = new FactsIndex(cache.resolve("facts"));
        LogExports exports = new LogExports(new Spool(cache.resolve("exports"), SPOOL_BYTES));
        this.logs = new LogApi(
                catalogue,
                facts,
                reader,
                exports,
                threads,
                () -> settings.uploads().flatMap(UploadReport::read));
        this.vertx = vertx();
        this.guard = guard(settings);
        this.foxglove = new FoxgloveApi(
                catalogue,
                reader,
                threads.plots(),
                new FoxgloveServer(vertx, "mavlogd " + Version.text(), FoxgloveApi.growing(catalogue)));
        RecorderClient client = new RecorderClient(vertx);
        this.recorder = new RecorderStatus(client, settings.recorder());
        this.card = new CardLogs(client, settings.recorder());
        this.server = vertx.createHttpServer(options(settings));
    }

    private static Vertx vertx() {
        // Uses Java's name lookup; unpacks nothing to a temporary directory.
        System.setProperty("vertx.disableDnsResolver", "true");
        return Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1)
                .setPreferNativeTransport(false)
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
    }

    private static HttpServerOptions options(PageSettings settings) {
        HttpServerOptions options = new HttpServerOptions()
                .setHost(settings.listen().host())
                .setPort(settings.listen().port())
                .setCompressionSupported(true)
                .setMaxInitialLineLength(MAX_LINE)
                .setMaxHeaderSize(MAX_HEADERS)
                .setIdleTimeout(IDLE_S)
                .setWebSocketSubProtocols(List.of(FoxgloveServer.PROTOCOL))
                .setPerMessageWebSocketCompressionSupported(false)
                .setPerFrameWebSocketCompressionSupported(false)
                .setMaxWebSocketMessageSize(MAX_WISH)
                .setUseAlpn(false)
                .setHttp2ClearTextEnabled(false)
                .setReuseAddress(true);
        settings.tls()
                .ifPresent(tls -> options.setSsl(true)
                        .setKeyCertOptions(new PemKeyCertOptions()
                                .setCertPath(tls.certificate().toString())
                                .setKeyValue(Buffer.buffer(tls.key()))));
        return options;
    }

    private static Guard guard(PageSettings settings) {
        HostNames hosts = new HostNames(settings.listen().host(), computer(), settings.hosts());
        return new Guard(
                hosts,
                settings.token().map(token -> new Sessions(token, System::nanoTime)),
                settings.control(),
                settings.tls().isPresent(),
                settings.tiles().origin(),
                settings.origins());
    }

    private static String computer() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return ""; // it has no name
        }
    }

    /**
     * Starts serving; returns the port.
     *
     * @throws IOException if that fails, with a text for the user
     */
    int start() throws IOException {
        facts.start();
        try {
            server.requestHandler(router())
                    .listen()
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(START_S, TimeUnit.SECONDS);
            return server.actualPort();
        } catch (ExecutionException e) {
            throw new IOException(
                    String.valueOf(e.getCause() == null ? e : e.getCause().getMessage()), e);
        } catch (TimeoutException e) {
            throw new IOException("did not start within " + START_S + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("stopped before it began", e);
        }
    }

    private Router router() {
        Router router = Router.router(vertx);
        router.route().handler(guard::checkHost).failureHandler(Answers::failure);
        router.get("/healthz")
                .handler(request -> request.response()
                        .putHeader("Content-Type", "text/plain")
                        .end("ok\n"));
        router.get(API + "/page").handler(this::page);
        router.post(API + "/login").handler(guard::checkHeader);
        router.post(API + "/login").handler(body()).handler(this::login);
        router.post(API + "/logout").handler(guard::checkHeader).handler(guard::logout);
        router.route("/api/*").handler(guard::checkLogin);
        reading(router);
        writing(router);
        router.get("/foxglove").handler(guard::checkOrigin);
        router.get("/foxglove").handler(guard::checkLoginOrToken).handler(foxglove::open);
        files(router);
        for (int status : new int[] {400, 404, 405, 413, 414, 431, 500}) {
            router.errorHandler(status, Answers::failure);
        }
        router.route().failureHandler(Answers::failure);
        return router;
    }

    private void reading(Router router) {
        router.get(API + "/logs").handler(logs::list);
        router.get(LOG).handler(logs::download);
        router.head(LOG).handler(logs::download);
        router.get(LOG + "/topics").handler(logs::topics);
        router.get(LOG + "/series").handler(logs::series);
        router.get(LOG + "/messages").handler(logs::messages);
        router.get(LOG + "/modes").handler(logs::modes);
        router.get(LOG + "/report").handler(logs::report);
        router.get(LOG + "/export/:format").handler(logs::export);
        router.get(API + "/status").handler(recorder::answer);
    }

    private void writing(Router router) {
        router.put(LOG + "/keep").handler(guard::checkWrite).handler(logs::keep);
        router.delete(LOG + "/keep").handler(guard::checkWrite).handler(logs::unkeep);
        router.put(LOG + "/remark").handler(guard::checkWrite);
        router.put(LOG + "/remark").handler(body()).handler(logs::remark);
        router.delete(LOG).handler(guard::checkWrite).handler(logs::delete);
        router.get(FETCH).handler(guard::checkControl).handler(card::overview);
        router.get(FETCH + "/logs").handler(guard::checkControl).handler(card::logs);
        router.post(FETCH + "/:command").handler(guard::checkWrite);
        router.post(FETCH + "/list").handler(body()).handler(card::list);
        router.post(FETCH + "/start").handler(body()).handler(card::start);
        router.post(FETCH + "/cancel").handler(body()).handler(card::cancel);
    }

    /** Serves the files of the map, if there are any here, and of the page. */
    private void files(Router router) {
        settings.tiles().folder().ifPresent(folder -> {
            router.get(TileFiles.ROUTE).handler(guard::checkLogin);
            router.get(TileFiles.ROUTE).handler(new TileFiles(folder, threads.files())::serve);
        });
        StaticFiles files = new StaticFiles();
        router.get("/*").handler(files::serve);
    }

    private static BodyHandler body() {
        return BodyHandler.create(false).setBodyLimit(MAX_BODY);
    }

    private void login(RoutingContext request) {
        Object token;
        try {
            JsonObject body = request.body().asJsonObject();
            token = body == null ? null : body.getValue("token");
        } catch (RuntimeException e) {
            token = null; // not JSON, or not an object
        }
        if (!(token instanceof String text)) {
            throw new Problem(400, "the body must be {\"token\":\"...\"}");
        }
        guard.login(request, text);
    }

    /** Facts that the page needs before login; other facts require one. */
    private void page(RoutingContext request) {
        boolean isIn = guard.isLoggedIn(request.request());
        Answers.json(request, 200, Json.object(json -> {
            json.writeStringField("version", Version.text());
            json.writeBooleanField("login", guard.needsLogin());
            json.writeBooleanField("logged_in", isIn);
            json.writeBooleanField("control", guard.allowsControl());
            json.writeBooleanField("recorder", recorder.isKnown());
            if (isIn) {
                pageOfLoggedIn(json);
            }
            if (!settings.tiles().from().isEmpty()) {
                json.writeStringField(
                        "tiles",
                        settings.tiles().folder().isPresent()
                                ? TileFiles.ADDRESS
                                : settings.tiles().from());
                json.writeStringField("tiles_credit", settings.tiles().credit());
            }
        }));
    }

    private void pageOfLoggedIn(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("directories");
        for (Path directory : directories) {
            json.writeString(directory.toString());
        }
        json.writeEndArray();
        json.writeNumberField("facts_missing", facts.missing());
        json.writeStringField("fetch_problem", card.refusal());
    }

    @Override
    public void close() {
        foxglove.close();
        try {
            vertx.close().toCompletionStage().toCompletableFuture().get(STOP_S, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // It ends with the process.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.plots().close();
        threads.reports().close();
        threads.exports().close();
        threads.files().close();
        facts.close();
    }
}
