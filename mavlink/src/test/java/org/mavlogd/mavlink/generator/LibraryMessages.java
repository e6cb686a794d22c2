package org.mavlogd.mavlink.generator;

import java.util.List;
import org.mavlogd.mavlink.MessageLayout;
import org.mavlogd.ulog.FieldType;

/** The messages of dronefleet's library as this module's types. */
public final class LibraryMessages {
    private LibraryMessages() {}

    /** The library's class for each message. */
    public static List<Class<?>> types() {
        return DronefleetDefinitions.types();
    }

    /** The layouts that the library's annotations define, without the supplement. */
    public static List<MessageLayout> layouts() {
        return DronefleetDefinitions.messages().stream()
                .map(LibraryMessages::layout)
                .toList();
    }

    private static MessageLayout layout(Message message) {
        List<MessageLayout.Field> fields =
                message.fields().stream().map(LibraryMessages::field).toList();
        return new MessageLayout(message.id(), message.name(), message.crcExtra(), fields);
    }

    private static MessageLayout.Field field(Field field) {
        return new MessageLayout.Field(
                FieldType.of(field.type()).orElseThrow(),
                field.arrayLength(),
                field.name(),
                field.isExtension(),
                field.isInstance(),
                field.unit());
    }
}
