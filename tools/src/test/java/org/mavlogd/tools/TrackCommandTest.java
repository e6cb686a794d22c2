package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.Source;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.dataflash.DataFlashBuilder;
import org.mavlogd.logtools.FlightLog;
import org.mavlogd.logtools.Logs;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.LogLevel;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.w3c.dom.ls.DOMImplementationLS;
import org.w3c.dom.ls.LSInput;
import org.xml.sax.SAXException;

/** {@code mavlogd export gpx} and {@code kml} as users run them. */
class TrackCommandTest {
    private static final String GLOBAL = "vehicle_global_position";
    private static final long NEW_YEAR_US = 1_767_225_600_000_000L;
    private static final Schema KML = kmlSchema();
    private static final List<Schema> GPX = gpxSchemas();

    @TempDir
    private Path directory = Path.of(".");

    private final Shell shell = new Shell();

    /** Writes the contents of a test's log. */
    @FunctionalInterface
    private interface Contents {
        void write(FlightLog log) throws IOException;
    }

    private Path log(Contents contents) throws IOException {
        Path file = directory.resolve("flight.ulg");
        Files.deleteIfExists(file);
        try (FlightLog log = new FlightLog(
                file, FlightLog.GLOBAL, FlightLog.NEW_GPS, FlightLog.OLD_GPS, FlightLog.LOCAL, FlightLog.STATUS)) {
            contents.write(log);
        }
        return file;
    }

    private static void bootTime(FlightLog log, long utcUs) throws IOException {
        log.log()
                .info(
                        Field.of(FieldType.UINT64, "boot_time_utc_us"),
                        ByteBuffer.allocate(Long.BYTES)
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .putLong(utcUs)
                                .array());
    }

    private static Schema kmlSchema() {
        return schema(new StreamSource(new StringReader(publishedText("ogckml22.xsd"))));
    }

    /** The schema of this project, and GPX's own if it is given. */
    private static List<Schema> gpxSchemas() {
        String own = System.getProperty("gpx.schema");
        Schema ours = schema(resource("gpx.xsd"));
        return own == null
                ? List.of(ours)
                : List.of(ours, schema(new StreamSource(Path.of(own).toFile())));
    }

    private static Source resource(String name) {
        return new StreamSource(new StringReader(text(Logs.class.getResource("schema/" + name), name)));
    }

    /** A schema of OGC from the KML library, which contains it. */
    private static String publishedText(String name) {
        return text(Logs.class.getResource("/schema/ogckml/" + name), name);
    }

    private static String text(@Nullable URL place, String name) {
        try (InputStream in = Objects.requireNonNull(place, name).openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Schema schema(Source source) {
        try {
            SchemaFactory factory = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI);
            factory.setResourceResolver(
                    (type, namespace, publicId, systemId, base) -> imported(String.valueOf(namespace)));
            return factory.newSchema(source);
        } catch (SAXException e) {
            throw new AssertionError(e);
        }
    }

    /** The schemas that KML imports, without network access. The exports never write addresses. */
    private static LSInput imported(String namespace) {
        String addresses = "<schema xmlns='http://www.w3.org/2001/XMLSchema' targetNamespace='" + namespace
                + "'><element name='AddressDetails'/></schema>";
        try {
            Object load = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .getDOMImplementation()
                    .getFeature("LS", "3.0");
            LSInput input = ((DOMImplementationLS) load).createLSInput();
            input.setStringData(namespace.endsWith("Atom") ? publishedText("atom-author-link.xsd") : addresses);
            return input;
        } catch (ParserConfigurationException e) {
            throw new AssertionError(e);
        }
    }

    private Document export(String format, Path log) throws IOException {
        Path out = directory.resolve("out." + format);
        assertThat(shell.run("export", format, log, "-o", out, "--force"))
                .as(shell.err())
                .isIn(0, 3);
        return valid(format, out);
    }

    /** The document of a file, after validation by its schema. */
    private static Document valid(String format, Path file) throws IOException {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setNamespaceAware(true);
            Document document = factory.newDocumentBuilder().parse(file.toFile());
            for (Schema schema : format.equals("kml") ? List.of(KML) : GPX) {
                schema.newValidator().validate(new DOMSource(document));
            }
            return document;
        } catch (SAXException | ParserConfigurationException e) {
            throw new AssertionError(Files.readString(file).substring(0, 2000), e);
        }
    }

    private static List<Element> elements(Document document, String name) {
        return elements(document.getElementsByTagNameNS("*", name));
    }

