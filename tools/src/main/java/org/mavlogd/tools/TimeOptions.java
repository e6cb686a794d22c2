package org.mavlogd.tools;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mavlogd.logtools.TimeRange;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The options for a part of a log. */
final class TimeOptions {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec command;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            converter = Word.class,
            description = "Leave out everything before this time: " + TimeRange.FORMS + ".")
    private TimeRange.@Nullable Bound from;

    @Option(
            names = "--to",
            paramLabel = "TIME",
            converter = Word.class,
            description = "Leave out everything after this time.")
    private TimeRange.@Nullable Bound to;

    /** Parses a time on the command line. */
    static final class Word implements ITypeConverter<TimeRange.Bound> {
        @Override
        public TimeRange.Bound convert(String word) {
            try {
                return TimeRange.Bound.parse(word);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /** Whether neither option was given. */
    boolean areNone() {
        return from == null && to == null;
    }

    /** @throws ParameterException if the range is empty */
    TimeRange range() {
        TimeRange range = new TimeRange(Optional.ofNullable(from), Optional.ofNullable(to));
        if (range.isBackwards()) {
            throw new ParameterException(command.commandLine(), "--from is later than --to");
        }
        return range;
    }
}
