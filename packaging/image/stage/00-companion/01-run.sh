#!/bin/bash -e
# shellcheck disable=SC2154 # ROOTFS_DIR and on_chroot come from pi-gen
install -d "${ROOTFS_DIR}/var/cache/tabletop-companion"
# Kept on the card: the version that was delivered can be installed again without a network.
install -m644 files/*.deb "${ROOTFS_DIR}/var/cache/tabletop-companion/"
on_chroot << EOF
apt-get install -y --no-install-recommends /var/cache/tabletop-companion/*.deb
rfkill unblock wifi || true
EOF
