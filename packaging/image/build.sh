#!/usr/bin/env bash
# Builds an image for memory cards: Raspberry Pi OS Lite with the companion installed as an appliance.
#   PI_GEN=FOLDER packaging/image/build.sh
# PI_GEN: a checkout of pi-gen (github.com/RPi-Distro/pi-gen), branch arm64. Needs root, a network and 20 GB.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
project=$(cd "$here/../.." && pwd)
: "${PI_GEN:?name the folder of pi-gen in PI_GEN}"
[ -x "$PI_GEN/build.sh" ] || { echo "image: $PI_GEN is no checkout of pi-gen" >&2; exit 1; }

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
cp -r "$here/stage/." "$stage/"
mkdir -p "$stage/00-companion/files"
DEB_OUT=$stage/00-companion/files "$project/packaging/deb.sh" arm64
# The stages of the desktop and of development are not built; the image of stage 2 alone is not written.
touch "$PI_GEN/stage2/SKIP_IMAGES"
sed "s|@STAGE@|$stage|" "$here/config" >"$stage/config"
(cd "$PI_GEN" && ./build.sh -c "$stage/config")
ls -l "$PI_GEN"/deploy/*companion*
