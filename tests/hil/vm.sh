#!/usr/bin/env bash
# A Raspberry Pi that is none: a virtual machine with real GPIO lines, a loopback microphone and cameras, in which
# the shipped installer has installed the companion under real systemd.
#   vm.sh build        makes the image (cached; again only when the installer or the dependencies change)
#   vm.sh run DIR      boots it, runs DIR/guest.sh inside as root, leaves what it writes in DIR/out
#   vm.sh boot DIR     boots the same system in a container (systemd-nspawn) and runs DIR/container.sh
# Needs root on Debian 12 or 13, qemu without KVM, no kernel module on the host, and about 3 GB in HIL_CACHE.
# The lines are the kernel's gpio-sim, which Debian's kernel leaves out: it is built from the kernel's source, with
# vimc (the camera that libcamera sees) and v4l2loopback (the one that OpenCV sees).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
project=$(cd "$here/../.." && pwd)
cache=${HIL_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/companion-hil}
suite=trixie
# The mirror that this host itself uses.
mirror=${HIL_MIRROR:-$({ cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null || true; } |
  grep -oE 'https?://[^ ]+/debian/?( |$)' | sed -n 1p | tr -d ' ')}
source "$here/emulator.sh"
packages=(mmdebstrap qemu-system-x86 e2fsprogs kmod cpio xz-utils binutils)

