#!/bin/bash
# Inside the virtual machine, as root: this checkout's program takes the place of the installed one, then the checks.
set -e
program=/hil/program # with what vm.sh has compiled: the service may not write there
if [ -b /dev/vdb ]; then # not in a container
  mkdir -p /mnt/program
  mount -o ro /dev/vdb /mnt/program
  program=/mnt/program
fi
site=$(/opt/companion/venv/bin/python -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
for package in companion hardware web models; do
  rm -rf "${site:?}/$package"
  mkdir "$site/$package"
  mount --bind "$program/$package" "$site/$package"
done
install -m644 "$site/hardware/silence.py" /opt/companion/silence.py
install -m644 "$program/systemd/companion.service" /etc/systemd/system/companion.service
# A processor that is emulated by a busy machine is slower than any Pi.
install -d /etc/systemd/system/companion.service.d
printf '[Service]\nTimeoutStartSec=240\nTimeoutStopSec=60\nWatchdogSec=30\n' > /etc/systemd/system/companion.service.d/slow.conf
systemctl daemon-reload
install -d -o companion -g companion -m 750 /var/lib/companion
install -o companion -g companion -m 640 /hil/config.toml /var/lib/companion/config.toml
exec /opt/companion/venv/bin/python /hil/checks.py
