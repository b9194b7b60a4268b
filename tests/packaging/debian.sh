# shellcheck shell=bash
# Sourced by the scripts beside it: fresh Debians and the packages of this checkout, both kept in a cache.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
project=$(cd "$here/../.." && pwd)
cache=${DEB_TEST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/companion-deb-test}
# The mirror that this machine itself uses.
mirror=${DEB_MIRROR:-$({ cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null || true; } |
  grep -oE 'https?://[^ ]+/debian/?( |$)' | sed -n 1p | tr -d ' ')}
# What the packages depend on and recommend; a network is used for these only.
SERVICE=python3,libportaudio2,libatomic1,libstdc++6,adduser,systemd,espeak-ng,alsa-utils
APPLIANCE=$SERVICE,systemd-sysv,dbus,network-manager,wpasupplicant,dnsmasq-base,iw,avahi-daemon,iproute2,openssl
OLD=0.1.0 NEW=9.9.0 BROKEN=9.9.9

say() { printf '%s: %s\n' "$(basename "$0" .sh)" "$*" >&2; }
fail() { say "FAILED: $*"; exit 1; }

# base NAME SUITE ARCHITECTURE NEEDS: writes a Debian with the packages NEEDS, once; its tar file is in $base.
base() {
  base=$cache/$1-$2-$3.tar
  [ -s "$base" ] && [ "$(cat "$base.needs" 2>/dev/null)" = "$4" ] && return
  command -v mmdebstrap >/dev/null || fail "this needs mmdebstrap"
  [ -n "$mirror" ] || fail "no Debian mirror found in /etc/apt: name one in DEB_MIRROR"
  say "$2/$3: a fresh Debian"
  mmdebstrap --mode=root --variant=apt --architectures="$3" --include="$4" \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' "$2" "$base.part" "$mirror" --format=tar \
    >"$base.log" 2>&1 || { tail "$base.log" >&2; fail "no Debian"; }
  mv "$base.part" "$base"
  echo "$4" >"$base.needs"
}

# packages ARCHITECTURE: the packages of this checkout as version $NEW, and the same as $OLD, in $packages/new and
# $packages/old. They are built again when a file of the packages has changed.
packages() {
  packages=$cache/packages/$1
  local key
  key=$(cd "$project" && git ls-files -z --cached --others --exclude-standard -- debian packaging systemd companion \
    hardware web models docs/companion.toml pyproject.toml | { xargs -0 sha1sum 2>/dev/null || true; } | sha1sum)
  [ "$(cat "$packages/key" 2>/dev/null)" = "$key" ] && return
  rm -rf "$packages"
  DEB_OUT=$packages/new DEB_VERSION=$NEW COMPRESSION=none "$project/packaging/deb.sh" "$1" >&2
  repacked "$packages/new" "$packages/old" $OLD true
  echo "$key" >"$packages/key"
}

# repacked FROM TO VERSION COMMAND: the packages of the folder FROM as another version, changed by a command that
# runs in the folder of their files.
repacked() {
  local package files
  files=$(mktemp -d -p "$cache")
  mkdir -p "$2"
  for package in "$1"/*.deb; do
    rm -rf "$files"
    dpkg-deb -R "$package" "$files"
    sed -i "s/$NEW/$3/" "$files/DEBIAN/control"
    (cd "$files" && eval "$4")
    dpkg-deb --root-owner-group -Znone -b "$files" "$2/" >/dev/null
  done
  rm -rf "$files"
}

# inside COMMAND: in the chroot $root, in a network namespace that has nothing but loopback.
inside() {
  unshare --net --mount --pid --fork bash -c 'mount -t proc proc "$0/proc" && ip link set lo up 2>/dev/null
  chroot "$0" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive bash -euc "$1"' "$root" "$1"
}

# unpacked: the Debian $base in the empty folder $root. What installs packages there may start no services.
unpacked() {
  rm -rf "$root"
  mkdir -p "$root"
  tar -C "$root" -xf "$base"
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
  chmod +x "$root/usr/sbin/policy-rc.d"
}

# versions: repositories of apt with the old version, the new one, and one whose service ends at once.
versions() {
  local version
  [ "$cache/versions/done" -nt "$packages/key" ] && return
  rm -rf "$cache/versions"
  for version in old new; do
    mkdir -p "$cache/versions/$version"
    cp -l "$packages/$version"/*.deb "$cache/versions/$version/"
  done
  repacked "$packages/new" "$cache/versions/broken" $BROKEN \
    '[ ! -e usr/bin/companion ] || sed -i "2i import sys; sys.exit(\"broken on purpose\")" usr/bin/companion'
  for version in old new broken; do
    (cd "$cache/versions/$version" && dpkg-scanpackages --multiversion . 2>/dev/null >Packages)
  done
  touch "$cache/versions/done"
}

# install_appliance: the appliance in $root, as apt does it on a Raspberry Pi, from a repository on the machine
# itself. It runs /out/checks.py when it is booted.
install_appliance() {
  unpacked
  mkdir -p "$root/srv"
  cp -rl "$cache/versions" "$root/srv/versions"
  ln -s versions/old "$root/srv/repository"
  rm -f "$root"/etc/apt/sources.list "$root"/etc/apt/sources.list.d/*
  echo 'deb [trusted=yes] file:/srv/repository ./' >"$root/etc/apt/sources.list.d/companion.list"
  echo raspberrypi >"$root/etc/hostname"
  printf '127.0.0.1\tlocalhost\n127.0.1.1\traspberrypi\n' >"$root/etc/hosts"
  mkdir -p "$root/boot/firmware"
  inside 'useradd --create-home --groups sudo pi 2>/dev/null || useradd --create-home pi
    apt-get update -qq && apt-get install -y -qq --no-install-recommends tabletop-companion-appliance' >"$log" 2>&1 ||
    { tail -n 20 "$log" >&2; fail "apt-get install"; }
  rm "$root/usr/sbin/policy-rc.d"
  mkdir -p "$root/out"
  cp "$here/appliance-check.service" "$root/etc/systemd/system/"
  systemctl --root="$root" --quiet enable appliance-check
}

[ "$(id -u)" = 0 ] || fail "this needs root"
mkdir -p "$cache"
