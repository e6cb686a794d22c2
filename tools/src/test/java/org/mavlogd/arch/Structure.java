package org.mavlogd.arch;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Measures the structure of the program's code: sizes from the sources, dependencies from the class files. */
final class Structure {
    /** Sizes of one named type, nested or not. */
    record Type(String name, String packageName, boolean isRecord, int lines, int mostParameters, boolean isTopLevel) {}

    /** Classes that depend on each other in a cycle. */
    record ClassCycle(Set<String> classes) {
        Set<String> packages() {
            return classes.stream().map(Structure::packageOf).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** @param name name with the type's name */
    record Method(String name, int lines) {}

    // Goals of docs/design.md.
    static final int CLASSES_IN_PACKAGE = 40;
    static final int PARAMETERS = 6;
    static final int CLASSES_IN_CYCLE = 5;

    private static final Set<String> LEFT_OUT = Set.of("benchmarks");

    private final List<Type> types = new ArrayList<>();
    private final List<Method> methods = new ArrayList<>();
    private final Map<String, Set<String>> uses = new TreeMap<>();

    /** @param classes the compiled program without tests */
    static Structure of(Path project, JavaClasses classes) throws IOException {
        Structure structure = of(classes);
        structure.measureSources(sources(project));
        return structure;
    }

    /** Measures only the dependencies. */
    static Structure of(JavaClasses classes) {
        Structure structure = new Structure();
        structure.measureUses(classes);
        return structure;
    }

    List<Type> types() {
        return types;
    }

    /** All methods, longest first. */
    List<Method> longestMethods() {
        return methods.stream()
                .sorted(Comparator.comparingInt(method -> -method.lines()))
                .toList();
    }

    /** Number of files by package, without {@code package-info}; nested types count with their outer type. */
    private Map<String, Long> classesByPackage() {
        return types.stream()
                .filter(Type::isTopLevel)
                .collect(Collectors.groupingBy(Type::packageName, TreeMap::new, Collectors.counting()));
    }

    /** Packages with more classes than the goal, and how many they have. */
    Map<String, Long> fullPackages() {
        Map<String, Long> full = classesByPackage();
        full.values().removeIf(classes -> classes <= CLASSES_IN_PACKAGE);
        return full;
    }

    /** Types with more constructor parameters than the goal; records may have them. */
    List<Type> typesWithManyParameters() {
        return types.stream()
                .filter(type -> !type.isRecord() && type.mostParameters() > PARAMETERS)
                .toList();
    }

    /**
     * The length that {@code percent} per cent of all methods do not exceed, in lines from the first of the head to the
     * last.
     */
    int methodLines(int percent) {
        List<Integer> sorted = methods.stream().map(Method::lines).sorted().toList();
        return sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100));
    }

    /** Strongly connected classes, largest component first; nested classes count with their outer class. */
    List<ClassCycle> classCycles() {
        Map<String, Set<String>> reach = new LinkedHashMap<>();
        uses.keySet().forEach(name -> reach.put(name, reachable(name)));
        Set<String> seen = new TreeSet<>();
        List<ClassCycle> cycles = new ArrayList<>();
        for (String name : uses.keySet()) {
            if (!reach.getOrDefault(name, Set.of()).contains(name) || !seen.add(name)) {
                continue;
            }
            Set<String> cycle = reach.getOrDefault(name, Set.of()).stream()
                    .filter(other -> reach.getOrDefault(other, Set.of()).contains(name))
                    .collect(Collectors.toCollection(TreeSet::new));
            seen.addAll(cycle);
            cycles.add(new ClassCycle(cycle));
        }
        cycles.sort(
                Comparator.comparingInt((ClassCycle cycle) -> -cycle.classes().size()));
        return cycles;
    }

    private Set<String> reachable(String from) {
        Set<String> found = new TreeSet<>();
        List<String> open = new ArrayList<>(uses.getOrDefault(from, Set.of()));
        while (!open.isEmpty()) {
            String next = open.remove(open.size() - 1);
            if (found.add(next)) {
                open.addAll(uses.getOrDefault(next, Set.of()));
            }
        }
        return found;
    }

    private void measureUses(JavaClasses classes) {
        for (JavaClass type : classes) {
            String name = outermost(type.getName());
            Set<String> targets = uses.computeIfAbsent(name, any -> new TreeSet<>());
            type.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> outermost(
                            dependency.getTargetClass().getBaseComponentType().getName()))
                    .filter(target -> target.startsWith("org.mavlogd.") && !target.equals(name))
                    .forEach(targets::add);
        }
    }

    private static List<Path> sources(Path project) throws IOException {
        try (Stream<Path> modules = Files.list(project)) {
            return modules.filter(module -> !LEFT_OUT.contains(String.valueOf(module.getFileName())))
                    .map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .flatMap(Structure::javaFiles)
                    .toList();
        }
    }

    private static Stream<Path> javaFiles(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void measureSources(List<Path> files) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (var manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                new Sizes(unit, positions).scan(unit, null);
            }
        }
    }

    static String packageOf(String className) {
        return className.substring(0, className.lastIndexOf('.'));
    }

    private static String outermost(String className) {
        int nested = className.indexOf('$');
        return nested < 0 ? className : className.substring(0, nested);
    }

    /** Measures the sizes in one file. */
    private final class Sizes extends TreeScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final String packageName;
        private int depth;
        private String typeName = "";

        Sizes(CompilationUnitTree unit, SourcePositions positions) {
            this.unit = unit;
            this.positions = positions;
            this.packageName =
                    unit.getPackageName() == null ? "" : unit.getPackageName().toString();
        }

        @Override
        public Void visitClass(ClassTree type, Void nothing) {
            if (!type.getSimpleName().isEmpty()) {
                types.add(new Type(
                        packageName + "." + type.getSimpleName(),
                        packageName,
                        type.getKind() == Tree.Kind.RECORD,
                        depth == 0
                                ? (int) unit.getLineMap().getLineNumber(positions.getEndPosition(unit, type))
                                : lines(type),
                        mostParameters(type),
                        depth == 0));
            }
            String around = typeName;
            typeName = type.getSimpleName().isEmpty()
                    ? around
                    : type.getSimpleName().toString();
            depth++;
            super.visitClass(type, null);
            depth--;
            typeName = around;
            return null;
        }

        @Override
        public Void visitMethod(MethodTree method, Void nothing) {
            // Methods that the compiler adds, such as default constructors, have no position.
            if (positions.getEndPosition(unit, method) >= 0 && method.getBody() != null) {
                methods.add(new Method(typeName + "." + method.getName(), lines(method)));
            }
            return super.visitMethod(method, null);
        }

        private int mostParameters(ClassTree type) {
            return type.getMembers().stream()
                    .filter(member -> member instanceof MethodTree method
                            && method.getReturnType() == null
                            && positions.getEndPosition(unit, member) >= 0)
                    .mapToInt(member -> ((MethodTree) member).getParameters().size())
                    .max()
                    .orElse(0);
        }

        private int lines(Tree tree) {
            LineMap map = unit.getLineMap();
            long first = map.getLineNumber(positions.getStartPosition(unit, tree));
            return (int) (map.getLineNumber(positions.getEndPosition(unit, tree)) - first) + 1;
        }
    }
}
