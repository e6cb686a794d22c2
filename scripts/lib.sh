#!/bin/sh
# Shared by the scripts beside it; sourced, not run.

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
need_tools() {
    missing=
    updated=
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
    # shellcheck disable=SC2086
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing >/dev/null
    have_jdk || { say "no JDK of version 17 or newer could be installed"; return 1; }
}
