package org.mavlogd.mavlink.generator;

import java.io.IOException;
import java.io.Writer;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.TypeElement;

/**
 * An annotation processor for all annotations that adds the generated sources to a compilation: the compiler runs it,
 * so the build needs no further plugin. The same definitions generate the same bytes.
 */
@SupportedAnnotationTypes("*")
public final class TableProcessor extends AbstractProcessor {
    private static final String PACKAGE = "org.mavlogd.mavlink";
    static final String MARK = "@Generated(\"" + TableProcessor.class.getName() + "\")\n";
    static final String HEAD = "package " + PACKAGE + ";\n\nimport javax.annotation.processing.Generated;\n\n";

    private boolean isDone;

    @Override
    public SourceVersion getSupportedSourceVersion() {
        return SourceVersion.latest();
    }

    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
        if (!isDone) {
            isDone = true;
            sources().forEach(this::write);
        }
        return false;
    }

    private void write(String className, String source) {
        try (Writer writer = processingEnv
                .getFiler()
                .createSourceFile(PACKAGE + '.' + className)
                .openWriter()) {
            writer.write(source);
        } catch (IOException e) {
            throw new IllegalStateException("cannot write source of " + className, e);
        }
    }

    /** The generated sources by class name. */
    static Map<String, String> sources() {
        List<Message> all = Definitions.all();
        Map<String, String> sources = new LinkedHashMap<>();
        putRows("MessageRows", MESSAGES, all.stream().map(TableProcessor::row), sources);
        putRows("FieldRows", FIELDS, all.stream().map(TableProcessor::fieldsRow), sources);
        putRows(
                "TargetRows",
                TARGETS,
                all.stream()
                        .filter(message -> message.byteOffset(TARGET_SYSTEM) >= 0)
                        .map(TableProcessor::targetRow),
                sources);
        sources.put("MessageIds", ids(all));
        Stream.concat(Definitions.WITH_LAYOUT.stream(), Definitions.SIMULATED.stream())
                .map(name -> Definitions.named(all, name))
                .forEach(message -> sources.put(LayoutSource.className(message), LayoutSource.text(message)));
        return sources;
    }

    private static void putRows(String className, String what, Stream<String> rows, Map<String, String> sources) {
        sources.put(className, RowsSource.text(className, what, rows.toList()));
    }

    private static final String MESSAGES =
            "Known messages: id, CRC_EXTRA, payload length without and with extensions, name, dialect.";

    private static final String FIELDS = "Fields of known messages: id, CRC_EXTRA, fields in the order of the payload.";

    private static final String TARGETS =
            "Messages for one system: id, CRC_EXTRA, where the payload has the system and the component, -1 for nowhere.";

    private static final String TARGET_SYSTEM = "target_system";

    private static String row(Message message) {
        return message.id() + "\t" + message.crcExtra() + '\t' + message.coreLength() + '\t' + message.fullLength()
                + '\t' + message.name() + '\t' + message.origin();
    }

    private static String fieldsRow(Message message) {
        return message.id() + "\t" + message.crcExtra() + '\t' + message.fieldsText();
    }

    private static String targetRow(Message message) {
        return message.id() + "\t" + message.crcExtra() + '\t' + message.byteOffset(TARGET_SYSTEM) + '\t'
                + message.byteOffset("target_component");
    }

    private static String ids(List<Message> all) {
        StringBuilder text = new StringBuilder(HEAD)
                .append("/** Numbers of the messages this program handles by name. */\n")
                .append(MARK)
                .append("public final class MessageIds {\n");
        Stream.concat(Definitions.WITH_LAYOUT.stream(), Definitions.WITH_NUMBER.stream())
                .map(name -> Definitions.named(all, name))
                .sorted(Comparator.comparingInt(Message::id))
                .forEach(message -> text.append("    public static final int ")
                        .append(message.name())
                        .append(" = ")
                        .append(message.id())
                        .append(";\n"));
        return text.append("\n    private MessageIds() {}\n}\n").toString();
    }
}
