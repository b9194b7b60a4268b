"""One process with some of the tables; `python -m bench.hall` starts it.

Reads commands, one a line, from standard input: `cut N` and `mend N` (the network of group N), `stop` (end
the games, send the rest), `exit`. Writes one line of JSON for each game that ended, and `{"drained": true}`
when everything is acknowledged.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
from pathlib import Path
from random import Random
from time import sleep

from bench.hall.games import EndedGame, PlayingTable, played_games
from bench.hall.relay import Relay
from companion.core.config import Mqtt
from companion.mqtt.device import MqttDevice

GROUP = 10
"""Tables that share one network."""
CLOCK_OFF_S = 300
"""The tables' clocks are wrong by up to so many seconds."""


def main() -> None:
    """Runs the tables until `exit`."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--broker", type=int, required=True)
    parser.add_argument("--first", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--games", type=int, required=True)
    parser.add_argument("--speed", type=float, required=True)
    given = parser.parse_args()
    games = played_games(given.games, given.first)
    lock = threading.Lock()

    def ended(one: EndedGame) -> None:
        with lock:
            print(json.dumps(one._asdict()), flush=True)

    relays = [Relay(given.broker) for _ in range(-(-given.count // GROUP))]
    tables = []
    for number in range(given.count):
        name = f"t{given.first + number}"
        off = Random(name).uniform(-CLOCK_OFF_S, CLOCK_OFF_S)
        table = PlayingTable(name, given.folder / name, games, off, ended, given.speed)
        table.start()
        config = Mqtt(host="127.0.0.1", port=relays[number // GROUP].port, tls=False, table=name)
        device = MqttDevice(config, table, table.journal, table.folder)
        device.start()
        tables.append((table, device))
    print(json.dumps({"groups": len(relays)}), flush=True)
    for line in sys.stdin:
        word, _, number = line.strip().partition(" ")
        if word == "cut":
            relays[int(number)].cut()
        elif word == "mend":
            relays[int(number)].mend()
        elif word == "stop":
            for table, _device in tables:
                table.stop()
            while not all(device.complete for _table, device in tables):
                sleep(0.2)
            print(json.dumps({"drained": True}), flush=True)
        elif word == "exit":
            break
    for _table, device in tables:
        device.stop()


if __name__ == "__main__":
    main()
