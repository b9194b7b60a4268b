#!/usr/bin/env bash
# Builds the Debian packages of this checkout.
#   deb.sh [ARCHITECTURE...]      amd64 and arm64 if none is named
# DEB_OUT: where they go (default: dist). DEB_VERSION: another version, for tests of upgrades. COMPRESSION: xz or none.
# SIGNING_KEY: an Ed25519 private key in PEM. An appliance with these packages then installs later versions that are
# signed with it when a phone sends them; the signed file of this version is made, too (sign.sh).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
project=$(dirname "$here")
out=${DEB_OUT:-$project/dist}
[ -z "${SIGNING_KEY:-}" ] || SIGNING_KEY=$(realpath "$SIGNING_KEY")
[ $# -gt 0 ] || set -- amd64 arm64

for program in dpkg-buildpackage dh; do
  command -v "$program" >/dev/null || { echo "deb: this needs debhelper: apt-get install debhelper" >&2; exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out" "$work/source"
(cd "$project" && git ls-files -z --cached --others --exclude-standard | xargs -0 tar c --ignore-failed-read) |
  tar x -C "$work/source"
cd "$work/source"
if [ -n "${DEB_VERSION:-}" ]; then sed -i "1s/(.*)/($DEB_VERSION)/" debian/changelog; fi

if [ -n "${SIGNING_KEY:-}" ]; then
  openssl pkey -in "$SIGNING_KEY" -pubout -out packaging/appliance/update-key.pem
fi

kind=--build=any,all
for architecture in "$@"; do
  # -d: no compiler of the other architecture is needed; --no-sign: a release is signed where it is published.
  DEB_BUILD_OPTIONS=nocheck dpkg-buildpackage "$kind" --host-arch "$architecture" -d --no-sign >"$work/log" 2>&1 ||
    { tail -n 40 "$work/log" >&2; exit 1; }
  kind=--build=any
done
cp "$work"/*.deb "$out/"
ls -s -h "$work"/*.deb | sed "s|$work|$out|"
[ -z "${SIGNING_KEY:-}" ] || "$here/sign.sh" "$SIGNING_KEY" "$work" "$out" "$@"
