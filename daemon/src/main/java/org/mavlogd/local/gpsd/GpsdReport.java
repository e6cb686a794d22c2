package org.mavlogd.local.gpsd;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.util.Arrays;

/**
 * One parsed line of gpsd: the numbers and strings of its object by name, and the numbers of each element of the array
 * {@code satellites}. Other arrays and objects are skipped. Depth and length are limited. Reused; owned by one thread.
 *
 * @see <a href="https://gpsd.gitlab.io/gpsd/gpsd_json.html">gpsd_json</a>
 */
final class GpsdReport {
    static final int MAX_SATELLITES = 48;

    private static final int MAX_NUMBERS = 128;
    private static final String SATELLITES = "satellites";
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(8)
                    .maxNumberLength(64)
                    .maxStringLength(4096)
                    .maxNameLength(128)
                    .build())
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    private final String[] names = new String[MAX_NUMBERS];
    private final double[] numbers = new double[MAX_NUMBERS];
    private final String[] satelliteFields;
    private final double[][] satellites;
    private int count;
    private int satelliteCount;
    private boolean hasSatellites;
    private String type = "";
    private String device = "";
    private String time = "";
    private String message = "";

    /** @param satelliteFields names of the numbers of a satellite to keep */
    GpsdReport(String... satelliteFields) {
        this.satelliteFields = satelliteFields.clone();
        this.satellites = new double[MAX_SATELLITES][satelliteFields.length];
    }

    /** Parses a line; throws if it is not one JSON object. */
    void parse(byte[] line, int length) throws IOException {
        count = 0;
        satelliteCount = 0;
        hasSatellites = false;
        type = "";
        device = "";
        time = "";
        message = "";
        try (JsonParser json = FACTORY.createParser(line, 0, length)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("not an object");
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                field(json);
            }
            if (json.currentToken() != JsonToken.END_OBJECT || json.nextToken() != null) {
                throw new IOException("more than an object");
            }
        }
    }

    private void field(JsonParser json) throws IOException {
        String name = json.currentName();
        JsonToken value = json.nextToken();
        if (value == null) {
            throw new IOException("cut");
        } else if (value == JsonToken.START_ARRAY && name.equals(SATELLITES)) {
            satellites(json);
        } else if (value.isStructStart()) {
            json.skipChildren();
        } else if (value.isNumeric()) {
            if (count < MAX_NUMBERS) {
                names[count] = name;
                numbers[count++] = json.getDoubleValue();
            }
        } else if (value == JsonToken.VALUE_STRING) {
            text(name, json.getText());
        }
    }

    private void text(String name, String value) {
        switch (name) {
            case "class" -> type = value;
            case "device" -> device = value;
            case "time" -> time = value;
            case "message" -> message = value;
            default -> {
                // Not kept.
            }
        }
    }

    private void satellites(JsonParser json) throws IOException {
        hasSatellites = true;
        for (JsonToken token = json.nextToken(); token == JsonToken.START_OBJECT; token = json.nextToken()) {
            double[] values = satelliteCount < MAX_SATELLITES ? satellites[satelliteCount++] : new double[0];
            Arrays.fill(values, Double.NaN);
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                satelliteField(json, values);
            }
        }
        if (json.currentToken() != JsonToken.END_ARRAY) {
            throw new IOException("satellites are not objects");
        }
    }

    private void satelliteField(JsonParser json, double[] values) throws IOException {
        String name = json.currentName();
        JsonToken value = json.nextToken();
        if (value == null) {
            throw new IOException("cut");
        }
        for (int i = 0; i < values.length; i++) {
            if (satelliteFields[i].equals(name)) {
                if (value.isNumeric()) {
                    values[i] = json.getDoubleValue();
                } else if (value.isBoolean()) {
                    values[i] = json.getBooleanValue() ? 1 : 0;
                }
            }
        }
        json.skipChildren();
    }

    /** The kind of report, gpsd's "class"; empty if it has none. */
    String type() {
        return type;
    }

    String device() {
        return device;
    }

    String time() {
        return time;
    }

    String message() {
        return message;
    }

    /** A number of the object, or NaN. */
    double number(String name) {
        for (int i = 0; i < count; i++) {
            if (names[i].equals(name)) {
                return numbers[i];
            }
        }
        return Double.NaN;
    }

    boolean hasSatellites() {
        return hasSatellites;
    }

    /** How many satellites are kept. */
    int satelliteCount() {
        return satelliteCount;
    }

    /** A kept number of a satellite; NaN if it has none, or there is no such satellite. */
    double satellite(int index, int field) {
        return index < satelliteCount ? satellites[index][field] : Double.NaN;
    }
}
