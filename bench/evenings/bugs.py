"""Scripts of Bugs & Co: trophies by button, a countdown aloud, tiles photographed at the end."""

from __future__ import annotations

import numpy as np

from bench.evenings.habits import drawn
from bench.evenings.script import NAMES, ButtonPress, PlayedPhoto, Rng, Script, ScriptWriter, SpokenCall
from companion.games.bugs_and_co.game import TWO_EYES
from companion.games.bugs_and_co.state import SAME
from companion.games.contract.number_words import number_word, stop_word

REMOVED = 7
COUNT_S = 1.0
"""Seconds between two numbers."""


def script(seed: int) -> Script:
    """The game of a seed: tiles of two-eyed monsters, two to four players."""
    rng = np.random.default_rng([seed, 777])
    players = NAMES[: int(rng.integers(2, 5))]
    settings = {"countdown": "heard" if rng.random() < 0.75 else "companion"}
    writer = ScriptWriter("bugs_and_co", players, settings)
    writer.end_beat(1.5)
    writer.happen(0.0, {"event": "game_started"}, "buttons", "start by the referee's button")
    writer.presses.append(ButtonPress(0.0, "referee"))
    writer.end_beat(float(rng.uniform(4, 9)))
    _trophies(writer, rng)
    if settings["countdown"] == "heard":
        _count(writer, rng)
    else:
        writer.happen(10.2, {"event": "time_passed"}, "buttons", "countdown of the companion")
        writer.end_beat(11.0)
    _photograph(writer, rng)
    writer.end_beat(1.0, look=True)
    return writer.script(seed, span=0.0)


def _trophies(writer: ScriptWriter, rng: Rng) -> None:
    """One player after the other stops and takes the highest trophy; some press twice."""
    grabbing = list(writer.players)
    while writer.view["trophies"]:
        player = grabbing.pop(int(rng.integers(len(grabbing))))
        value = writer.view["trophies"][0]
        event = {"event": "trophy_taken", "player": player, "value": value}
        moment = "last trophy" if len(writer.view["trophies"]) == 1 else "trophy"
        writer.happen(0.5, event, "buttons", moment)
        button = f"seat {writer.players.index(player) + 1}"
        writer.presses.append(ButtonPress(0.5, button))
        if rng.random() < 0.15:
            writer.presses.append(ButtonPress(0.5 + float(rng.uniform(0.2, 0.6)), button))
        pause = 1.0 if not writer.view["trophies"] else float(rng.uniform(1.0, 5.0))
        writer.end_beat(pause, look=moment == "last trophy")


def _count(writer: ScriptWriter, rng: Rng) -> None:
    """Those who have a trophy count from ten; somebody hurries, repeats or skips a number and corrects it."""
    counting = [player for player, value in writer.view["trophy"].items() if value]
    habits = drawn(rng)
    words = [number_word(number, "en") for number in range(10, 0, -1)] + [stop_word("en")]
    said = []
    for index, word in enumerate(words):
        if 1 < index < 9 and rng.random() < habits.errs:
            said += [(words[index + 1], "a number too early"), (word, "count after a slip")]
        else:
            said.append((word, "count"))
    at = 0.8
    for word, moment in said:
        for player in counting:
            late = 0.0 if player == counting[0] else float(rng.uniform(0.0, 0.12))
            loud = 1.0 if player == counting[0] else float(rng.uniform(0.3, 0.8))
            writer.calls.append(SpokenCall(at + late, player, (word,), loud))
        over = at + 0.55
        begun = round(writer.clock + at, 3)
        times = {"start": begun, "end": round(begun + 0.5, 3)}
        writer.happen(over, {"event": "heard", "words": [word], **times}, "microphone", moment)
        at += COUNT_S * habits.pace * float(rng.uniform(0.9, 1.15))
    writer.end_beat(at + 1.0, look=True)


def _photograph(writer: ScriptWriter, rng: Rng) -> None:
    """Each player's tiles, photographed one after the other."""
    pool = [name for name in TWO_EYES for _ in range(SAME)]
    rng.shuffle(pool)
    pool = pool[REMOVED:]
    for player in writer.players:
        wanted = list(rng.choice(TWO_EYES, 4, replace=False))
        kept = [name for name in pool if name in wanted]
        rest = [name for name in pool if name not in wanted]
        most = int(rng.integers(4, 13))
        tiles = [*kept, *rest[: int(rng.integers(0, 4))]][:most]
        for name in tiles:
            pool.remove(name)
        count = {name: tiles.count(name) for name in dict.fromkeys(tiles)}
        event = {"event": "tiles_scored", "player": player, "tiles": count}
        writer.happen(2.0, event, "photograph", "tiles")
        columns = {name: [name] * many for name, many in count.items()}
        writer.photos.append(PlayedPhoto(2.1, player, columns))
        writer.end_beat(3.0)
