#!/usr/bin/env bash
# Puts the Python libraries of a Debian package into a folder: one part for every Python, one part for each.
#   libraries.sh ARCHITECTURE FOLDER      ARCHITECTURE: amd64 or arm64, as Debian names it
# The versions are those of packaging/python/*.txt. Wheels are fetched by pip and kept in WHEELS_CACHE.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
architecture=$1 folder=$2
cache=${WHEELS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/companion-wheels}
python=${PYTHON:-python3}
case $architecture in
  amd64) machine=x86_64 ;;
  arm64) machine=aarch64 ;;
  *) echo "libraries: no wheels for the architecture $architecture" >&2; exit 2 ;;
esac

platforms=()
# Wheels for every C library up to that of Debian 12 (2.36).
for libc in manylinux_2_36 manylinux_2_35 manylinux_2_34 manylinux_2_31 manylinux_2_28 manylinux_2_27 manylinux_2_26 \
  manylinux_2_24 manylinux_2_17 manylinux2014 manylinux_2_12 manylinux2010 manylinux_2_5 manylinux1; do
  platforms+=(--platform "${libc}_$machine")
done

mkdir -p "$cache"
# srt has no wheel: it is pure Python, so one is made once.
[ -n "$(find "$cache" -maxdepth 1 -name 'srt-*.whl' -print -quit)" ] ||
  "$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$cache" \
    "$(grep -E '^srt==' "$here/python/common.txt")"

for part in common 3.11 3.13; do
  version=$part
  [ "$part" != common ] || version=3.11
  wheels=$cache/$machine-$part
  target=$folder/python$part
  [ "$part" != common ] || target=$folder/common
  select=("${platforms[@]}" --only-binary=:all: --no-deps --implementation cp --python-version "$version"
    --abi "cp${version/./}" --abi abi3 --abi none)
  key=$(sha256sum <"$here/python/$part.txt")
  if [ "$(cat "$wheels/key" 2>/dev/null)" != "$key" ]; then
    rm -rf "$wheels"
    "$python" -m pip download --quiet --disable-pip-version-check --find-links "$cache" --dest "$wheels" \
      "${select[@]}" --requirement "$here/python/$part.txt"
    echo "$key" >"$wheels/key"
  fi
  rm -rf "$target"
  "$python" -m pip install --quiet --disable-pip-version-check --no-index --find-links "$wheels" --no-compile \
    --target "$target" "${select[@]}" --requirement "$here/python/$part.txt"
  # Programs of the libraries (flask, f2py, ...) and numpy's own tests are of no use to the companion.
  rm -rf "$target/bin"
  find "$target/numpy" -type d -name tests -prune -exec rm -rf {} + 2>/dev/null || true
  # pip's notes on where a file came from hold paths of this machine.
  find "$target" -path '*.dist-info/*' \( -name direct_url.json -o -name REQUESTED -o -name RECORD \) -delete
done
