#!/usr/bin/env bash
# Makes one signed file of a version's packages, which a phone can send to an appliance (page "This machine").
#   sign.sh KEY PACKAGES OUT [ARCHITECTURE...]      of the folder PACKAGES, into OUT; amd64 and arm64 if none is named
# KEY: an Ed25519 private key in PEM; `openssl genpkey -algorithm ed25519 -out KEY` makes one. An appliance takes
# the file if the version that it runs was built with the same SIGNING_KEY (deb.sh), or the public key is in
# /etc/tabletop-companion/update-keys. What the file holds: packaging/appliance/open_upload.py.
set -euo pipefail

key=$(realpath "$1") packages=$(realpath "$2") out=$(realpath "$3")
shift 3
[ $# -gt 0 ] || set -- amd64 arm64
cd "$packages"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for architecture in "$@"; do
  for package in tabletop-companion_*_"$architecture".deb; do
    version=$(dpkg-deb -f "$package" Version)
    files=("$package" "tabletop-companion-data_${version}_all.deb" "tabletop-companion-appliance_${version}_all.deb")
    sha256sum "${files[@]}" >"$work/SHA256SUMS"
    openssl pkeyutl -sign -inkey "$key" -rawin -in "$work/SHA256SUMS" -out "$work/SHA256SUMS.sig"
    update=$out/tabletop-companion_${version}_$architecture.update
    tar --create --format=ustar --owner=0 --group=0 --numeric-owner --file="$update" \
      --directory="$work" SHA256SUMS SHA256SUMS.sig --directory="$packages" "${files[@]}"
    ls -s -h "$update"
  done
done
