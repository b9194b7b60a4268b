#!/usr/bin/env bash
# The tests as a Raspberry Pi's processor runs them: an arm64 Debian under qemu-user, with the wheels of every
# dependency, Python 3.11 (bookworm) and 3.13 (trixie).
#   arm.sh [SUITE...]      bookworm and trixie if none is named
# Needs root on a Debian; about 1 GB a suite in ARM_CACHE. What needs a browser, a sound card or systemd is left out.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
project=$(cd "$here/../.." && pwd)
cache=${ARM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/companion-arm}
mirror=${ARM_MIRROR:-$({ cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null || true; } |
  grep -oE 'https?://[^ ]+/debian/?( |$)' | sed -n 1p | tr -d ' ')}
# What depends on a processor and its libraries; not what takes hours there (whole evenings replayed at random).
tests=(tests/vision/test_recognise.py tests/vision/test_backdate.py tests/hardware tests/speech tests/evidence tests/announce
  tests/store tests/table tests/games --deselect tests/table/test_resume.py)
# From 3.13 on there is no wheel of lgpio: a Pi has it from apt.
imports='import sys, babel, click, cv2, flask, gpiozero, msgspec, numpy, reportlab, requests, segno, sounddevice, soxr, vosk, waitress
sys.version_info >= (3, 13) or __import__("lgpio")'

say() { printf 'arm: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

tools() {
  local missing=() program
  for program in mmdebstrap arch-test qemu-aarch64-static; do
    command -v "$program" >/dev/null || missing+=("$program")
  done
  if [ ${#missing[@]} -gt 0 ]; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends mmdebstrap arch-test qemu-user-static >/dev/null
  fi
  [ -e /proc/sys/fs/binfmt_misc/register ] || mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
  # The static interpreter is loaded once and for all (flag F), so it need not lie inside the chroot.
  [ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ] || printf '%s' \
    ':qemu-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:/usr/bin/qemu-aarch64-static:F' \
    >/proc/sys/fs/binfmt_misc/register
}

root() { # an arm64 Debian with the dependencies, made once for each pyproject.toml
  local suite=$1 root=$cache/$1 key
  key=$(sha256sum "$project/pyproject.toml" "$here/arm.sh" | sha256sum | cut -c1-16)
  [ "$(cat "$root/.key" 2>/dev/null)" = "$key" ] && return
  say "$suite: an arm64 Debian"
  if [ ! -e "$root/.base" ]; then
    rm -rf "$root"
    # Only unpacked, by this machine's own processor: an emulated dpkg would take half an hour to set up what
    # Python does not need.
    mmdebstrap --mode=root --architectures=arm64 --variant=extract --dpkgopt='path-exclude=/usr/share/doc/*' \
      --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
      --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr --include='?essential' \
      --include=python3,python3-venv,libportaudio2,libatomic1,ca-certificates "$suite" "$root" "$mirror" \
      >"$cache/$suite.log" 2>&1 || { tail "$cache/$suite.log" >&2; fail "no arm64 Debian"; }
    cp "$root/usr/share/base-passwd/passwd.master" "$root/etc/passwd"
    cp "$root/usr/share/base-passwd/group.master" "$root/etc/group"
    chroot "$root" /sbin/ldconfig
    touch "$root/.base"
  fi
  cp /etc/resolv.conf "$root/etc/"
  mkdir -p "$root/etc/ssl/certs"
  cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/" 2>/dev/null || true
  say "$suite: the dependencies"
  copy "$root"
  inside "$root" 'python3 -m venv --system-site-packages /venv &&
    /venv/bin/pip install -q --disable-pip-version-check --no-compile --prefer-binary --editable ".[pi]" pytest hypothesis' \
    >>"$cache/$suite.log" 2>&1 || { tail "$cache/$suite.log" >&2; fail "the dependencies cannot be installed"; }
  echo "$key" >"$root/.key"
}

copy() { # the files of this checkout
  rm -rf "$1/project"
  mkdir -p "$1/project"
  (cd "$project" && git ls-files -z --cached --others --exclude-standard | xargs -0 tar c --ignore-failed-read) | tar x -C "$1/project"
}

# As a Pi 4's processor: newer ones sign return addresses, which takes an emulator four times as long.
inside() { QEMU_CPU=cortex-a72 chroot "$1" env -i QEMU_CPU=cortex-a72 PATH=/usr/bin:/bin HOME=/root LANG=C.UTF-8 OPENBLAS_NUM_THREADS=1 bash -c "cd /project && $2"; }

[ "$(id -u)" = 0 ] || fail "this needs root"
[ -n "$mirror" ] || fail "no Debian mirror found in /etc/apt: name one in ARM_MIRROR"
mkdir -p "$cache"
tools
[ $# -gt 0 ] || set -- bookworm trixie
for suite in "$@"; do
  root "$suite"
  copy "$cache/$suite"
  mkdir -p "$cache/$suite/proc"
  mountpoint -q "$cache/$suite/proc" || mount -t proc none "$cache/$suite/proc"
  trap 'umount "$cache"/*/proc 2>/dev/null || true' EXIT
  say "$suite: $(inside "$cache/$suite" 'uname -m; /venv/bin/python --version' | tr '\n' ' ')"
  inside "$cache/$suite" "/venv/bin/python -c '$imports'"
  inside "$cache/$suite" "/venv/bin/python -m pytest -q -p no:cacheprovider --hypothesis-profile=ci ${tests[*]}"
done
