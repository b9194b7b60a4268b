#!/usr/bin/env bash
# Boots a Debian with the three packages under its own systemd, in a container, and uses it: boot_checks.py lists the checks.
#   boot.sh [SUITE...]      trixie if none is named
# Needs root, debhelper, mmdebstrap, systemd-container, 6 GB in DEB_TEST_CACHE, about 5 minutes. BOOT_OUT names a
# folder that keeps the log of every service.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/debian.sh"

# signed FOLDER: the new version as a file that a phone sends, the public key of it, and another one.
signed() {
  local owner
  for owner in owner other; do
    openssl genpkey -algorithm ed25519 -out "$cache/$owner.key"
    openssl pkey -in "$cache/$owner.key" -pubout -out "$1/$owner.pem"
  done
  "$project/packaging/sign.sh" "$cache/owner.key" "$cache/versions/new" "$1" amd64 >&2
}

boot() {
  local suite=$1 begun=$SECONDS out=$cache/boot-$1
  root=$cache/root-boot-$suite log=$cache/boot-$suite.log
  install_appliance
  say "$suite: the appliance is installed ($((SECONDS - begun)) s)"
  rm -rf "$out"
  mkdir -p "$out"
  cp "$here/guest_tools.py" "$here/home_network.sh" "$out/"
  cp "$here/boot_checks.py" "$out/checks.py"
  signed "$out"
  # Simulated devices only: a container has no lines, no sound card and no camera.
  mkdir -p "$root/etc/systemd/system/companion.service.d"
  printf '[Service]\nDevicePolicy=auto\nEnvironment=GPIOZERO_PIN_FACTORY=mock\n' \
    >"$root/etc/systemd/system/companion.service.d/container.conf"
  SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 timeout 1500 systemd-nspawn --quiet --boot --directory="$root" --register=no \
    --keep-unit --private-network --bind="$out:/out" --machine=boot --console=pipe \
    >"$out/console.log" 2>&1 </dev/null || true
  cat "$out/checks.log" || tail -n 20 "$out/console.log" >&2
  [ -z "${BOOT_OUT:-}" ] || cp -r "$out/." "$BOOT_OUT/"
  [ "$(cat "$out/failed" 2>/dev/null)" = 0 ] || fail "$suite: see $out"
  say "$suite: passed ($((SECONDS - begun)) s)"
  rm -rf "$root"
}

[ $# -gt 0 ] || set -- trixie
for suite in "$@"; do
  base appliance "$suite" amd64 "$APPLIANCE"
  packages amd64
  versions
  boot "$suite"
done
