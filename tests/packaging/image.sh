#!/usr/bin/env bash
# Runs the stage of the image for memory cards (packaging/image/stage) as pi-gen does, on an arm64 Debian 13, and boots
# the result in a virtual machine. image_checks.py lists the checks. What Raspberry Pi OS has and Debian has not
# (firmware, its kernel, picamera2, lgpio) is not there.
# Needs root, debhelper, mmdebstrap, qemu-user-static, qemu-system-arm, 10 GB in DEB_TEST_CACHE, about 30 minutes.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/debian.sh"
source "$project/tests/arm/emulation.sh"
source "$project/tests/hil/emulator.sh"
export QEMU_CPU=cortex-a72

# kernel_files: Debian's kernel for arm64 in $cache/arm64-kernel, once. It is only unpacked, by this machine's own
# processor: an emulated one would make its initial file system for minutes.
kernel_files() {
  [ ! -e "$cache/arm64-kernel/done" ] || return 0
  rm -rf "$cache/arm64-kernel"
  mkdir -p "$cache/arm64-kernel"
  mmdebstrap --mode=root --architectures=arm64 --variant=extract --include=linux-image-arm64 \
    --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr trixie "$cache/arm64-kernel/files" "$mirror" >"$log" 2>&1 ||
    { tail "$log" >&2; fail "no kernel"; }
  touch "$cache/arm64-kernel/done"
}

# on_chroot: runs the commands of its input in $root, as pi-gen's function does, but without a network.
on_chroot() { inside "$(cat)"; }

# stage: carries out what build.sh leaves for pi-gen, in the Debian $root.
stage() {
  local folder=$machine/stage name
  cp -r "$project/packaging/image/stage" "$folder"
  mkdir "$folder/00-companion/files"
  cp "$packages"/new/*.deb "$folder/00-companion/files/"
  for name in $(cat "$folder"/00-companion/*-packages-nr); do
    case $name in
      python3-picamera2 | python3-lgpio) say "not in Debian: $name" ;;
      *) inside "dpkg-query -W -f '\${Status}' $name" | grep -q 'ok installed' || fail "the stage needs $name" ;;
    esac
  done
  export ROOTFS_DIR=$root root
  export -f on_chroot inside
  (cd "$folder" && ROOTFS_DIR=$root ./prerun.sh && cd 00-companion && ./01-run.sh) >"$log" 2>&1 ||
    { tail -n 20 "$log" >&2; fail "the stage"; }
  rm -rf "$folder"
}

emulation
base image trixie arm64 "$APPLIANCE,kmod,udev,procps,busybox-static,rfkill"
packages arm64
begun=$SECONDS
machine=$cache/image out=$cache/image/share/out root=$cache/root-image log=$cache/image.log
kernel_files
rm -rf "$machine"
mkdir -p "$out"
unpacked
# As pi-gen has done before: TARGET_HOSTNAME and the first user.
echo companion >"$root/etc/hostname"
printf '127.0.0.1\tlocalhost\n127.0.1.1\tcompanion\n' >"$root/etc/hosts"
inside 'useradd --create-home pi'
mkdir -p "$root/boot/firmware"
stage
say "the stage is done: the packages are installed on arm64 without a network ($((SECONDS - begun)) s)"
rm "$root/usr/sbin/policy-rc.d"
mkdir -p "$root/out" "$root/usr/lib/modules"
cp "$here/appliance-check.service" "$root/etc/systemd/system/"
systemctl --root="$root" --quiet enable appliance-check
cp -a "$cache"/arm64-kernel/files/usr/lib/modules/* "$root/usr/lib/modules/"
kernel=$(basename "$root"/usr/lib/modules/*)
rm -rf "$root/usr/lib/modules/$kernel"/kernel/{drivers/{gpu,net/ethernet,net/wireless,infiniband,scsi,media,staging},fs/{xfs,btrfs,ocfs2,gfs2}}
depmod -b "$root" "$kernel"
cp "$cache/arm64-kernel/files/boot/vmlinuz-$kernel" "$machine/vmlinuz"
# An emulated processor starts the service slowly.
mkdir -p "$root/etc/systemd/system/companion.service.d"
printf '[Service]\nTimeoutStartSec=900\nWatchdogSec=120\nEnvironment=GPIOZERO_PIN_FACTORY=mock\n' \
  >"$root/etc/systemd/system/companion.service.d/slow.conf"
for unit in serial-getty@ttyAMA0 getty@tty1 apt-daily.timer apt-daily-upgrade.timer systemd-timesyncd; do
  systemctl --root="$root" --quiet mask "$unit" 2>/dev/null || true
done
disk "$root" "$kernel" "$machine"
rm -rf "$root"
cp "$here/guest_tools.py" "$here/boot_checks.py" "$here/home_network.sh" "$machine/share/"
cp "$here/image_checks.py" "$machine/share/checks.py"
say "the disk is made ($((SECONDS - begun)) s)"
HIL_TIMEOUT=${HIL_TIMEOUT:-1800} emulate "$machine" "$machine/share" arm64 || true
cat "$machine/share/checks.log" || tail -n 20 "$out/console.log" >&2
[ -z "${BOOT_OUT:-}" ] || cp -r "$machine/share/." "$BOOT_OUT/"
[ "$(cat "$machine/share/failed" 2>/dev/null)" = 0 ] || fail "see $machine/share"
say "passed ($((SECONDS - begun)) s)"
rm -rf "$machine"
