#!/usr/bin/env bash
# Writes the units of a checkout (SOURCE) as the units of the packages (TARGET, a debian folder).
#   units.sh SOURCE TARGET
set -euo pipefail

source=$1 target=$2
sed -e 's|/opt/companion/venv/bin/companion|/usr/bin/companion|' \
  -e 's|/opt/companion/silence.py|/usr/lib/tabletop-companion/program/hardware/silence.py|' \
  "$source/companion.service" >"$target/tabletop-companion.companion.service"
if grep -n /opt/ "$target/tabletop-companion.companion.service"; then
  echo "units: the unit names a path of the checkout's installer" >&2
  exit 1
fi
for unit in "$source"/appliance/*; do
  install -m644 "$unit" "$target/tabletop-companion-appliance.${unit##*/}"
done