    private static List<Element> elements(Element parent, String name) {
        return elements(parent.getElementsByTagNameNS("*", name));
    }

    private static List<Element> elements(NodeList nodes) {
        return IntStream.range(0, nodes.getLength())
                .mapToObj(i -> (Element) nodes.item(i))
                .toList();
    }

    private static String text(Element parent, String name) {
        List<Element> found = elements(parent, name);
        return found.isEmpty() ? "" : found.get(0).getTextContent();
    }

    /** Latitude, longitude, altitude and time of a point of GPX. */
    private static List<String> point(Element point) {
        return List.of(point.getAttribute("lat"), point.getAttribute("lon"), text(point, "ele"), text(point, "time"));
    }

    private static List<List<String>> points(Document gpx) {
        return elements(gpx, "trkpt").stream().map(TrackCommandTest::point).toList();
    }

    private static List<Integer> segments(Document gpx) {
        return elements(gpx, "trkseg").stream()
                .map(segment -> elements(segment, "trkpt").size())
                .toList();
    }

    @Test
    void aTrackHasPlacesAltitudesAndTimes() throws IOException {
        Path log = log(log1 -> {
            bootTime(log1, NEW_YEAR_US);
            log1.sample(GLOBAL, 1_000_000, 47.5, -8.25, 500.5, 1, 1);
            log1.sample(GLOBAL, 1_250_000, 47.50000125, 180, -12, 1, 0);
        });

        assertThat(points(export("gpx", log)))
                .containsExactly(
                        List.of("47.5", "-8.25", "500.5", "2026-01-01T00:00:01Z"),
                        List.of("47.50000125", "-180", "", "2026-01-01T00:00:01.250Z"));
        assertThat(shell.out()).endsWith(": 2 positions of vehicle_global_position:0 in 2 segments, 0 waypoints\n");
    }

    @Test
    void gapsAndJumpsDivideTheTrack() throws IOException {
        Path log = log(log1 -> {
            for (int i = 0; i < 10; i++) {
                long us = 1_000_000 + i * 500_000L + (i < 4 ? 0 : 3_000_000);
                log1.sample(GLOBAL, us, i < 7 ? 10 : 11, 20, 5, 1, 1);
            }
        });

        Document gpx = export("gpx", log);

        assertThat(segments(gpx)).containsExactly(4, 3, 3);
        assertThat(shell.out()).contains("in 3 segments").contains("no UTC: the track has no times");
        assertThat(elements(gpx, "time")).isEmpty();
        Document kml = export("kml", log);
        assertThat(elements(kml, "LineString")).hasSize(3);
        assertThat(elements(kml, "TimeSpan")).isEmpty();
    }

    @Test
    void lateAndRepeatedPositionsAreLeftOutAndARestartBeginsAnew() throws IOException {
        Path log = log(log1 -> {
            for (long us :
                    new long[] {10_000_000, 10_500_000, 10_500_000, 10_200_000, 11_000_000, 500_000, 1_000_000}) {
                log1.sample(GLOBAL, us, 10, 20, 5, 1, 1);
            }
        });

        Document gpx = export("gpx", log);

        assertThat(segments(gpx)).containsExactly(3, 2);
    }

    @Test
    void positionsThatAreNoneAreLeftOut() throws IOException {
        Path log = log(log1 -> {
            log1.sample(GLOBAL, 1_000_000, 0, 0, 5, 1, 1);
            log1.sample(GLOBAL, 1_100_000, 10, 20, 5, 0, 1);
            log1.sample(GLOBAL, 1_200_000, Double.NaN, 20, 5, 1, 1);
            log1.sample(GLOBAL, 1_300_000, 10, 20, Double.NaN, 1, 1);
            log1.sample(GLOBAL, 1_400_000, 10, 200, 5, 1, 1);
        });

        assertThat(points(export("gpx", log))).containsExactly(List.of("10", "20", "", ""));
        Document kml = export("kml", log);
        assertThat(elements(kml, "LineString")).hasSize(1);
        assertThat(text(elements(kml, "LineString").get(0), "altitudeMode")).isEqualTo("clampToGround");
    }

