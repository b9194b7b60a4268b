#!/usr/bin/env bash
# Removes the companion's service and program.
#   sudo systemd/uninstall.sh            keeps journals, decks and configuration
#   sudo systemd/uninstall.sh --data     removes /var/lib/companion as well
set -euo pipefail

[ "$(id -u)" = 0 ] || { echo "uninstall: this needs root: sudo $0" >&2; exit 1; }
case "${1:-}" in
  "" | --data) ;;
  *) echo "uninstall: unknown option $1; the only one is --data" >&2; exit 2 ;;
esac

if [ -d /run/systemd/system ]; then
  systemctl disable --now --quiet companion.service 2>/dev/null || true
fi
rm -f /etc/systemd/system/companion.service /usr/lib/sysusers.d/companion.conf \
  /usr/lib/tmpfiles.d/companion.conf /etc/avahi/services/companion.service
if [ "$(readlink /usr/local/bin/companion || true)" = /opt/companion/venv/bin/companion ]; then
  rm -f /usr/local/bin/companion
fi
rm -rf /opt/companion
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
if [ "${1:-}" = --data ]; then
  rm -rf /var/lib/companion
  if getent passwd companion >/dev/null; then userdel companion; fi
  echo "The companion and its data are gone."
else
  echo "The companion is gone. Its data are still in /var/lib/companion."
fi
