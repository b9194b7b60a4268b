#!/usr/bin/env bash
# Installs, upgrades, downgrades, removes and purges the packages in Debian 12 and 13, without a network.
#   install.sh [SUITE[/ARCHITECTURE]...]      bookworm/amd64 and trixie/amd64 if none is named
# Needs root, debhelper, mmdebstrap and 4 GB in DEB_TEST_CACHE. For another architecture also qemu-user-static.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/debian.sh"

install() { inside "dpkg --force-confold -i /packages/$1/tabletop-companion_*.deb /packages/$1/tabletop-companion-data_*.deb" >"$log" 2>&1 || { tail -n 20 "$log" >&2; fail "dpkg -i of $1"; }; }
state() { find "$root/usr" "$root/etc" "$root/var/lib" "$root/var/backups" "$root/opt" \
  \( -path "$root/var/lib/dpkg" -o -path "$root/var/lib/systemd" \) -prune -o -print | sed "s|^$root||" | sort; }

check_installed() {
  local version=$1
  grep -q '^companion, version' <<<"$(inside 'companion --version')" || fail "companion --version"
  [ "$(inside "dpkg-query -W -f '\${Version}' tabletop-companion")" = "$version" ] || fail "version $version is not installed"
  inside 'companion rules nasty_7 >/dev/null' || fail "companion rules"
  local found
  found=$(inside 'companion doctor' || true)
  grep -qE '^found +speech model' <<<"$found" || fail "no speech model: $found"
  grep -qE '^found +deck nasty_7' <<<"$found" || fail "no deck: $found"
  ! grep -qE 'Error|Traceback' <<<"$found" || fail "an error in doctor: $found"
  inside 'test -z "$(find /var/lib/companion -user root)"' || fail "data that the service cannot write"
  inside 'find /usr/lib/tabletop-companion/program/companion -name "__pycache__" | grep -q .' || fail "nothing is compiled"
  inside 'systemd-analyze verify --man=no companion.service 2>&1 | grep -i companion' && fail "systemd finds fault with the unit"
  inside 'getent passwd companion >/dev/null && stat -c "%U %a" /var/lib/companion' | grep -q '^companion 750$' ||
    fail "user and folder"
}

# The service as the unit starts it: until it says that it is ready and answers a request.
check_runs() {
  inside 'mkdir -p /run/companion && chown companion /run/companion && cd /run/companion
    groups=$(id -G companion | tr " " ,)
    setpriv --reuid=companion --regid=companion --groups="$groups" env COMPANION_DATA=/var/lib/companion \
      companion serve --no-browser >/tmp/serve.log 2>&1 &
    pid=$!
    for i in $(seq 600); do grep -q "pages are at" /tmp/serve.log && break; kill -0 $pid || break; sleep 0.5; done
    grep -q "pages are at" /tmp/serve.log || { cat /tmp/serve.log; exit 1; }
    python3 - <<PY
import json, urllib.request
state = json.load(urllib.request.urlopen("http://127.0.0.1:8080/state.json", timeout=60))
assert isinstance(state, dict) and state
PY
    kill $pid; wait $pid' >"$log" 2>&1 || { tail -n 20 "$log" >&2; fail "the service does not become ready"; }
}

run() {
  local suite=$1 architecture=$2 begun=$SECONDS
  root=$cache/root-$suite-$architecture log=$cache/test-$suite-$architecture.log
  unpacked
  cp -r "$packages" "$root/packages"
  state >"$cache/before"

  install old
  check_installed $OLD
  check_runs
  say "$suite/$architecture: installed without a network, the service is ready"
  inside 'runuser -u companion -- sh -c "echo \"# mine\" > /var/lib/companion/config.toml"'
  echo '<!-- changed by the owner -->' >>"$root/etc/avahi/services/companion.service"

  install new
  check_installed $NEW
  check_runs
  grep -q 'changed by the owner' "$root/etc/avahi/services/companion.service" || fail "the upgrade replaced a changed file"
  grep -q mine "$root/var/lib/companion/config.toml" || fail "the upgrade lost the configuration"
  say "$suite/$architecture: upgraded; data and changed files are kept"

  install old
  check_installed $OLD
  check_runs
  grep -q mine "$root/var/lib/companion/config.toml" || fail "the downgrade lost the configuration"
  say "$suite/$architecture: downgraded; data are kept"

  inside 'dpkg -r tabletop-companion tabletop-companion-data' >"$log" 2>&1 || { cat "$log" >&2; fail "dpkg -r"; }
  [ -f "$root/var/lib/companion/journal.sqlite" ] || fail "removal deleted the journal"
  [ ! -e "$root/usr/lib/tabletop-companion" ] || fail "removal left $(find "$root/usr/lib/tabletop-companion" | head -5)"
  say "$suite/$architecture: removed; data are kept"

  inside 'dpkg -P tabletop-companion tabletop-companion-data' >"$log" 2>&1 || { cat "$log" >&2; fail "dpkg -P"; }
  grep -q 'a backup of the games stays in /var/backups/tabletop-companion-' "$log" || fail "purge does not name its backup"
  state >"$cache/after"
  left=$(comm -13 "$cache/before" "$cache/after" | grep -vE '^/var/backups/tabletop-companion-[0-9-]+\.zip$' || true)
  [ -z "$left" ] || fail "purge left: $left"
  ! grep -q '^companion:' "$root/etc/passwd" || fail "purge left the user"
  say "$suite/$architecture: purged; nothing is left but the backup that was named ($((SECONDS - begun)) s)"
  rm -rf "$root"
}

[ $# -gt 0 ] || set -- bookworm/amd64 trixie/amd64
for each in "$@"; do
  suite=${each%%/*} architecture=${each#*/}
  [ "$architecture" != "$suite" ] || architecture=amd64
  base service "$suite" "$architecture" "$SERVICE"
  packages "$architecture"
  run "$suite" "$architecture"
done
say "${#} of ${#} passed"
