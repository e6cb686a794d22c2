#!/bin/sh
# Shared by the scripts beside it; sourced, not run.
# shellcheck disable=SC2034 # used by them

# The jars hold the modes of the files that went into them: with this they are the same for everybody who builds.
umask 022

here=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)

say() {
    printf '%s\n' "$*" >&2
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        sudo "$@"
    else
        say "this needs root: $*"
        return 1
    fi
}

# Whether there is a compiler of at least Java 17.
have_jdk() {
    javac=${JAVA_HOME:+$JAVA_HOME/bin/}javac
    command -v "$javac" >/dev/null 2>&1 || return 1
    major=$("$javac" -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p')
    [ "${major:-0}" -ge 17 ]
}

# Installs what is missing with apt-get: JDK 17 (or the distribution's default where it has no 17), Maven, and the packages
# named as arguments.
# shellcheck disable=SC2120 # most scripts need nothing more
need_tools() {
    missing=
    have_jdk || missing=jdk
    command -v mvn >/dev/null 2>&1 || missing="$missing maven"
    for package in "$@"; do
        dpkg -s "$package" >/dev/null 2>&1 || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    if ! command -v apt-get >/dev/null 2>&1; then
        say "please install a JDK of version 17 or newer and Maven; this script can do so only with apt-get"
        return 1
    fi
    say "installing: $missing"
    as_root apt-get update -qq
    if [ "$missing" != "${missing#jdk}" ]; then
        jdk=openjdk-17-jdk-headless
        apt-cache show "$jdk" >/dev/null 2>&1 || jdk=default-jdk-headless
        missing="$jdk${missing#jdk}"
    fi
    # Another apt may hold the lock for some minutes, for example Debian's automatic upgrade after the start.
    # shellcheck disable=SC2086
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -qq -y --no-install-recommends $missing >/dev/null
    have_jdk || { say "no JDK of version 17 or newer could be installed"; return 1; }
}

# The jar of the recorder, or with "tools mavlogd-tools" that of the other commands; nothing when it is not built.
built_jar() {
    find "$here/${1:-daemon}/target" -maxdepth 1 -name "${2:-mavlogd}-*.jar" ! -name '*-sources.jar' ! -name '*-tests.jar' 2>/dev/null | head -n 1
}

# Not as root where the tree belongs to somebody else. Prints a line for each module, and Maven's errors.
build() {
    # shellcheck disable=SC2119
    need_tools
    owner=$(stat -c %U "$here")
    set -- mvn -B -ntp -f "$here/pom.xml" package -DskipTests
    [ "$owner" = root ] || [ "$(id -u)" -ne 0 ] || set -- runuser -u "$owner" -- "$@"
    # The pipe would hide Maven's exit code, so it goes around it.
    failed=$({ { "$@" 2>&1 || echo $? >&3; } |
        sed -un -e 's/^\[INFO\] Building \(.*[^ ]\)  *\[\([0-9]*\/[0-9]*\)\]$/  [\2] \1/p' -e '/^\[ERROR\]/p' >&2; } 3>&1)
    return "${failed:-0}"
}

# Builds all unless it is built and newer than its sources; sets jar.
build_if_needed() {
    jar=$(built_jar tools mavlogd-tools)
    if [ -z "$jar" ] || [ -z "$(built_jar page mavlogd-page)" ] || [ -z "$(built_jar fleet mavlogd-fleet)" ]; then
        say "building: some minutes, the first time also for what Maven fetches ..."
    elif [ -n "$(find "$here/pom.xml" "$here"/*/pom.xml "$here"/*/src/main "$here"/benchmarks/*/src/main -type f -newer "$jar" | head -n 1)" ]; then
        say "the sources are newer than the build: building ..."
    else
        return 0
    fi
    began=$(date +%s.%N)
    build || return
    jar=$(built_jar tools mavlogd-tools)
    # Maven does not write a jar again whose own sources are the same.
    touch -d "@$began" "$jar"
}

# Copies the sources, without what was built from them, to a new directory.
copy_tree() {
    mkdir -p "$1"
    (cd "$here" && tar cf - --exclude=./.git --exclude=target --exclude=node_modules --exclude=./demo-logs .) | tar xf - -C "$1"
}

# Succeeds for a program for a processor that mavlogd supports, or of an unknown one: ELF's class and machine, elf(5).
supports_architecture_of() {
    [ "$(od -A n -t x1 -N 4 "$1" 2>/dev/null | tr -d ' \n')" = 7f454c46 ] || return 0
    # 02: 64 bits; 3e: x86-64; b7: aarch64
    case $(od -A n -t x1 -j 4 -N 1 "$1" | tr -d ' \n'):$(od -A n -t x1 -j 18 -N 2 "$1" | tr -d ' \n') in
        02:3e00 | 02:b700) return 0 ;;
        *) return 1 ;;
    esac
}

# Of the programs, not of the kernel: a 64-bit kernel may run a 32-bit system.
require_architecture() {
    for program in /usr/bin/env /bin/env; do
        [ -f "$1$program" ] || continue
        supports_architecture_of "$1$program" && return 0
        say "mavlogd runs only on 64-bit systems for x86 (amd64) and Arm (arm64): install a 64-bit operating system${1:+ in $1}"
        return 1
    done
}
