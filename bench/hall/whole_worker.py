"""One process with whole tables; `python -m bench.hall --whole N` starts it. Commands and reports are those
of bench.hall.worker; `restart` does nothing here."""

from __future__ import annotations

import json
import sys
import threading
from random import Random
from time import sleep

from bench.hall.ended import EndedGame
from bench.hall.games import played_games
from bench.hall.playing_table import PlayingTable
from bench.hall.relay import Relay
from bench.hall.worker import CLOCK_OFF_S, GROUP, parser, say
from companion.core.config import Mqtt
from companion.mqtt.device import MqttDevice


def main() -> None:
    """Runs the tables until `exit`."""
    given = parser().parse_args()
    games = played_games(given.games, given.first)
    lock = threading.Lock()

    def ended(one: EndedGame) -> None:
        with lock:
            say(one)

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
