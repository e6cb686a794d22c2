package org.mavlogd.fleet;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A self-signed certificate, made by Java's keytool. Its PEM is the authority for a server that uses it. */
public final class TestCertificate {
    private static final String PASSWORD = "changeit";

    private final Path store;
    private final Path pem;

    /** @param names names of the server, such as {@code ip:127.0.0.1} */
    public TestCertificate(Path directory, String names) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        store = directory.resolve("server.p12");
        pem = directory.resolve("authority.pem");
        keytool("-genkeypair", "-keyalg", "EC", "-dname", "CN=test", "-validity", "30", "-ext", "san=" + names);
        keytool("-exportcert", "-rfc", "-file", pem.toString());
    }

    private void keytool(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(words));
        command.addAll(List.of("-alias", "server", "-keystore", store.toString(), "-storepass", PASSWORD));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (process.waitFor() != 0) {
            throw new IOException("keytool ends with " + process.exitValue() + ": " + command);
        }
    }

    /** The file for {@code ca_file}. */
    public Path pem() {
        return pem;
    }

    /** The TLS context of the server. */
    public SSLContext context() throws IOException {
        try (InputStream in = Files.newInputStream(store)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, PASSWORD.toCharArray());
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(keys, PASSWORD.toCharArray());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    /** An HTTP server on a free port of loopback, with TLS if there is a context. */
    public static HttpServer server(Optional<SSLContext> tls) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        if (tls.isEmpty()) {
            return HttpServer.create(address, 50);
        }
        HttpsServer server = HttpsServer.create(address, 50);
        server.setHttpsConfigurator(new HttpsConfigurator(tls.get()));
        return server;
    }
}
