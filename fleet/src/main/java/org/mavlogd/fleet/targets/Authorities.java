package org.mavlogd.fleet.targets;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Certificates of authorities in a file in PEM, against which a server's certificate is checked. */
final class Authorities {
    private Authorities() {}

    private static TrustManager[] trustManagers(String file) throws IOException {
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int count = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("authority-" + count++, certificate);
            }
            if (count == 0) {
                throw new IOException(file + ": there is no certificate in it");
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return factory.getTrustManagers();
        } catch (GeneralSecurityException e) {
            throw new IOException(file + ": cannot be read as certificates in PEM: " + e.getMessage(), e);
        }
    }

    static SSLContext context(String file) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trustManagers(file), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(file + ": cannot be used: " + e.getMessage(), e);
        }
    }
}
