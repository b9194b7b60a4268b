#!/usr/bin/env bash
# Makes the virtual environment of a package: it serves every Python version for which there are libraries.
#   environment.sh ROOT FOLDER      FOLDER: where the package is installed, below ROOT
set -euo pipefail

folder=$2
environment=$1$folder/environment
mkdir -p "$environment/bin"
ln -sfn /usr/bin/python3 "$environment/bin/python3"
# Like `python3 -m venv --system-site-packages`: picamera2 and lgpio of Raspberry Pi OS are found.
printf '%s\n' 'home = /usr/bin' 'include-system-site-packages = true' >"$environment/pyvenv.cfg"
for libraries in "$1$folder"/libraries/python*; do
  version=${libraries##*/}
  site=$environment/lib/$version/site-packages
  mkdir -p "$site"
  printf '%s\n' "$folder/libraries/$version" "$folder/libraries/common" "$folder/program" >"$site/companion.pth"
done
