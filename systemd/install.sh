#!/usr/bin/env bash
# Installs the companion as a service on a Raspberry Pi (Pi OS bookworm or trixie) or any Debian.
#   sudo systemd/install.sh
# May be run again at any time: it brings everything up to the state of this checkout. It fetches nothing but
# what apt and pip fetch. The data in /var/lib/companion are never touched.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$(dirname "$here")
target=/opt/companion
venv=$target/venv

say() { printf '\n== %s\n' "$*"; }
fail() { printf 'install: %s\n' "$*" >&2; exit 1; }

[ "$(id -u)" = 0 ] || fail "this needs root: sudo $0"
command -v apt-get >/dev/null || fail "this needs apt: use a Debian or Raspberry Pi OS"
[ -f "$source/pyproject.toml" ] || fail "$source is no checkout of the companion"

say "System packages"
wanted=(python3 python3-venv python3-pip libportaudio2 alsa-utils espeak-ng avahi-daemon)
# Only Pi OS has these; they belong to its Python, so the venv below sees them.
optional=(python3-picamera2 python3-lgpio python3-numpy)
apt-get update -qq
for package in "${optional[@]}"; do
  # picamera2 needs the numpy it was built for, and elsewhere nobody needs apt's.
  case $package in python3-numpy) apt-cache show python3-picamera2 >/dev/null 2>&1 || continue ;; esac
  if apt-cache show "$package" >/dev/null 2>&1; then wanted+=("$package"); fi
done
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${wanted[@]}"

say "Program in $target"
mkdir -p "$target"
[ -x "$venv/bin/python" ] || python3 -m venv --system-site-packages "$venv"
# What apt has built for its own numpy stays as it is: another one under picamera2 would break it. gpiozero is
# Python only and Debian's is too old, so it may come from pip.
/usr/bin/python3 -m pip freeze --all 2>/dev/null | grep -iE '^(numpy|simplejpeg|picamera2|lgpio)==' \
  > "$target/constraints.txt" || true
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade --use-pep517 \
  --constraint "$target/constraints.txt" "$source"

install -Dm644 "$source/hardware/silence.py" "$target/silence.py"
ln -sfn "$venv/bin/companion" /usr/local/bin/companion

say "User, folders and service"
install -Dm644 "$here/companion.sysusers" /usr/lib/sysusers.d/companion.conf
install -Dm644 "$here/companion.tmpfiles" /usr/lib/tmpfiles.d/companion.conf
install -Dm644 "$here/companion.service" /etc/systemd/system/companion.service
systemd-sysusers /usr/lib/sysusers.d/companion.conf
systemd-tmpfiles --create /usr/lib/tmpfiles.d/companion.conf
if [ -d /etc/avahi ]; then install -Dm644 "$here/companion.avahi.service" /etc/avahi/services/companion.service; fi

say "Voice"
# Numbers and fixed phrases are rendered now: a Pi 4 that does it in mid-game is late with "nine".
runuser -u companion -- "$venv/bin/companion" voice --data /var/lib/companion || true

if [ ! -d /run/systemd/system ]; then
  say "Installed. systemd does not run here, so the service was not started."
  exit 0
fi
systemctl daemon-reload
systemctl enable --quiet companion.service
systemctl restart companion.service

say "Ready"
"$venv/bin/companion" doctor --data /var/lib/companion || true
# The address and a code for the referee's phone; the very last line of the journal is systemd's own.
journalctl -u companion.service -n 50 -o cat --no-pager | grep "pages are at" | tail -n 1 || true
echo "Another code for the referee's phone: sudo companion pair --data /var/lib/companion"
