#!/bin/sh
# Compiles program and libraries for this machine's Python: the service may not write beside them.
set -e
python=/usr/lib/tabletop-companion/environment/bin/python3
version=$("$python" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
"$python" -m compileall -q -j 0 \
  /usr/lib/tabletop-companion/libraries/common "/usr/lib/tabletop-companion/libraries/$version" \
  /usr/lib/tabletop-companion/program /usr/share/tabletop-companion/models >/dev/null 2>&1 || true
