#!/usr/bin/env bash
# The appliance's own wireless network, in a virtual machine with three simulated radios (mac80211_hwsim): one is the
# machine's, one a phone's, one a router's at home. hotspot_checks.py lists the checks.
# Needs root, debhelper, mmdebstrap, qemu-system-x86, 8 GB in DEB_TEST_CACHE, about 10 minutes.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/debian.sh"
source "$project/tests/hil/emulator.sh"

# The radios are modules of Debian's kernel; busybox is the first process and the phone's DHCP client.
base radio trixie amd64 "$APPLIANCE,linux-image-amd64,kmod,udev,procps,busybox-static,wireless-regdb"
packages amd64
versions
begun=$SECONDS
machine=$cache/hotspot out=$cache/hotspot/share/out
root=$cache/root-hotspot log=$cache/hotspot.log
rm -rf "$machine"
mkdir -p "$out"
install_appliance
rm -rf "$root/srv"
echo mac80211_hwsim >"$root/etc/modules-load.d/radios.conf"
echo 'options mac80211_hwsim radios=3' >"$root/etc/modprobe.d/radios.conf"
# An emulated processor starts the service slowly.
mkdir -p "$root/etc/systemd/system/companion.service.d"
printf '[Service]\nTimeoutStartSec=600\nWatchdogSec=60\nEnvironment=GPIOZERO_PIN_FACTORY=mock\n' \
  >"$root/etc/systemd/system/companion.service.d/slow.conf"
for unit in serial-getty@ttyS0 getty@tty1 apt-daily.timer apt-daily-upgrade.timer systemd-timesyncd; do
  systemctl --root="$root" --quiet mask "$unit" 2>/dev/null || true
done
kernel=$(basename "$root"/usr/lib/modules/*)
cp "$root/boot/vmlinuz-$kernel" "$machine/vmlinuz"
disk "$root" "$kernel" "$machine"
rm -rf "$root"
cp "$here/guest_tools.py" "$machine/share/"
cp "$here/hotspot_checks.py" "$machine/share/checks.py"
say "the machine is made ($((SECONDS - begun)) s)"
HIL_TIMEOUT=${HIL_TIMEOUT:-1500} emulate "$machine" "$machine/share" || true
cat "$machine/share/checks.log" || tail -n 20 "$out/console.log" >&2
[ -z "${BOOT_OUT:-}" ] || cp -r "$machine/share/." "$BOOT_OUT/"
[ "$(cat "$machine/share/failed" 2>/dev/null)" = 0 ] || fail "see $machine/share"
say "passed ($((SECONDS - begun)) s)"
rm -rf "$machine"
