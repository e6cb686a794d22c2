#!/bin/sh
# Downloads packages of Debian 12 for any architecture: sourced after lib.sh by scripts that set cache and work.
# shellcheck disable=SC2154 # set there

# A root of apt's own for the architecture $1, so that this machine's lists and packages stay as they are.
apt_in() {
    apt_root=$cache/apt-$1
    if [ ! -e "$apt_root/apt.conf" ]; then
        mkdir -p "$apt_root/etc/apt/apt.conf.d" "$apt_root/etc/apt/preferences.d" "$apt_root/var/lib/apt/lists/partial" \
            "$apt_root/var/cache/apt/archives/partial" "$apt_root/var/lib/dpkg"
        : >"$apt_root/var/lib/dpkg/status"
        signed='[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]'
        # Debootstrap knows Debian's mirror.
        need_tools debootstrap
        mirror=$(sed -n 's/^DEF_MIRROR="\(.*\)"$/\1/p' "$(command -v debootstrap)")
        cat >"$apt_root/etc/apt/sources.list" <<END2
deb $signed $mirror bookworm main
deb $signed $mirror bookworm-updates main
deb $signed $mirror-security bookworm-security main
END2
        cat >"$apt_root/apt.conf" <<END2
Dir "$apt_root";
Dir::Etc "$apt_root/etc/apt";
Dir::Bin::methods "/usr/lib/apt/methods";
APT::Architecture "$1";
APT::Architectures { "$1"; };
APT::Sandbox::User "root";
Acquire::Languages "none";
END2
    fi
    shift
    APT_CONFIG=$apt_root/apt.conf "$@"
}

# Downloads packages for the architecture $1 and unpacks them to $2.
fetch_packages() {
    fetch_architecture=$1
    unpacked=$2
    shift 2
    mkdir -p "$unpacked.debs" "$unpacked"
    (cd "$unpacked.debs" && apt_in "$fetch_architecture" apt-get -qq download "$@" >"$work/download" 2>&1) || { cat "$work/download" >&2; return 1; }
    for package in "$unpacked.debs"/*.deb; do dpkg-deb -x "$package" "$unpacked"; done
}
