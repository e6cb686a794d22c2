package org.mavlogd.status;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Gets {@code /api/v1/status} from a recorder. */
public final class StatusClient {
    private static final int TIMEOUT_MS = 5000;
    private static final int MAX_BYTES = 4 << 20;
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(20).build())
            .build();

    private final String url;
    private final Optional<String> token;

    /**
     * @param url of the recorder, without a path
     * @param token that it requires
     */
    public StatusClient(String url, Optional<String> token) {
        this.url = url;
        this.token = token;
    }

    /**
     * Returns the document unchanged.
     *
     * @throws IOException with a text for the user
     */
    public String ask() throws IOException {
        HttpURLConnection connection = connection();
        try {
            int code = answered(connection);
            if (code != OK) {
                throw new IOException(url + " answers with status " + code + reason(code));
            }
            try (InputStream body = connection.getInputStream()) {
                byte[] bytes = body.readNBytes(MAX_BYTES + 1);
                if (bytes.length > MAX_BYTES) {
                    throw new IOException(url + " answers with more than " + MAX_BYTES + " bytes");
                }
                return new String(bytes, StandardCharsets.UTF_8);
            }
        } finally {
            connection.disconnect();
        }
    }

    private HttpURLConnection connection() throws IOException {
        try {
            HttpURLConnection connection = (HttpURLConnection)
                    URI.create(url + "/api/v1/status").toURL().openConnection(Proxy.NO_PROXY);
            connection.setConnectTimeout(TIMEOUT_MS);
            connection.setReadTimeout(TIMEOUT_MS);
            connection.setInstanceFollowRedirects(false);
            token.ifPresent(word -> connection.setRequestProperty("Authorization", "Bearer " + word));
            // A kept connection would be dead after a restart of the recorder.
            connection.setRequestProperty("Connection", "close");
            return connection;
        } catch (IllegalArgumentException e) {
            throw new IOException(url + " is not an address: " + e.getMessage(), e);
        }
    }

    private int answered(HttpURLConnection connection) throws IOException {
        try {
            return connection.getResponseCode();
        } catch (IOException e) {
            throw new IOException(
                    "no recorder answers at " + url + ": " + e.getMessage()
                            + "; is it running (systemctl status mavlogd), and is [http] listen its address?",
                    e);
        }
    }

    private static String reason(int code) {
        return switch (code) {
            case UNAUTHORIZED -> ": the token of [http] token_file is missing or wrong";
            case NOT_FOUND -> ": it is not mavlogd, or an older version";
            default -> "";
        };
    }

    /**
     * Parses a document to maps, lists, strings, numbers, booleans and null.
     *
     * @throws IOException with a text for the user
     */
    public static Map<String, @Nullable Object> parse(String document) throws IOException {
        try (JsonParser parser = FACTORY.createParser(document)) {
            return document(parser, "", one -> {});
        } catch (JsonProcessingException e) {
            throw new IOException("the answer is not a status: " + e.getOriginalMessage(), e);
        }
    }

    /**
     * Parses a document with a long list of objects. Each object is passed to {@code sink} and is not part of the
     * result, so that only one is in memory at a time.
     *
     * @param list the name of the list
     */
    static Map<String, @Nullable Object> parse(
            InputStream document, String list, Consumer<Map<String, @Nullable Object>> sink) throws IOException {
        try (JsonParser parser = FACTORY.createParser(document)) {
            return document(parser, list, sink);
        }
    }

    private static Map<String, @Nullable Object> document(
            JsonParser parser, String list, Consumer<Map<String, @Nullable Object>> sink) throws IOException {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw new IOException("the answer is not a status: it does not begin with {");
        }
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            if (parser.nextToken() != JsonToken.START_ARRAY || !name.equals(list)) {
                fields.put(name, value(parser));
                continue;
            }
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                if (parser.currentToken() == JsonToken.START_OBJECT) {
                    sink.accept(object(parser));
                } else {
                    parser.skipChildren();
                }
            }
        }
        return fields;
    }

    private static Map<String, @Nullable Object> object(JsonParser parser) throws IOException {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            fields.put(name, value(parser));
        }
        return fields;
    }

    private static @Nullable Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
            default -> null;
        };
    }

    private static List<@Nullable Object> array(JsonParser parser) throws IOException {
        List<@Nullable Object> values = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            values.add(value(parser));
        }
        return values;
    }

    /** Returns the document in one line, for programs that read line by line. */
    public static String oneLine(String document) throws IOException {
        StringWriter line = new StringWriter();
        try (JsonParser parser = FACTORY.createParser(document);
                JsonGenerator generator = FACTORY.createGenerator(line)) {
            parser.nextToken();
            generator.copyCurrentStructure(parser);
        } catch (JsonProcessingException e) {
            throw new IOException("the answer is not a status: " + e.getOriginalMessage(), e);
        }
        return line.toString();
    }
}
