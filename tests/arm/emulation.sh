# shellcheck shell=bash
# Sourced: an arm64 Debian in a folder, whose programs qemu-user runs.

arm_mirror=${ARM_MIRROR:-$({ cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null || true; } |
  grep -oE 'https?://[^ ]+/debian/?( |$)' | sed -n 1p | tr -d ' ')}

say() { printf '%s: %s\n' "$(basename "$0" .sh)" "$*" >&2; }
fail() { say "$*"; exit 1; }

# emulation: makes this machine run programs of arm64.
emulation() {
  [ "$(id -u)" = 0 ] || fail "this needs root"
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

# arm_debian SUITE ROOT: a Debian with Python and what the companion's libraries need, made once. It is only unpacked, by
# this machine's own processor: an emulated dpkg would take half an hour to set up what Python does not need.
arm_debian() {
  local suite=$1 root=$2
  [ ! -e "$root/.base" ] || return 0
  [ -n "$arm_mirror" ] || fail "no Debian mirror found in /etc/apt: name one in ARM_MIRROR"
  say "$suite: an arm64 Debian"
  rm -rf "$root"
  mmdebstrap --mode=root --architectures=arm64 --variant=extract --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr --include='?essential' \
    --include=python3,python3-venv,libportaudio2,libatomic1,ca-certificates "$suite" "$root" "$arm_mirror" \
    >"$root.log" 2>&1 || { tail "$root.log" >&2; fail "no arm64 Debian"; }
  cp "$root/usr/share/base-passwd/passwd.master" "$root/etc/passwd"
  cp "$root/usr/share/base-passwd/group.master" "$root/etc/group"
  chroot "$root" /sbin/ldconfig
  touch "$root/.base"
}

# emulated ROOT COMMAND...: as a Pi 4's processor; newer ones sign return addresses, which takes an emulator four times
# as long.
emulated() {
  local root=$1
  shift
  QEMU_CPU=cortex-a72 chroot "$root" env -i QEMU_CPU=cortex-a72 PATH=/usr/bin:/bin HOME=/root LANG=C.UTF-8 "$@"
}