say() { printf 'hil: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# --- the kernel's modules -----------------------------------------------------------------------------------------

builder() {
  [ -e "$cache/builder/.ok" ] && return
  say "a chroot with a compiler and the kernel's headers"
  rm -rf "$cache/builder"
  mmdebstrap --mode=root --variant=minbase --skip=check/qemu --dpkgopt='path-exclude=/usr/share/doc/*' \
    --include=linux-headers-amd64,linux-source-6.12,make,gcc,g++,libc6-dev,libcap-dev,xz-utils,python3-dev,python3-venv,swig,ca-certificates,kmod \
    "$suite" "$cache/builder" "$mirror" >"$cache/builder.log" 2>&1
  touch "$cache/builder/.ok"
}

kernel() { # its release, as the headers are named after it
  local headers
  for headers in "$cache"/builder/usr/src/linux-headers-*-amd64; do echo "${headers##*/linux-headers-}"; done
}

modules() {
  [ -e "$cache/builder/m/.ok" ] && return
  say "gpio-sim, vimc and v4l2loopback"
  local root=$cache/builder m=$cache/builder/m module
  network "$root"
  rm -rf "$m"
  mkdir -p "$m/gpio-sim" "$m/vimc"
  tar xf "$root"/usr/src/linux-source-6.12.tar.xz -C "$m" --strip-components=1 --wildcards \
    '*/drivers/gpio/gpio-sim.c' '*/kernel/irq/irq_sim.c' '*/drivers/media/test-drivers/vimc/*'
  mv "$m/drivers/gpio/gpio-sim.c" "$m/gpio-sim/gpio-sim-core.c"
  mv "$m/kernel/irq/irq_sim.c" "$m/gpio-sim/"
  mv "$m"/drivers/media/test-drivers/vimc/* "$m/vimc/"
  rm -f "$m/vimc/Makefile"
  # irq_to_desc() is not exported to modules; generic_handle_irq() does the same here.
  sed -i 's/handle_simple_irq(irq_to_desc(irqnum))/generic_handle_irq(irqnum)/' "$m/gpio-sim/irq_sim.c"
  printf 'obj-m := gpio-sim.o\ngpio-sim-y := gpio-sim-core.o irq_sim.o\n' >"$m/gpio-sim/Kbuild"
  printf 'obj-m := vimc.o\nvimc-y := %s\n' "$(printf 'vimc-%s.o ' core common streamer capture debayer scaler sensor lens)" \
    >"$m/vimc/Kbuild"
  chroot "$root" bash -c 'cd /m && apt-get update -qq && apt-get download -qq v4l2loopback-dkms &&
    dpkg-deb -x v4l2loopback-dkms*.deb x && mv x/usr/src/v4l2loopback-* v4l2loopback' >"$cache/modules.log" 2>&1
  for module in gpio-sim vimc v4l2loopback; do
    chroot "$root" make -s -C "/usr/src/linux-headers-$(kernel)" "M=/m/$module" modules >>"$cache/modules.log" 2>&1
    strip --strip-debug "$m/$module/$module.ko"
  done
  # lgpio has no wheel for this Python: its source makes one with the library inside. So have two that picamera2 wants.
  chroot "$root" bash -c 'python3 -m venv /v && PYPI=1 PIP_FIND_LINKS= /v/bin/pip wheel -q --no-deps -w /wheels lgpio==0.2.2.0 python-prctl PiDNG' \
    >"$cache/wheels.log" 2>&1
  touch "$m/.ok"
}

network() { # a chroot that reaches what the host reaches
  cp /etc/resolv.conf "$1/etc/"
  mkdir -p "$1/etc/ssl/certs"
  cp -L /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/" 2>/dev/null || true
}

# --- the system ---------------------------------------------------------------------------------------------------

recipe() { # what the image depends on
  { sed '/^# --- running/,$d' "$here/vm.sh"; sed '/^# emulate/,$d' "$here/emulator.sh"; cat "$here/devices.sh" "$project/systemd/install.sh" "$project/pyproject.toml"; } |
    sha256sum | cut -c1-16
}

root() {
  local root=$cache/root kver
  [ -e "$root/.base" ] || {
    say "a Debian with what a Pi has"
    rm -rf "$root"
    mmdebstrap --mode=root --variant=minbase --skip=check/qemu --dpkgopt='path-exclude=/usr/share/doc/*' \
      --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
      --include=systemd,systemd-sysv,udev,dbus,kmod,python3,python3-venv,python3-pip,alsa-utils,espeak-ng,v4l-utils,gpiod,libportaudio2,python3-libcamera,libcamera-ipa,busybox-static,iproute2,procps,ca-certificates,sudo \
      "$suite" "$root" "$mirror" >"$cache/root.log" 2>&1
    touch "$root/.base"
  }
  say "the companion, by its own installer"
  network "$root"
  kver=$(kernel)
  rm -rf "$root/opt/source"
  mkdir -p "$root/opt/source" "$root/wheels"
  (cd "$project" && git ls-files -z --cached --others --exclude-standard | xargs -0 tar c --ignore-failed-read) | tar x -C "$root/opt/source"
  cp "$cache"/builder/wheels/*.whl "$root/wheels/"
  # As on a Pi, where apt brings lgpio and picamera2 for the system's Python.
  chroot "$root" bash -c 'python3 -c "import lgpio" 2>/dev/null || PIP_FIND_LINKS= pip install -q --break-system-packages --no-deps /wheels/lgpio*.whl'
  chroot "$root" bash -c '[ -d /usr/local/lib/python3.13/dist-packages/picamera2 ] ||
    PIP_FIND_LINKS= pip install -q --break-system-packages --find-links /wheels picamera2==0.3.38' >"$cache/picamera2.log" 2>&1 ||
    { tail -5 "$cache/picamera2.log" >&2; fail "picamera2 cannot be installed"; }
  # What draws its preview on a screen is not in Debian, and nobody looks at a screen here.
  printf 'from unittest.mock import MagicMock\n\nPixelFormat = MagicMock()\n' >"$root/usr/local/lib/python3.13/dist-packages/pykms.py"
  mount -t proc proc "$root/proc"
  trap 'umount "$cache/root/proc" 2>/dev/null || true' EXIT
  chroot "$root" env PIP_FIND_LINKS= bash /opt/source/systemd/install.sh >"$cache/install.log" 2>&1 || { tail -20 "$cache/install.log" >&2; fail "the installer failed"; }
  umount "$root/proc"
  rm -rf "$root/usr/lib/modules"
  mkdir -p "$root/usr/lib/modules"
  cp -a "$cache/builder/usr/lib/modules/$kver" "$root/usr/lib/modules/"
  rm -f "$root/usr/lib/modules/$kver"/{build,source}
  (cd "$root/usr/lib/modules/$kver/kernel" && rm -rf drivers/{net/ethernet,net/wireless,gpu,infiniband,scsi,iio,isdn,staging,hwmon,mtd,md,ata,target,net/can} \
    net/{bluetooth,wireless,mac80211,sctp,netfilter} fs/{xfs,btrfs,ocfs2,gfs2,ceph,nfs,nfsd,smb,f2fs,bcachefs,jfs,ntfs3,orangefs})
  mkdir -p "$root/usr/lib/modules/$kver/updates"
  cp "$cache"/builder/m/{gpio-sim,vimc,v4l2loopback}/*.ko "$root/usr/lib/modules/$kver/updates/"
  depmod -b "$root" "$kver"
  echo hil >"$root/etc/hostname"
  install -m755 "$here/devices.sh" "$root/usr/local/sbin/hil-devices"
  cp "$here"/hil-*.service "$root/etc/systemd/system/"
  # As Pi OS has it: the group gpio owns the lines, and video the memory of the cameras.
  cat >"$root/etc/udev/rules.d/60-hil.rules" <<'RULES'
SUBSYSTEM=="gpio", KERNEL=="gpiochip*", GROUP="gpio", MODE="0660"
SUBSYSTEM=="dma_heap", GROUP="video", MODE="0660"
RULES
  systemctl --root="$root" -q enable hil-devices hil-check
  systemctl --root="$root" -q disable companion 2>/dev/null || true
  systemctl --root="$root" -q mask serial-getty@ttyS0 getty@tty1 apt-daily.timer apt-daily-upgrade.timer systemd-timesyncd 2>/dev/null || true
  rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/* "$root/wheels"
}

build() {
  [ "$(cat "$cache/recipe" 2>/dev/null)" = "$(recipe)" ] && return
  [ "$(id -u)" = 0 ] || fail "building the image needs root"
  [ -n "$mirror" ] || fail "no Debian mirror found in /etc/apt: name one in HIL_MIRROR"
  local missing=() program
  for program in mmdebstrap qemu-system-x86_64 mkfs.ext4 modprobe cpio xz strip; do
    command -v "$program" >/dev/null || missing+=("$program")
  done
  if [ ${#missing[@]} -gt 0 ]; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
  fi
  mkdir -p "$cache"
  builder
  modules
  root
  say "kernel, initial file system, disk"
  cp "$cache/builder/boot/vmlinuz-$(kernel)" "$cache/vmlinuz"
  disk "$cache/root" "$(kernel)" "$cache"
  recipe >"$cache/recipe"
}

# --- running ------------------------------------------------------------------------------------------------------

compile() { # the program by the system's own Python, as pip does at an installation; an emulated one takes a minute
  local site=/opt/companion/venv/lib/python3.13/site-packages
  mkdir -p "$cache/root/mnt"
  mount --bind "$1/program" "$cache/root/mnt"
  chroot "$cache/root" /opt/companion/venv/bin/python -m compileall -q --invalidation-mode unchecked-hash \
    -s /mnt -p "$site" /mnt || true
  umount "$cache/root/mnt"
}

# A kernel that starts rewrites its own code while the other processor runs it; on a busy host qemu's emulated one
# stumbles over that once in a while, before anything of ours has begun: it is started once more.
run() {
  local share=$1 begun
  begun=$(date +%s)
  mkdir -p "$share/out"
  compile "$share"
  rm -f "$cache/program.ext4"
  truncate -s "$(($(du -sm "$share/program" | cut -f1) * 15 / 10 + 20))M" "$cache/program.ext4"
  mkfs.ext4 -q -F -O ^has_journal -d "$share/program" "$cache/program.ext4"
  emulate "$cache" "$share" || true
  if [ ! -e "$share/out/guest.log" ] && grep -q 'Kernel panic' "$share/out/console.log"; then
    say "the emulated kernel has panicked while it started: once more"
    emulate "$cache" "$share" || true
  fi
  cat "$share/out/guest.log" 2>/dev/null || tail -20 "$share/out/console.log"
  say "$(($(date +%s) - begun)) s in all, guest's exit status $(cat "$share/out/rc" 2>/dev/null || echo none)"
  [ "$(cat "$share/out/rc" 2>/dev/null)" = 0 ]
}

boot() { # the same system in a container: real systemd, no lines, no sound; much faster
  local share=$1
  compile "$share"
  command -v systemd-nspawn >/dev/null || DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends systemd-container >/dev/null
  mkdir -p "$share/out"
  rm -f "$share"/out/*
  SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 timeout "${HIL_TIMEOUT:-300}" systemd-nspawn --quiet --boot --directory="$cache/root" \
    --volatile=overlay --register=no --keep-unit --bind="$share:/hil" --machine=companion-boot \
    systemd.mask=hil-check.service systemd.mask=hil-devices.service systemd.run=/hil/container.sh \
    systemd.run_success_action=exit systemd.run_failure_action=exit >"$share/out/console.log" 2>&1 || true
  cat "$share/out/guest.log" 2>/dev/null || tail -20 "$share/out/console.log"
  [ "$(cat "$share/out/rc" 2>/dev/null)" = 0 ]
}

case "${1:-}" in
  build) build ;;
  boot) [ $# = 2 ] || fail "boot needs a folder"; build; boot "$2" ;;
  run) [ $# = 2 ] || fail "run needs a folder"; build; run "$2" ;;
  *) sed -n '2,9p' "$0"; exit 2 ;;
esac
