#!/bin/bash
# A home with a router: the cable home0 of this machine leads to the network namespace `router`, which gives out addresses.
set -e
ip netns add router
ip link add home0 type veth peer name port0 netns router
ip -n router addr add 192.168.77.1/24 dev port0
ip -n router link set port0 up
ip -n router link set lo up
ip link set home0 up
ip netns exec router dnsmasq --interface=port0 --bind-interfaces --except-interface=lo --conf-file=/dev/null \
  --port=0 --dhcp-range=192.168.77.20,192.168.77.99 --dhcp-leasefile=/run/router-leases --pid-file=/run/router.pid
nmcli device set home0 managed yes
nmcli --wait 60 connection add type ethernet con-name home ifname home0
