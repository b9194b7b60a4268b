#!/bin/bash
# Inside the virtual machine: the devices of a Pi 4B with a microphone and a camera.
set -e
for module in gpio-sim snd-aloop vimc; do modprobe $module; done
# The camera above the table, and two that give MJPG and YUYV as USB cameras do.
modprobe v4l2loopback video_nr=50,51,52 card_label=table,mjpg,yuyv exclusive_caps=1,1,1
chip=/sys/kernel/config/gpio-sim/pi
mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
mkdir -p $chip/bank0
echo 58 > $chip/bank0/num_lines
echo pinctrl-bcm2711 > $chip/bank0/label
for line in $(seq 0 27); do
  mkdir -p $chip/bank0/"line$line"
  echo "GPIO$line" > "$chip/bank0/line$line/name"
done
echo 1 > $chip/live
# gpiozero asks the processor which Pi it is.
(cat /proc/cpuinfo; printf 'Revision\t: c03115\n') > /run/cpuinfo
mount --bind /run/cpuinfo /proc/cpuinfo
udevadm settle
