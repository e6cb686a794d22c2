package org.mavlogd.flight;

import java.io.IOException;
import java.util.List;
import org.mavlogd.flight.LogPositions.Fix;
import org.mavlogd.flight.TrackExport.Times;
import org.mavlogd.flight.TrackWaypoints.Waypoint;

/**
 * A track as GPX 1.1.
 *
 * @see <a href="https://www.topografix.com/GPX/1/1/">GPX 1.1 Schema Documentation</a>
 */
final class GpxTrack implements TrackExport.TrackWriter {
    private static final int DEGREE_DIGITS = 8;
    private static final int METRE_DIGITS = 3;

    private final XmlText out;
    private boolean inSegment;

    GpxTrack(XmlText out) {
        this.out = out;
    }

    @Override
    public void begin(String creator, String name) throws IOException {
        out.xml("<?xml version=\"1.0\" encoding=\"UTF-8\"?>").end();
        out.xml("<gpx xmlns=\"http://www.topografix.com/GPX/1/1\" version=\"1.1\" creator=\"")
                .text(creator)
                .xml("\">")
                .end();
        out.xml("<metadata>").element("name", name).xml("</metadata>").end();
    }

    @Override
    public void waypoints(List<Waypoint> waypoints, Times times) throws IOException {
        for (Waypoint waypoint : waypoints) {
            place("wpt", waypoint.place(), times.text(waypoint.timestampUs()));
            out.element("name", waypoint.name());
            if (!waypoint.detail().isEmpty()) {
                out.element("desc", waypoint.detail() + ": " + waypoint.text());
            }
            out.element("type", waypoint.kind().text()).xml("</wpt>").end();
        }
    }

    /** The opening tag of a position, with its first elements. */
    private void place(String element, Fix fix, String time) {
        // 180 degrees east is not allowed; it is 180 degrees west.
        double longitude = Math.round(fix.longitude() * 1e8) >= 18_000_000_000L ? -180 : fix.longitude();
        out.xml("<").xml(element).xml(" lat=\"").number(fix.latitude(), DEGREE_DIGITS);
        out.xml("\" lon=\"").number(longitude, DEGREE_DIGITS).xml("\">");
        if (fix.hasAltitude()) {
            out.xml("<ele>").number(fix.altitudeM(), METRE_DIGITS).xml("</ele>");
        }
        if (!time.isEmpty()) {
            out.element("time", time);
        }
    }

    @Override
    public void beginTrack(String source) throws IOException {
        out.xml("<trk>").element("name", "Track").element("src", source).end();
    }

    @Override
    public void point(Fix fix, String time, String mode, boolean isFirst) throws IOException {
        if (isFirst) {
            endSegment();
            out.xml("<trkseg>").end();
            inSegment = true;
        }
        place("trkpt", fix, time);
        out.xml("</trkpt>").end();
    }

    private void endSegment() throws IOException {
        if (inSegment) {
            out.xml("</trkseg>").end();
        }
    }

    @Override
    public void end() throws IOException {
        endSegment();
        out.xml("</trk>").end();
        out.xml("</gpx>").end();
    }
}
