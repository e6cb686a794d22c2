package org.mavlogd.flight;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.mavlogd.flight.LogPositions.Fix;
import org.mavlogd.flight.TrackExport.Times;
import org.mavlogd.flight.TrackWaypoints.Kind;
import org.mavlogd.flight.TrackWaypoints.Waypoint;

/**
 * A track as KML 2.2. Uses lines and not Google's {@code gx:Track}, which is not part of KML 2.2 and which QGIS shows
 * without its line. The line is divided at gaps and changes of mode; each piece has its time span and the colour of its
 * mode. A piece also ends after {@value #MAX_POINTS} points, which are kept in memory, because the file has its end
 * before them.
 *
 * @see <a href="https://www.ogc.org/standards/kml/">OGC KML 2.2.0</a>
 */
final class KmlTrack implements TrackExport.TrackWriter {
    private static final int MAX_POINTS = 2000;
    private static final int DEGREE_DIGITS = 8;
    private static final int METRE_DIGITS = 3;

    /** Opaque colours (blue, green, red) of modes, in the order of their first use. */
    private static final String[] COLOURS = {
        "ff0000ff", "ffff9000", "ff00c000", "ffff00c0", "ff00a5ff", "ffc0c000", "ff8000ff", "ff606060"
    };

    private final XmlText out;
    private final Map<String, Integer> colours = new LinkedHashMap<>();
    private final Piece piece = new Piece();

    KmlTrack(XmlText out) {
        this.out = out;
    }

    @Override
    public void begin(String creator, String name) throws IOException {
        out.xml("<?xml version=\"1.0\" encoding=\"UTF-8\"?>").end();
        out.xml("<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document>")
                .element("name", name)
                .element("description", creator)
                .end();
        for (int i = 0; i < COLOURS.length; i++) {
            out.xml("<Style id=\"line").xml(Integer.toString(i)).xml("\"><LineStyle>");
            out.element("color", COLOURS[i]).element("width", "3").xml("</LineStyle></Style>");
            out.end();
        }
        point(Kind.MODE, "1", "0.9");
        point(Kind.MESSAGE, "0.5", "0.6");
    }

    private void point(Kind kind, String iconScale, String labelScale) throws IOException {
        out.xml("<Style id=\"").xml(kind.text()).xml("\"><IconStyle>").element("scale", iconScale);
        out.xml("</IconStyle><LabelStyle>")
                .element("scale", labelScale)
                .xml("</LabelStyle></Style>")
                .end();
    }

    @Override
    public void waypoints(List<Waypoint> waypoints, Times times) throws IOException {
        for (Kind kind : Kind.values()) {
            out.xml("<Folder>")
                    .element("name", kind == Kind.MODE ? "Modes" : "Messages")
                    .end();
            for (Waypoint waypoint : waypoints) {
                if (waypoint.kind() == kind) {
                    waypoint(waypoint, times.text(waypoint.timestampUs()));
                }
            }
            out.xml("</Folder>").end();
        }
    }

    private void waypoint(Waypoint waypoint, String time) throws IOException {
        out.xml("<Placemark>").element("name", waypoint.name());
        if (!waypoint.detail().isEmpty()) {
            out.element("description", waypoint.detail() + ": " + waypoint.text());
        }
        if (!time.isEmpty()) {
            out.xml("<TimeStamp>").element("when", time).xml("</TimeStamp>");
        }
        out.element("styleUrl", "#" + waypoint.kind().text()).xml("<Point>");
        altitudeMode(waypoint.place().hasAltitude());
        out.xml("<coordinates>");
        coordinates(waypoint.place());
        out.xml("</coordinates></Point></Placemark>").end();
    }

    /** Uses altitudes above sea level, or the ground if none is known. */
    private void altitudeMode(boolean hasAltitude) {
        out.element("altitudeMode", hasAltitude ? "absolute" : "clampToGround");
    }

    private void coordinates(Fix fix) {
        out.number(fix.longitude(), DEGREE_DIGITS).xml(",").number(fix.latitude(), DEGREE_DIGITS);
        if (fix.hasAltitude()) {
            out.xml(",").number(fix.altitudeM(), METRE_DIGITS);
        }
    }

    @Override
    public void beginTrack(String source) throws IOException {
        out.xml("<Folder>")
                .element("name", "Track")
                .element("description", source)
                .end();
    }

    @Override
    public void point(Fix fix, String time, String mode, boolean isFirst) throws IOException {
        boolean isJoined = !isFirst && piece.hasAltitude() == fix.hasAltitude();
        if (isJoined && piece.size < MAX_POINTS && piece.mode.equals(mode)) {
            piece.add(fix, time);
            return;
        }
        if (isJoined) {
            // The next piece starts where this one ends, so that the line has no gap.
            piece.add(fix, time);
        }
        write();
        piece.begin(mode);
        piece.add(fix, time);
    }

    private void write() throws IOException {
        if (piece.size == 0) {
            return;
        }
        out.xml("<Placemark>").element("name", piece.mode.isEmpty() ? "Track" : piece.mode);
        if (!piece.from.isEmpty() && !piece.to.isEmpty()) {
            out.xml("<TimeSpan>").element("begin", piece.from).element("end", piece.to);
            out.xml("</TimeSpan>");
        }
        int colour = colours.computeIfAbsent(piece.mode, mode -> colours.size()) % COLOURS.length;
        out.element("styleUrl", "#line" + colour).xml("<LineString>");
        altitudeMode(piece.hasAltitude());
        out.xml("<coordinates>").end();
        // A line has at least two points.
        for (int i = 0; i < Math.max(2, piece.size); i++) {
            coordinates(piece.fixes[Math.min(i, piece.size - 1)]);
            out.end();
        }
        out.xml("</coordinates></LineString></Placemark>").end();
    }

    @Override
    public void end() throws IOException {
        write();
        out.xml("</Folder>").end();
        out.xml("</Document></kml>").end();
    }

    /** A part of the line that is not written yet. */
    private static final class Piece {
        private final Fix[] fixes = new Fix[MAX_POINTS + 1];
        private int size;
        private String mode = "";
        private String from = "";
        private String to = "";

        Piece() {
            for (int i = 0; i < fixes.length; i++) {
                fixes[i] = new Fix();
            }
        }

        void begin(String of) {
            size = 0;
            mode = of;
        }

        void add(Fix fix, String time) {
            from = size == 0 ? time : from;
            to = time;
            fixes[size++].copy(fix);
        }

        boolean hasAltitude() {
            return size > 0 && fixes[0].hasAltitude();
        }
    }
}
