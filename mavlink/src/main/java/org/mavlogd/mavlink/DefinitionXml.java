package org.mavlogd.mavlink;

import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.mavlogd.ulog.FieldType;

/**
 * Parses one file of message definitions: its includes and messages, in order. Reads only elements that define the
 * layout of a message in a frame. Document types, and with them external entities, are refused.
 */
final class DefinitionXml {
    static final int MAX_FIELDS = 64; // MAVLink guide, "Payload size": no message has more
    private static final int MAX_QUOTED_LENGTH = 60;
    private static final int MAX_TEXT = 1000;

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,99}");
    private static final String NAME_RULE = "1 to 100 letters, digits and \"_\", a letter first";
    private static final Pattern TYPE = Pattern.compile("([a-z0-9_]{1,40})(?:\\[([0-9]{1,3})])?");
    private static final String TYPE_RULE = "int8_t to int64_t, uint8_t to uint64_t, float, double or char, with"
            + " [1] to [255] behind it for an array";
    private static final Pattern UNIT = Pattern.compile("[!-~&&[^,=]]{0,32}");
    // In every HEARTBEAT; an uint8_t in frames.
    private static final String VERSION_TYPE = "uint8_t_mavlink_version";

    private final Path file;
    private final String text;
    private final List<Include> includes = new ArrayList<>();
    private final List<Message> messages = new ArrayList<>();

    record Include(String name, DefinitionFiles.Place place) {}

    record Message(MessageLayout layout, DefinitionFiles.Place place) {}

    DefinitionXml(Path file, String text) {
        this.file = file;
        this.text = text;
    }

    List<Include> includes() {
        return includes;
    }

    List<Message> messages() {
        return messages;
    }

    void read() throws DefinitionException {
        XMLStreamReader xml = null;
        try {
            xml = factory().createXMLStreamReader(new StringReader(text));
            readDocument(xml);
        } catch (XMLStreamException e) {
            int line = e.getLocation() != null ? e.getLocation().getLineNumber() : 1;
            throw new DefinitionException(
                    file + ":" + line + ": is not well-formed XML: " + reason(e), "MAVLink message definitions", e);
        } finally {
            close(xml);
        }
    }

    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        return factory;
    }

    private static void close(@org.jspecify.annotations.Nullable XMLStreamReader xml) throws DefinitionException {
        try {
            if (xml != null) {
                xml.close();
            }
        } catch (XMLStreamException e) {
            throw new DefinitionException("reading XML cannot be ended: " + reason(e), "well-formed XML", e);
        }
    }

    /** The parser's message without its form of the position. */
    private static String reason(XMLStreamException e) {
        String message = String.valueOf(e.getMessage());
        int at = message.indexOf("Message: ");
        String words = at < 0 ? message : message.substring(at + "Message: ".length());
        return words.replaceAll("[^ -~]", " ");
    }

    private void readDocument(XMLStreamReader xml) throws XMLStreamException, DefinitionException {
        boolean isRoot = true;
        while (xml.hasNext()) {
            int event = xml.next();
            if (event == XMLStreamConstants.DTD) {
                throw place(xml).problem("a document type", "none");
            }
            if (event != XMLStreamConstants.START_ELEMENT) {
                continue;
            }
            if (isRoot && !xml.getLocalName().equals("mavlink")) {
                throw place(xml).problem("element <" + xml.getLocalName() + ">", "<mavlink> as the outermost");
            }
            isRoot = false;
            switch (xml.getLocalName()) {
                case "include" -> {
                    DefinitionFiles.Place place = place(xml);
                    includes.add(new Include(text(xml, place), place));
                    if (includes.size() > DefinitionFiles.MAX_FILES) {
                        throw place.problem("one include too many", DefinitionFiles.MAX_FILES + " files");
                    }
                }
                case "message" -> readMessage(xml);
                default -> {}
            }
        }
    }

    private static String text(XMLStreamReader xml, DefinitionFiles.Place place)
            throws XMLStreamException, DefinitionException {
        String text = xml.getElementText().strip();
        if (text.length() > MAX_TEXT) {
            throw place.problem("a text of " + text.length() + " characters", "up to " + MAX_TEXT);
        }
        return text;
    }

    private void readMessage(XMLStreamReader xml) throws XMLStreamException, DefinitionException {
        DefinitionFiles.Place place = place(xml);
        int id = id(attribute(xml, "id"), place);
        String name = attribute(xml, "name");
        if (!NAME.matcher(name).matches()) {
            throw place.problem("message " + id + ": name " + quoted(name), NAME_RULE);
        }
        List<MessageLayout.Field> fields = new ArrayList<>();
        Set<String> names = new HashSet<>();
        boolean isExtension = false;
        int depth = 1;
        while (depth > 0) {
            int event = xml.next();
            if (event == XMLStreamConstants.END_ELEMENT) {
                depth--;
            } else if (event == XMLStreamConstants.START_ELEMENT) {
                depth++;
                isExtension |= xml.getLocalName().equals("extensions");
                if (xml.getLocalName().equals("field")) {
                    add(xml, name, isExtension, fields, names);
                }
            }
        }
        MessageLayout layout = MessageLayout.of(id, name, fields);
        checkLength(layout, place);
        messages.add(new Message(layout, place));
        if (messages.size() > DefinitionFiles.MAX_MESSAGES) {
            throw place.problem("one message too many", DefinitionFiles.MAX_MESSAGES + " in all files");
        }
    }

    private static void checkLength(MessageLayout layout, DefinitionFiles.Place place) throws DefinitionException {
        if (layout.coreLength() == 0) {
            throw place.problem("message " + layout.name() + " has no field", "1 to " + MAX_FIELDS + " fields");
        }
        if (layout.fullLength() > MessageLayout.MAX_PAYLOAD_LENGTH) {
            throw place.problem(
                    "message " + layout.name() + " has " + layout.fullLength() + " bytes",
                    "up to " + MessageLayout.MAX_PAYLOAD_LENGTH);
        }
    }

    private void add(
            XMLStreamReader xml,
            String message,
            boolean isExtension,
            List<MessageLayout.Field> fields,
            Set<String> names)
            throws DefinitionException {
        MessageLayout.Field field = field(xml, message, isExtension);
        if (!names.add(field.name())) {
            throw place(xml).problem("field " + field.name() + " of " + message + " is listed twice", "each name once");
        }
        fields.add(field);
        if (fields.size() > MAX_FIELDS) {
            throw place(xml).problem("message " + message + " has too many fields", "up to " + MAX_FIELDS);
        }
    }

    private MessageLayout.Field field(XMLStreamReader xml, String message, boolean isExtension)
            throws DefinitionException {
        DefinitionFiles.Place place = place(xml);
        String name = attribute(xml, "name");
        if (!NAME.matcher(name).matches()) {
            throw place.problem("field name " + quoted(name) + " in " + message, NAME_RULE);
        }
        String unit = attribute(xml, "units");
        if (!UNIT.matcher(unit).matches()) {
            throw place.problem(
                    "field " + name + " of " + message + ": units " + quoted(unit),
                    "up to 32 printable characters without spaces, \",\" and \"=\"");
        }
        String text = attribute(xml, "type");
        Matcher matcher = TYPE.matcher(text.equals(VERSION_TYPE) ? FieldType.UINT8.text() : text);
        FieldType type = matcher.matches() ? FieldType.of(matcher.group(1)).orElse(FieldType.BOOL) : FieldType.BOOL;
        int length = type == FieldType.BOOL || matcher.group(2) == null
                ? MessageLayout.Field.SCALAR
                : Integer.parseInt(matcher.group(2));
        // MAVLink has no bool.
        if (type == FieldType.BOOL || length > 255 || (matcher.group(2) != null && length == 0)) {
            throw place.problem("field " + name + " of " + message + ": type " + quoted(text), TYPE_RULE);
        }
        return new MessageLayout.Field(
                type, length, name, isExtension, attribute(xml, "instance").equals("true"), unit);
    }

    private static int id(String text, DefinitionFiles.Place place) throws DefinitionException {
        int id = text.matches("[0-9]{1,8}") ? Integer.parseInt(text) : -1;
        if (id < 0 || id > MessageLayout.MAX_ID) {
            throw place.problem("message id " + quoted(text), "0 to " + MessageLayout.MAX_ID);
        }
        return id;
    }

    private static String attribute(XMLStreamReader xml, String name) {
        String value = xml.getAttributeValue(null, name);
        return value == null ? "" : value;
    }

    private DefinitionFiles.Place place(XMLStreamReader xml) {
        return new DefinitionFiles.Place(file, xml.getLocation().getLineNumber());
    }

    /**
     * External text in a one-line message: in quotes, shortened, with '?' in place of control characters and non-ASCII
     * ones.
     */
    static String quoted(String text) {
        String cut = text.length() <= MAX_QUOTED_LENGTH ? text : text.substring(0, MAX_QUOTED_LENGTH) + "...";
        return '"' + cut.replaceAll("[^ -~]", "?") + '"';
    }
}
