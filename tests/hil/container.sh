#!/bin/bash
# Inside the container, started by systemd: simulated pins instead of real lines, then the checks that need none.
mkdir -p /etc/systemd/system/companion.service.d
printf '[Service]\nEnvironment=GPIOZERO_PIN_FACTORY=mock\nEnvironment=GPIOZERO_MOCK_PIN_CLASS=mockpwmpin\nDevicePolicy=auto\n' \
  >/etc/systemd/system/companion.service.d/container.conf
sed -i '/slow.conf/d; s#exec /opt#/opt#; s#/hil/checks.py#/hil/checks.py container#' /hil/guest.sh
bash /hil/guest.sh >/hil/out/guest.log 2>&1
echo $? >/hil/out/rc
