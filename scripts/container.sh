#!/bin/sh
# A small Debian or Ubuntu that systemd boots in a container without network, for the tests of installed programs: sourced after lib.sh by scripts that
# set work, a directory, and state, what is mounted at /var/lib/mavlogd.
# shellcheck disable=SC2034,SC2154 # set here, used there, and the other way round

nspawn=
leader=
failures=0

skip() {
    say "skipped: $*"
    exit 77
}

# Ends the container.
power_off() {
    if [ -n "$nspawn" ] && kill -0 "$nspawn" 2>/dev/null; then
        kill -TERM "$nspawn"
        wait "$nspawn" 2>/dev/null || true
    fi
    nspawn=
}

# The key of Ubuntu's archive, from Ubuntu's package ubuntu-keyring, which Debian 12 does not have.
UBUNTU_KEYS=/usr/share/keyrings/ubuntu-archive-keyring.gpg

# Downloads the release $1 of Debian or Ubuntu to the directory $2, with the packages $3 (separated by commas) beside what boots.
make_base() {
    [ ! -d "$2" ] || return 0
    system=$1
    base_root=$2
    included=systemd-sysv,dbus,udev,procps
    more=${3:-}
    say "downloading $system to $base_root ..."
    mkdir -p "$(dirname "$base_root")"
    rm -rf "$base_root.new"
    case $system in
        jammy | noble)
            [ -e "$UBUNTU_KEYS" ] || skip "$UBUNTU_KEYS is missing: install ubuntu-keyring, or copy the file from a computer with Ubuntu"
            # One script of debootstrap is for all releases; Java 17 of 22.04 is in universe.
            set -- --keyring="$UBUNTU_KEYS" --components=main,universe "$system" "$base_root.new" '' gutsy
            ;;
        *)
            included=$included${more:+,$more}
            more=
            set -- "$system" "$base_root.new"
            ;;
    esac
    debootstrap --variant=minbase --include="$included" "$@" >"$base_root.log" 2>&1 \
        || { tail -n 3 "$base_root.log" >&2; skip "$system could not be downloaded"; }
    # Ubuntu keeps what it released: the Java of 22.04 was one that takes no class archive.
    if [ -n "$more" ]; then
        sed -i "p; s/ $system / $system-updates /" "$base_root.new/etc/apt/sources.list"
        # Java's installation looks into /proc.
        unshare --mount env base="$base_root.new" packages="$(echo "$more" | tr , ' ')" DEBIAN_FRONTEND=noninteractive sh -euc '
            mount -t proc proc "$base/proc"
            chroot "$base" sh -euc "apt-get -qq update && apt-get -qq -y --no-install-recommends install $packages"
            ' >>"$base_root.log" 2>&1 || { tail -n 3 "$base_root.log" >&2; skip "$more could not be downloaded"; }
    fi
    rm -rf "$base_root.new"/var/cache/apt/archives/*.deb
    mv "$base_root.new" "$base_root"
}

now_ms() {
    cut -d ' ' -f 1 /proc/uptime | tr -d . | sed 's/$/0/'
}

result() {
    printf '%-6s %-58s %s\n' "$1" "$2" "${3:-}"
    [ "$1" != FAIL ] || failures=$((failures + 1))
}

# check WHAT FIGURE COMMAND...
check() {
    what=$1
    figure=$2
    shift 2
    if "$@" >/dev/null 2>&1; then result ok "$what" "$figure"; else result FAIL "$what" "$figure"; fi
}

# Waits for a command to succeed: within SECONDS COMMAND...; elapsed is the time it took in ms.
within() {
    begun=$(now_ms)
    limit=$(($1 * 1000))
    shift
    while ! "$@" >/dev/null 2>&1; do
        elapsed=$(($(now_ms) - begun))
        [ "$elapsed" -lt "$limit" ] || return 1
        sleep 0.02
    done
    elapsed=$(($(now_ms) - begun))
}

inside() {
    nsenter --target "$leader" --mount --uts --ipc --net --pid -- "$@"
}

property() {
    inside systemctl show --property="$1" --value mavlogd.service
}

journal() {
    inside journalctl --quiet --no-pager --output=cat --unit mavlogd.service
}

journal_has() {
    journal | grep -q -- "$1"
}

is_active() {
    [ "$(property ActiveState)" = active ]
}

stored_bytes() {
    find "$state/logs" -name '*.ulg*' -type f -printf '%s\n' 2>/dev/null | awk '{ sum += $1 } END { print sum + 0 }'
}

stored_more_than() {
    [ "$(stored_bytes)" -gt "$1" ]
}

# Boots the system in $work/root, with further options of systemd-nspawn.
boot() {
    systemd-nspawn --quiet --register=no --keep-unit --private-network --machine=mavlogd-test --directory="$work/root" \
        --bind-ro="$here:/src" --bind="$state:/var/lib/mavlogd" "$@" --boot </dev/null >"$work/console" 2>&1 &
    nspawn=$!
    within 60 boot_has_ended || { tail -n 20 "$work/console" >&2; skip "systemd does not boot in a container here"; }
}

boot_has_ended() {
    kill -0 "$nspawn" || return 1
    leader=$(pgrep -P "$nspawn" | head -n 1)
    [ -n "$leader" ] || return 1
    case $(inside systemctl is-system-running 2>/dev/null) in
        running | degraded) return 0 ;;
        *) return 1 ;;
    esac
}
