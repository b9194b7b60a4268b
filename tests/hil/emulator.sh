# shellcheck shell=bash
# Sourced: a virtual machine without KVM that boots a Debian in a folder.

# disk ROOT KERNEL FOLDER: kernel, initial file system and disk of the Debian in ROOT, which has the modules of the
# kernel KERNEL and busybox-static. The kernel itself is FOLDER/vmlinuz already.
disk() {
  local root=$1 kver=$2 folder=$3 ird=$3/ird list="" module file name
  rm -rf "$ird"
  mkdir -p "$ird"/{bin,proc,sys,dev,newroot,lib}
  cp "$root/usr/bin/busybox" "$ird/bin/"
  for module in virtio_pci virtio_blk crc32c_generic ext4; do
    for file in $(modprobe -d "$root" -S "$kver" --show-depends $module 2>/dev/null | awk '$1=="insmod"{print $2}'); do
      name=$(basename "$file" .xz)
      [ -f "$ird/lib/$name" ] && continue
      case $file in *.xz) xz -dc "$file" >"$ird/lib/$name" ;; *) cp "$file" "$ird/lib/$name" ;; esac
      list="$list $name"
    done
  done
  cat >"$ird/init" <<INIT
#!/bin/busybox sh
B=/bin/busybox
\$B mount -t proc none /proc; \$B mount -t sysfs none /sys; \$B mount -t devtmpfs none /dev
for m in $list; do \$B insmod /lib/\$m; done
n=0; while [ ! -b /dev/vda ] && [ \$n -lt 200 ]; do \$B sleep 0.05; n=\$((n+1)); done
\$B mount -t ext4 /dev/vda /newroot && \$B mount --move /dev /newroot/dev && \$B umount /proc /sys && exec \$B switch_root /newroot /sbin/init
INIT
  chmod +x "$ird/init"
  (cd "$ird" && find . | cpio -o -H newc --quiet | gzip -1) >"$folder/initrd.img"
  rm -f "$folder/disk.ext4"
  truncate -s "$(($(du -sm "$root" | cut -f1) * 12 / 10 + 300))M" "$folder/disk.ext4"
  mkfs.ext4 -q -F -O ^has_journal -d "$root" "$folder/disk.ext4"
}

# emulate FOLDER SHARE [ARCHITECTURE]: boots the disk of FOLDER; what it writes to the disk is forgotten. SHARE is its
# folder of the 9p file system `hil`; the console goes to SHARE/out. ARCHITECTURE: amd64 (the default) or arm64.
# FOLDER/program.ext4, if it is there, is a second disk: an emulated machine reads a thousand files of a 9p file system
# for minutes.
# No AVX: qemu 7.2's gather instruction, in which numpy reads scalars, takes wrong addresses once in a while. The
# HPET as clock would cost the guest half of its time.
emulate() {
  local folder=$1 share=$2 machine console second=()
  [ ! -e "$folder/program.ext4" ] || second=(-drive "file=$folder/program.ext4,if=virtio,format=raw,readonly=on")
  case ${3:-amd64} in
    amd64)
      machine=(qemu-system-x86_64 -machine pc,hpet=off -cpu Nehalem)
      console="ttyS0 clocksource=tsc tsc=reliable"
      ;;
    arm64)
      machine=(qemu-system-aarch64 -machine virt -cpu cortex-a72)
      console=ttyAMA0
      ;;
  esac
  mkdir -p "$share/out"
  rm -f "$share"/out/*
  timeout "${HIL_TIMEOUT:-900}" "${machine[@]}" -accel tcg,thread=multi -smp "${HIL_CPUS:-2}" -m 2048 -nodefaults \
    -no-user-config -display none -no-reboot -kernel "$folder/vmlinuz" -initrd "$folder/initrd.img" \
    -append "console=$console root=/dev/vda rw quiet loglevel=4 mitigations=off audit=0 net.ifnames=0 panic=-1" \
    -drive "file=$folder/disk.ext4,if=virtio,format=raw,snapshot=on,cache=unsafe" "${second[@]}" -serial "file:$share/out/console.log" \
    -fsdev "local,id=hil,path=$share,security_model=none" -device virtio-9p-pci,fsdev=hil,mount_tag=hil \
    -device virtio-rng-pci
}
