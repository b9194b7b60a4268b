#!/usr/bin/env bash
# A broker and a hub on this machine, to try them out: `make hub`. Nothing is encrypted and nobody needs a password,
# so the broker listens on this machine only. Data: FOLDER, by default ~/.local/share/companion-hub.
#   [MQTT_PORT=1883] [HUB_PORT=8090] systemd/hub/try.sh PYTHON [FOLDER]
set -euo pipefail

python=$1
folder=${2:-${XDG_DATA_HOME:-$HOME/.local/share}/companion-hub}
port=${MQTT_PORT:-1883}
PATH=$PATH:/usr/sbin
command -v mosquitto >/dev/null || { echo "hub: the broker is missing: sudo apt install mosquitto" >&2; exit 1; }

if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
  echo "hub: port $port is in use. Stop the other program, or name another port: MQTT_PORT=1884 make hub" >&2
  exit 1
fi

mkdir -p "$folder"
cat > "$folder/mosquitto.conf" <<END
listener $port 127.0.0.1
allow_anonymous true
persistence true
persistence_location $folder/
max_queued_messages 0
message_size_limit 65536
END
if [ "$(id -u)" = 0 ]; then echo "user root" >> "$folder/mosquitto.conf"; fi
cat > "$folder/hub.toml" <<END
[broker]
host = "127.0.0.1"
port = $port
tls = false

[pages]
port = ${HUB_PORT:-8090}

[database]
url = "${HUB_DATABASE:-sqlite:///$folder/hub.sqlite}"
END

mosquitto -c "$folder/mosquitto.conf" &
broker=$!
trap 'kill "$broker" 2>/dev/null || true' EXIT
echo "A table publishes here with this in its config.toml:"
printf '\n[mqtt]\nhost = "127.0.0.1"\nport = %s\ntls = false\ntable = "window"\n\n' "$port"
"$python" -c 'import sys; from companion.commands.cli import main; sys.exit(main())' hub --config "$folder/hub.toml" &
hub=$!
trap 'kill "$hub" "$broker" 2>/dev/null || true; wait' EXIT
trap 'exit 0' INT TERM
wait "$hub"
