#!/bin/sh
# What is installed where: for scripts/install, which installs into a system, scripts/release, which makes packages, and the benchmarks.
# Sourced after lib.sh, not run. All of it must be built.
# shellcheck disable=SC2154 # "here" is set in lib.sh

# The program, to the directory $1: all but the page and the upload.
put_program() {
    install -d -m 0755 "$1" "$1/lib"
    cp -R "$here/daemon/target/native" "$1/native"
    cp -R "$here/tools/target/native/." "$1/native"
    chmod -R u=rwX,go=rX "$1/native"
    install -m 0644 -p "$(built_jar)" "$1/mavlogd.jar"
    install -m 0644 -p "$(built_jar tools mavlogd-tools)" "$1/mavlogd-tools.jar"
    # The recorder's jar names those that it needs; the other commands need more.
    install -m 0644 -p "$here"/tools/target/lib/*.jar "$1/lib"
    rm -f "$1/lib/$(basename "$(built_jar)")"
    install -m 0644 "$here/tools/target/mavlogd.cdx.json" "$here/config/jvm.options" "$here/config/jvm-small.options" \
        "$here/systemd/journal.conf" "$here/systemd/small.conf" "$1"
    install -m 0755 "$here/scripts/mavlogd" "$here/scripts/make-archive" "$here/scripts/apply-settings" \
        "$here/scripts/hand-over" "$1"
}

# The page, to the same directory: its jar, and the libraries that only it needs.
put_page() {
    put_beside "$1" page
}

# Uploads, the same way.
put_fleet() {
    put_beside "$1" fleet
}

# The lake, to a directory of its own in it: it has libraries in common with the uploads, of which two packages cannot each own the file. Of
# DuckDB's libraries only the one for the architecture $2, beside its jar: at each start Java would copy it out of that otherwise.
put_lake() {
    put_beside "$1/lake" lake
    for jar in "$1"/lake/lib/duckdb_jdbc-*.jar; do
        zip -q -d "$jar" 'libduckdb_java.so_*'
    done
    install -D -m 0644 -p -t "$1/lake/native" "$here/lake/target/native/libduckdb_java.so_linux_$2"
}

# The module $2, which the program in the directory $1 works without.
put_beside() {
    install -d -m 0755 "$1/lib"
    install -m 0644 -p "$(built_jar "$2" "mavlogd-$2")" "$1/mavlogd-$2.jar"
    for library in "$here/$2"/target/lib/*.jar; do
        name=${library##*/}
        if [ ! -e "$here/tools/target/lib/$name" ] && [ "$name" != "$(basename "$(built_jar tools mavlogd-tools)")" ]; then
            install -m 0644 -p "$library" "$1/lib"
        fi
    done
}

# What systemd, udev and sysctl need, below the root directory $1.
put_system_files() {
    install -D -m 0644 -t "$1/usr/lib/systemd/system" "$here/systemd/mavlogd.service" "$here/systemd/mavlogd-archive.service"
    install -D -m 0644 "$here/systemd/mavlogd.sysusers" "$1/usr/lib/sysusers.d/mavlogd.conf"
    install -D -m 0644 "$here/systemd/mavlogd.tmpfiles" "$1/usr/lib/tmpfiles.d/mavlogd.conf"
    install -D -m 0644 "$here/systemd/mavlogd.modules" "$1/usr/lib/modules-load.d/mavlogd.conf"
    install -D -m 0644 "$here/systemd/60-mavlogd.rules" "$1/usr/lib/udev/rules.d/60-mavlogd.rules"
    install -D -m 0644 "$here/systemd/00-mavlogd-sysctl.conf" "$1/usr/lib/sysctl.d/00-mavlogd.conf"
}

put_page_system_files() {
    install -D -m 0644 -t "$1/usr/lib/systemd/system" "$here/systemd/mavlogd-page.service"
}

put_fleet_system_files() {
    install -D -m 0644 -t "$1/usr/lib/systemd/system" "$here/systemd/mavlogd-upload.service"
}

# The configuration with all keys is documentation; the one in /etc is short. The pages lie as in the source tree, so that their links hold.
put_documents() {
    documents=$1/usr/share/doc/mavlogd
    for file in README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE dependencies.lock pom.xml config/jvm.options ulog-writer/README.md \
        dataflash/src/main/resources/org/mavlogd/dataflash/ORIGIN.md \
        ulog-writer/src/test/java/org/mavlogd/ulog/ReadmeExamplesTest.java ulog-writer/src/test/java/org/mavlogd/ulog/PublicApiTest.java; do
        install -D -m 0644 "$here/$file" "$documents/$file"
    done
    install -m 0644 "$here/config/mavlogd.toml" "$documents"
    ln -sf ../mavlogd.toml "$documents/config/mavlogd.toml"
    for part in docs contrib; do
        # What an earlier version had and this one has not.
        rm -rf "${documents:?}/$part"
        cp -R "$here/$part" "$documents/$part"
        chmod -R u=rwX,go=rX "$documents/$part"
    done
}

# Runs the program in the directory $1, whatever the root directory.
program_in() {
    directory=$1
    shift
    java -cp "$directory/mavlogd-tools.jar:$directory/mavlogd.jar:$directory/mavlogd-page.jar:$directory/mavlogd-fleet.jar:$directory/lake/mavlogd-lake.jar" org.mavlogd.tools.Main "$@"
}

# What a command of the program in $1 prints becomes the file $2, or nothing does.
made() {
    program=$1
    file=$2
    shift 2
    if program_in "$program" "$@" >"$file.new"; then
        mv "$file.new" "$file"
    else
        rm -f "$file.new"
        return 1
    fi
}

# Completion, manual pages and the schema of the configuration, made by the program in $1, below the root directory $2.
put_conveniences() {
    share=$2/usr/share
    install -d -m 0755 "$share/bash-completion/completions" "$share/zsh/vendor-completions" \
        "$share/fish/vendor_completions.d" "$share/man/man1"
    made "$1" "$share/bash-completion/completions/mavlogd" completion bash \
        && sed -i '1{/^#!/d}' "$share/bash-completion/completions/mavlogd" \
        && made "$1" "$share/zsh/vendor-completions/_mavlogd" completion zsh \
        && made "$1" "$share/fish/vendor_completions.d/mavlogd.fish" completion fish \
        && install -d -m 0755 "$share/mavlogd" \
        && made "$1" "$share/mavlogd/mavlogd.schema.json" config schema \
        && program_in "$1" man-pages "$share/man/man1" >/dev/null
}

# A copy for the benchmarks, with its class archives: in the source tree the modules have libraries of their own, many of them the same,
# which costs time and memory that an installed program does not need.
put_measured() {
    measured=$here/benchmarks/recorder/target/installed
    # The archives stay for as long as they fit.
    rm -rf "$measured/lib" "$measured/native"
    put_program "$measured"
    put_page "$measured"
    put_fleet "$measured"
    "$measured/make-archive" --if-stale
}
