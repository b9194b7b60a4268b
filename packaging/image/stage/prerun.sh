#!/bin/bash -e
# shellcheck disable=SC2154 # ROOTFS_DIR and copy_previous come from pi-gen
if [ ! -d "${ROOTFS_DIR}" ]; then
  copy_previous
fi
