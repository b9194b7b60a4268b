#!/usr/bin/env bash
# Unpacks the arm64 package into an arm64 Debian and starts its program under qemu-user: every library is loaded, a game
# is replayed. No package is set up, so that it takes minutes.
#   start_arm64.sh [SUITE...]      bookworm (Python 3.11) and trixie (3.13) if none is named
# Needs root, debhelper, mmdebstrap, qemu-user-static and 2 GB in DEB_TEST_CACHE.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/debian.sh"
source "$project/tests/arm/emulation.sh"

# From 3.13 on there is no wheel of lgpio: a Raspberry Pi has it from apt.
libraries='import sys, babel, click, cv2, flask, gpiozero, msgspec, numpy, paho.mqtt, PIL.Image, reportlab, requests, segno
import sounddevice, soxr, tomlkit, vosk, waitress, websockets
sys.version_info >= (3, 13) or __import__("lgpio")'
python=/usr/lib/tabletop-companion/environment/bin/python3

packages arm64
emulation
[ $# -gt 0 ] || set -- bookworm trixie
for suite in "$@"; do
  begun=$SECONDS
  root=$cache/arm64-$suite
  arm_debian "$suite" "$root"
  rm -rf "$root/usr/lib/tabletop-companion" "$root/usr/share/tabletop-companion"
  for package in tabletop-companion tabletop-companion-data; do
    # dpkg-deb -x would put a folder in the place of the link /lib.
    dpkg-deb --fsys-tarfile "$packages"/new/${package}_*.deb | tar -C "$root" -x --keep-directory-symlink
  done
  cp "$project/companion/games/nasty_7/sample.jsonl" "$root/tmp/game.jsonl"
  say "$suite: $(emulated "$root" uname -m), $(emulated "$root" $python --version)"
  emulated "$root" $python -c "$libraries"
  emulated "$root" companion --version
  emulated "$root" companion replay /tmp/game.jsonl >"$cache/replayed" || fail "companion replay"
  [ -s "$cache/replayed" ] || fail "companion replay says nothing"
  emulated "$root" companion doctor --data /tmp/data >"$cache/doctor" || true
  grep -qE '^found +speech model' "$cache/doctor" || { cat "$cache/doctor" >&2; fail "companion doctor"; }
  say "$suite: every library is loaded, a game is replayed ($((SECONDS - begun)) s)"
done