    @Test
    void aLogWithoutPositionIsAClearError() throws IOException {
        Path log = log(log1 -> {
            log1.sample("sensor_gps", 1_000_000, 47, 8, 5, 0, 1);
            log1.sample("vehicle_local_position", 1_000_000, 1, 2, 3, 0, 0, 47, 8, 5, 1, 1, 1, 0, 0);
        });

        for (String format : List.of("gpx", "kml")) {
            Path out = directory.resolve("none." + format);
            assertThat(shell.run("export", format, log, "-o", out)).isEqualTo(1);
            assertThat(shell.err())
                    .isEqualTo("mavlogd export " + format + ": " + log + ": it holds no valid position of the vehicle"
                            + System.lineSeparator());
            assertThat(out).doesNotExist();
        }
        assertThat(filesInDirectory()).containsExactly("flight.ulg");
    }

    private List<String> filesInDirectory() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> String.valueOf(file.getFileName())).toList();
        }
    }

    @Test
    void existingFilesAreKeptAndTheLogIsNeverReplaced() throws IOException {
        Path log = log(log1 -> log1.sample(GLOBAL, 1_000_000, 47.5, -8.25, 500.5, 1, 1));
        Path out = Files.writeString(directory.resolve("out.gpx"), "precious");

        assertThat(shell.run("export", "gpx", log, "-o", out)).isEqualTo(1);
        assertThat(shell.err()).contains("exists already").hasLineCount(1);
        assertThat(out).hasContent("precious");
        assertThat(shell.run("export", "kml", log, "-o", log, "--force")).isEqualTo(2);
        assertThat(shell.run("export", "gpx", log)).isEqualTo(2);
        assertThat(shell.run("export", "gpx", log, "-o", out, "--force")).isZero();
        valid("gpx", out);
    }

    @Test
    void modesAndMessagesAreWaypointsAtTheirPlaces() throws IOException {
        Path log = log(log1 -> {
            bootTime(log1, NEW_YEAR_US);
            log1.log().info("recorder_tags", "3=camera");
            log1.log().loggedString(LogLevel.INFO, 500_000, "before the first position");
            log1.sample("vehicle_status", 900_000, 4, 1, 2);
            for (int i = 0; i < 10; i++) {
                log1.sample(GLOBAL, 1_000_000 + i * 1_000_000L, 10 + i / 1e4, 20, 100 + i, 1, 1);
                if (i == 4) {
                    log1.sample("vehicle_status", 5_500_000, 3, 2, 2);
                    log1.log().taggedString(LogLevel.WARNING, 3, 5_600_000, "no trigger");
                }
            }
            log1.log().loggedString(LogLevel.ERROR, 99_000_000, "after the last");
        });

        List<String> waypoints = elements(export("gpx", log), "wpt").stream()
                .map(wpt -> text(wpt, "type") + "|" + text(wpt, "name") + "|" + text(wpt, "desc") + "|"
                        + String.join(" ", point(wpt)))
                .toList();
        assertThat(waypoints)
                .containsExactly(
                        "message|before the first position|info: before the first position|10 20 100 2026-01-01T00:00:00.500Z",
                        "mode|Hold||10 20 100 2026-01-01T00:00:00.900Z",
                        "mode|Mission||10.0004 20 104 2026-01-01T00:00:05.500Z",
                        "message|[camera] no trigger|warning: [camera] no trigger|10.0004 20 104 2026-01-01T00:00:05.600Z",
                        "message|after the last|error: after the last|10.0009 20 109 2026-01-01T00:01:39Z");

        Document kml = export("kml", log);
        assertThat(elements(kml, "Folder").stream().map(folder -> text(folder, "name")))
                .containsExactly("Modes", "Messages", "Track");
        assertThat(elements(kml, "Point")).hasSize(5);
        List<Element> lines = elements(elements(kml, "Folder").get(2), "Placemark");
        assertThat(lines.stream().map(line -> text(line, "name"))).containsExactly("Hold", "Mission");
        assertThat(lines.stream().map(line -> text(line, "begin") + " " + text(line, "end")))
                .containsExactly(
                        "2026-01-01T00:00:01Z 2026-01-01T00:00:06Z", "2026-01-01T00:00:06Z 2026-01-01T00:00:10Z");
        assertThat(text(lines.get(0), "altitudeMode")).isEqualTo("absolute");
        assertThat(coordinates(lines.get(0))).hasSize(6).startsWith("20,10,100").endsWith("20,10.0005,105");
        assertThat(coordinates(lines.get(1))).hasSize(5).startsWith("20,10.0005,105");
        assertThat(text(lines.get(0), "styleUrl")).isNotEqualTo(text(lines.get(1), "styleUrl"));
    }

    private static List<String> coordinates(Element placemark) {
        return Arrays.asList(text(placemark, "coordinates").strip().split("\\s+", -1));
    }

    @Test
    void textFromTheLogCannotBreakTheFile() throws IOException {
        String hostile =
                "</name><script>&amp;\"'\u0000\u0001\u001b[31m\ud800 \udc00\uffff\ufffe]]>\u202e\u0085 \ud83d\ude00";
        Path log = log(log1 -> {
            log1.log().info("recorder_tags", "3=<b>");
            log1.log().loggedString(LogLevel.INFO, 500_000, hostile.replace("\ud800 \udc00", ""));
            log1.log().taggedString(LogLevel.INFO, 3, 600_000, "x".repeat(5000));
            log1.sample(GLOBAL, 1_000_000, 47.5, -8.25, 500.5, 1, 1);
        });
        Path named = Files.move(log, directory.resolve("a&b<c>\u0007.ulg"));

        Document gpx = export("gpx", named);
        Document kml = export("kml", named);

        assertThat(text(elements(gpx, "wpt").get(0), "name"))
                .startsWith("</name><script>&amp;\"'")
                .contains("[31m")
                .endsWith("\ud83d\ude00");
        assertThat(text(elements(gpx, "wpt").get(1), "desc")).hasSizeLessThan(600);
        assertThat(text(elements(kml, "Folder").get(1), "name")).isEqualTo("Messages");
        assertThat(text(elements(gpx, "metadata").get(0), "name")).startsWith("a&b<c>");
    }

    @Test
    void theBestSourceThatHasPositionsIsTaken() throws IOException {
        Path log = log(log1 -> {
            for (int i = 0; i < 10; i++) {
                long us = 1_000_000 + i * 200_000L;
                log1.sample(
                        "vehicle_gps_position", us, 470_000_000, 80_000_000, 1000, 0, (double) (NEW_YEAR_US + us), 3);
                log1.sample("vehicle_local_position", us, 0, 0, 0, 0, 0, 48, 8, 0, 1, 1, 1, 1, 1);
            }
        });

        List<List<String>> points = points(export("gpx", log));

        assertThat(points).hasSize(10);
        assertThat(points.get(0)).isEqualTo(List.of("47", "8", "1", "2026-01-01T00:00:01Z"));
        assertThat(shell.out()).contains("of vehicle_gps_position:0");
    }

    /** Compares with the projection's definition: distance and bearing from the reference, on a sphere. */
    @Test
    void theLocalPositionIsPlacedAroundItsReference() throws IOException {
        Random random = new Random(3);
        for (int n = 0; n < 20; n++) {
            double[] at = {random.nextDouble() * 160 - 80, random.nextDouble() * 358 - 179};
            double[] offset = {random.nextDouble() * 2000 - 1000, random.nextDouble() * 2000 - 1000};
            Path log = log(log1 -> log1.sample(
                    "vehicle_local_position",
                    1_000_000,
                    offset[0],
                    offset[1],
                    -7,
                    0,
                    0,
                    at[0],
                    at[1],
                    400,
                    1,
                    1,
                    1,
                    1,
                    1));

            List<String> point = points(export("gpx", log)).get(0);

            double[] found = polar(at, Double.parseDouble(point.get(0)), Double.parseDouble(point.get(1)));
            assertThat(found[0]).isCloseTo(Math.hypot(offset[0], offset[1]), within(0.01));
            assertThat(found[1]).isCloseTo(Math.atan2(offset[1], offset[0]), within(1e-4));
            assertThat(Double.parseDouble(point.get(2))).isCloseTo(407, within(1e-3));
        }
    }

    private static double[] polar(double[] from, double latitude, double longitude) {
        double a = Math.toRadians(from[0]);
        double b = Math.toRadians(latitude);
        double turn = Math.toRadians(longitude - from[1]);
        double angle = 2
                * Math.asin(Math.sqrt(Math.pow(Math.sin((b - a) / 2), 2)
                        + Math.cos(a) * Math.cos(b) * Math.pow(Math.sin(turn / 2), 2)));
        double bearing = Math.atan2(
                Math.sin(turn) * Math.cos(b), Math.cos(a) * Math.sin(b) - Math.sin(a) * Math.cos(b) * Math.cos(turn));
        return new double[] {angle * 6_371_000, bearing};
    }

    @Test
    void logsOfArduPilotHaveTracks() throws IOException {
        DataFlashBuilder log = DataFlashBuilder.aLog()
                .fmt(1, "POS", "QLLfff", "TimeUS,Lat,Lng,Alt,RelHomeAlt,RelOriginAlt")
                .fmt(2, "MODE", "QMBB", "TimeUS,Mode,ModeNum,Rsn")
                .fmt(3, "MSG", "QZ", "TimeUS,Message")
                .record("MSG", 500_000L, "ArduRover V4.5.1 (abcdef01)")
                .record("MODE", 900_000L, 10, 10, 2);
        for (int i = 0; i < 10; i++) {
            log.record("POS", 1_000_000L + i * 100_000L, -353_632_621L + i, 1_491_652_374L, 584.25, 0, 0);
        }
        Path file = Files.write(directory.resolve("a.bin"), log.toByteArray());

        Document gpx = export("gpx", file);

        assertThat(points(gpx)).hasSize(10).startsWith(List.of("-35.3632621", "149.1652374", "584.25", ""));
        assertThat(elements(gpx, "wpt").stream().map(wpt -> text(wpt, "name")))
                .containsExactly("ArduRover V4.5.1 (abcdef01)", "Auto");
        assertThat(elements(export("kml", file), "LineString")).hasSize(1);
    }

    @Test
    void aLongTrackInManyPiecesIsWhole() throws IOException {
        int count = 25_000;
        Path log = log(log1 -> {
            for (int i = 0; i < count; i++) {
                log1.sample(GLOBAL, 1_000_000 + i * 20_000L, 10 + i / 1e7, 20, 5, 1, 1);
            }
        });

        assertThat(points(export("gpx", log))).hasSize(count);

        List<String> all = new ArrayList<>();
        for (Element line : elements(export("kml", log), "LineString")) {
            List<String> piece = coordinates(line);
            if (!all.isEmpty()) {
                assertThat(piece.get(0)).isEqualTo(all.get(all.size() - 1));
                piece = piece.subList(1, piece.size());
            }
            all.addAll(piece);
        }
        assertThat(all).hasSize(count);
    }

    @ParameterizedTest
    @ValueSource(strings = {"px4rs_esc_status_log", "px4rs_6ba1abc7", "mcap_ulog2mcap_test", "pyulog_sample_log_small"})
    void realLogsHaveTheTracksThatTheirTablesHave(String name) throws IOException {
        Path log = Logs.real(name, directory);
        String topic = name.equals("pyulog_sample_log_small") ? "vehicle_gps_position" : GLOBAL;
        Path tables = directory.resolve("tables");
        assertThat(shell.run("export", "csv", log, "-o", tables, "--topic", topic))
                .isZero();
        List<String> rows = Files.readAllLines(tables.resolve(topic + "_0.csv"));
        List<String> names = Arrays.asList(rows.get(0).split(",", -1));
        double parts = topic.equals(GLOBAL) ? 1 : 1e7;

        List<List<String>> points = points(export("gpx", log));

        assertThat(points).hasSize(rows.size() - 1);
        for (int i = 0; i < points.size(); i++) {
            String[] row = rows.get(i + 1).split(",", -1);
            assertThat(Double.parseDouble(points.get(i).get(0)))
                    .isCloseTo(Double.parseDouble(row[names.indexOf("lat")]) / parts, within(1e-8));
            assertThat(Double.parseDouble(points.get(i).get(1)))
                    .isCloseTo(Double.parseDouble(row[names.indexOf("lon")]) / parts, within(1e-8));
        }
        export("kml", log);
    }

    @Test
    void everyDamagedLogGivesATrackOrAnError() throws IOException {
        for (Map.Entry<String, byte[]> corner : Logs.corners().entrySet()) {
            Path log = Files.write(directory.resolve("corner.ulg"), corner.getValue());
            assertThat(shell.run("export", "gpx", log, "-o", directory.resolve("corner.gpx")))
                    .as(corner.getKey())
                    .isEqualTo(1);
            assertThat(shell.err()).as(corner.getKey()).hasLineCount(1);
        }
    }

    @Test
    void damageIsReportedAndTheRestIsATrack() throws IOException {
        byte[] bytes = Logs.real("px4rs_esc_status_log");
        Arrays.fill(bytes, bytes.length / 2, bytes.length / 2 + 300, (byte) 0xEE);
        Path log = Files.write(directory.resolve("damaged.ulg"), bytes);

        assertThat(shell.run("export", "gpx", log, "-o", directory.resolve("d.gpx")))
                .isEqualTo(3);
        assertThat(shell.err()).contains("damaged in 1 place").hasLineCount(1);
        assertThat(elements(valid("gpx", directory.resolve("d.gpx")), "trkpt")).hasSizeGreaterThan(50);
    }
}
