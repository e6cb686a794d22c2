package org.mavlogd.fleet.targets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import org.mavlogd.config.UploadTarget;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.ProxyConfiguration;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;

/**
 * The HTTP client of the SDK, which ends requests that make no progress. Java's connection limits the time to wait for
 * an answer, but not that of a write: it would wait for the kernel, a quarter of an hour after the network is gone, and
 * for ever if the server no longer reads. One thread sends; its own thread watches.
 */
final class S3Http implements SdkHttpClient {
    private static final int CONNECT_MS = 15_000;
    private static final long LOOK_MS = 500;

    /** Of the environment and of Java's properties, like the SDK's own connections. */
    private final ProxyConfiguration proxy = ProxyConfiguration.builder().build();

    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "s3-watch");
        thread.setDaemon(true);
        return thread;
    });
    private final SSLSocketFactory sockets;
    private final int timeoutMs;
    private final long stallNs;
    private final SdkHttpClient client = UrlConnectionHttpClient.create(this::open);

    /** @param timeout to wait for an answer */
    S3Http(UploadTarget settings, Duration timeout, long stallNs) throws IOException {
        this.sockets = new ClosableSockets(context(settings.caFile()).getSocketFactory());
        this.timeoutMs = Math.toIntExact(timeout.toMillis());
        this.stallNs = stallNs;
    }

    private static SSLContext context(String caFile) throws IOException {
        try {
            return caFile.isEmpty() ? SSLContext.getDefault() : Authorities.context(caFile);
        } catch (NoSuchAlgorithmException e) {
            throw new IOException("TLS cannot be used: " + e.getMessage(), e);
        }
    }

    private HttpURLConnection open(URI address) {
        try {
            HttpURLConnection connection = connection(address);
            if (connection instanceof HttpsURLConnection tls) {
                tls.setSSLSocketFactory(sockets);
            }
            connection.setConnectTimeout(CONNECT_MS);
            connection.setReadTimeout(timeoutMs);
            return connection;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private HttpURLConnection connection(URI address) throws IOException {
        URL url = address.toURL();
        String host = address.getHost().toLowerCase(Locale.ROOT);
        if (proxy.host() == null || proxy.nonProxyHosts().stream().anyMatch(host::matches)) {
            return (HttpURLConnection) url.openConnection();
        }
        HttpURLConnection connection = (HttpURLConnection)
                url.openConnection(new Proxy(Proxy.Type.HTTP, new InetSocketAddress(proxy.host(), proxy.port())));
        if (proxy.username() != null && proxy.password() != null) {
            byte[] login = (proxy.username() + ':' + proxy.password()).getBytes(StandardCharsets.UTF_8);
            connection.addRequestProperty(
                    "Proxy-Authorization", "Basic " + Base64.getEncoder().encodeToString(login));
        }
        return connection;
    }

    /**
     * Sockets that are closed within a second also while a write waits: without this, closing a TLS socket waits for the
     * write. Others are not affected.
     */
    private static final class ClosableSockets extends SSLSocketFactory {
        private static final int CLOSE_S = 1;

        private final SSLSocketFactory factory;

        ClosableSockets(SSLSocketFactory factory) {
            this.factory = factory;
        }

        private static Socket closable(Socket socket) throws IOException {
            socket.setSoLinger(true, CLOSE_S);
            return socket;
        }

        @Override
        public Socket createSocket() throws IOException {
            return closable(factory.createSocket());
        }

        @Override
        public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
            return closable(factory.createSocket(socket, host, port, autoClose));
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return closable(factory.createSocket(host, port));
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
            return closable(factory.createSocket(host, port, local, localPort));
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return closable(factory.createSocket(host, port));
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
            return closable(factory.createSocket(host, port, local, localPort));
        }

        @Override
        public String[] getDefaultCipherSuites() {
            return factory.getDefaultCipherSuites();
        }

        @Override
        public String[] getSupportedCipherSuites() {
            return factory.getSupportedCipherSuites();
        }
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        Stall stall = new Stall(stallNs);
        HttpExecuteRequest.Builder observed = HttpExecuteRequest.builder().request(request.httpRequest());
        request.metricCollector().ifPresent(observed::metricCollector);
        request.contentStreamProvider()
                .ifPresent(body -> observed.contentStreamProvider(() -> stall.observed(body.newStream())));
        return new Watched(client.prepareRequest(observed.build()), stall);
    }

    /** One request. */
    private final class Watched implements ExecutableHttpRequest {
        private final ExecutableHttpRequest request;
        private final Stall stall;
        private volatile boolean isEnded;

        Watched(ExecutableHttpRequest request, Stall stall) {
            this.request = request;
            this.stall = stall;
        }

        @Override
        public HttpExecuteResponse call() throws IOException {
            Future<?> looks = watch.scheduleWithFixedDelay(this::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
            try {
                return request.call();
            } catch (IOException | RuntimeException e) {
                if (isEnded) {
                    throw stall.failure();
                }
                throw e;
            } finally {
                looks.cancel(false);
            }
        }

        private void look() {
            if (stall.isReached()) {
                isEnded = true;
                request.abort();
            }
        }

        @Override
        public void abort() {
            request.abort();
        }
    }

    @Override
    public String clientName() {
        return client.clientName();
    }

    @Override
    public void close() {
        watch.shutdownNow();
        client.close();
    }
}
