package org.mavlogd.documents;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mavlogd.tools.Main;
import picocli.CommandLine;

/** Finds the commands and options in a line of code that do not exist. */
final class CommandMentions {
    private static final Pattern CALL = Pattern.compile("(?:^|[\\s(\"'/$])mavlogd ([^|;&<>#`)]+)");
    private static final Pattern WORD = Pattern.compile("[a-z][a-z-]*");

    private final CommandLine top = Main.commandLine();

    List<String> unknown(String code) {
        List<String> unknown = new ArrayList<>();
        Matcher call = CALL.matcher(code);
        while (call.find()) {
            String[] words = String.valueOf(call.group(1))
                    .strip()
                    .replaceAll("[\\[\\],]", " ")
                    .split("\\s+");
            unknown.addAll(unknown(Arrays.asList(words)));
        }
        return unknown;
    }

    private List<String> unknown(List<String> words) {
        String first = words.get(0);
        if (!WORD.matcher(first).matches() && !first.startsWith("--")) {
            return List.of();
        }
        CommandLine command = top;
        int next = 0;
        Map<String, CommandLine> below = command.getSubcommands();
        while (next < words.size() && below.containsKey(words.get(next))) {
            command = Objects.requireNonNull(below.get(words.get(next)));
            below = command.getSubcommands();
            next++;
        }
        if (command == top && WORD.matcher(first).matches()) {
            return List.of("there is no command \"mavlogd " + first + "\"");
        }
        return unknownOptions(command, words.subList(next, words.size()));
    }

    private static List<String> unknownOptions(CommandLine command, List<String> words) {
        List<String> unknown = new ArrayList<>();
        for (String word : words) {
            String option = word.replaceFirst("=.*", "").replaceFirst("[.:]+$", "");
            boolean isOption = option.matches("--[a-z][a-z0-9-]*|-[a-zA-Z]");
            if (isOption && command.getCommandSpec().findOption(option) == null) {
                unknown.add("\"" + command.getCommandSpec().qualifiedName() + "\" has no option " + option);
            }
        }
        return unknown;
    }
}
