#!/usr/bin/env bash
# The tests as a Raspberry Pi's processor runs them: an arm64 Debian under qemu-user, with the wheels of every
# dependency, Python 3.11 (bookworm) and 3.13 (trixie).
#   arm.sh [SUITE...]      bookworm and trixie if none is named
# Needs root on a Debian; about 1 GB a suite in ARM_CACHE. What needs a browser, a sound card or systemd is left out.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
project=$(cd "$here/../.." && pwd)
cache=${ARM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/companion-arm}
# What depends on a processor and its libraries; not what takes hours there (whole evenings replayed at random).
tests=(tests/vision/test_recognise.py tests/vision/test_backdate.py tests/hardware tests/speech tests/evidence tests/announce
  tests/store tests/table tests/games --deselect tests/table/test_resume.py)
# From 3.13 on there is no wheel of lgpio: a Pi has it from apt.
imports='import sys, babel, click, cv2, flask, gpiozero, msgspec, numpy, reportlab, requests, segno, sounddevice, soxr, vosk, waitress
sys.version_info >= (3, 13) or __import__("lgpio")'

source "$here/emulation.sh"

root() { # an arm64 Debian with the dependencies, made once for each pyproject.toml
  local suite=$1 root=$cache/$1 key
  key=$(sha256sum "$project/pyproject.toml" "$here/arm.sh" | sha256sum | cut -c1-16)
  [ "$(cat "$root/.key" 2>/dev/null)" = "$key" ] && return
  arm_debian "$suite" "$root"
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

inside() { emulated "$1" env OPENBLAS_NUM_THREADS=1 bash -c "cd /project && $2"; }

mkdir -p "$cache"
emulation
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
