"""Short ways to write scripts of Trio Monsters, Bugs & Co and 13 Monsters for the tests of the rulebooks."""

from typing import Any

from rulescripts import replay

from companion.core.errors import BadHeader
from companion.table.record import Record

Json = dict[str, Any]


def refused(game: str, players: list[str], **settings: Any) -> str | None:
    """The code of a bad header, None for a good one."""
    try:
        replay({"game": game, "players": players, "settings": settings}, [])
    except BadHeader as error:
        return error.code
    return None


def names(count: int) -> list[str]:
    return [f"P{n}" for n in range(1, count + 1)]


# --- Trio Monsters ----------------------------------------------------------------------------------------

AB = ["Anna", "Ben"]


def trio(*events: Json, players: list[str] | None = None, **settings: Any) -> Record[Any]:
    return replay({"game": "trio_monsters", "players": players or AB, "settings": settings}, list(events))


def opens(colour: str) -> Json:
    return {"event": "card_revealed", "card": colour, "at": [0, 0]}


def lays(player: str, *cards: tuple[str, int, int]) -> list[Json]:
    """Cards in one turn, each (colour, row, column)."""
    return [
        {"event": "card_played", "player": player, "card": colour, "at": [row, column]}
        for colour, row, column in cards
    ]


def ends(player: str) -> Json:
    return {"event": "turn_ended", "player": player}


def turn(player: str, *cards: tuple[str, int, int]) -> list[Json]:
    return [*lays(player, *cards), ends(player)]


# --- Bugs & Co --------------------------------------------------------------------------------------------

ABC = ["Amy", "Bob", "Cat"]
TEN_TO_ONE = ("ten", "nine", "eight", "seven", "six", "five", "four", "three", "two", "one")


def bugs(*events: Json, players: list[str] | None = None, **settings: Any) -> Record[Any]:
    return replay({"game": "bugs_and_co", "players": players or ABC, "settings": settings}, list(events))


STARTED: Json = {"event": "game_started", "t": 0.0}


def trophy(player: str, value: Any, t: float) -> Json:
    return {"event": "trophy_taken", "player": player, "value": value, "t": t}


def tile(player: str, t: float | None = None, what: str = "taken") -> Json:
    event: Json = {"event": f"tile_{what}", "player": player}
    return event if t is None else {**event, "t": t}


def call(words: str, start: float) -> Json:
    return {"event": "heard", "words": words.split(), "start": start, "end": start + 0.5}


def scored(player: str, **tiles: Any) -> Json:
    return {"event": "tiles_scored", "player": player, "tiles": tiles}


COUNTING = [STARTED, trophy("Amy", 3, 40.0), trophy("Bob", 2, 50.0)]
"""Three players; both trophies are taken, Cat goes on."""
STOPPED = [*COUNTING, *(call(word, 51.0 + n) for n, word in enumerate((*TEN_TO_ONE, "stop")))]


# --- 13 Monsters ------------------------------------------------------------------------------------------

ADA = ["Ada", "Bo"]


def thirteen(*events: Json, players: list[str] | None = None, **settings: Any) -> Record[Any]:
    header = {"game": "thirteen_monsters", "players": players or ADA, "settings": settings}
    return replay(header, list(events))


def a_set(text: str) -> Json:
    """`13 eyes`."""
    number, _, part = text.partition(" ")
    return {"monster": int(number), "part": part}


def parts_as_sets(*parts: int) -> list[str]:
    return [f"{number} {part}" for number, part in zip(parts, ("top", "eyes", "bottom"), strict=True)]


def dealt(player: str, *sets: str) -> Json:
    return {"event": "sets_dealt", "player": player, "sets": [a_set(one) for one in sets]}


def owns(player: str, *parts: int) -> Json:
    """A player is dealt a whole monster."""
    return dealt(player, *parts_as_sets(*parts))


def shows(player: str, row: int, column: int, face: str) -> Json:
    return {"event": "card_revealed", "player": player, "at": [row, column], "card": a_set(face)}


def miss(player: str, row: int = 8) -> list[Json]:
    """A search without a match in one row, and the end of the turn."""
    return [shows(player, row, 0, "11 top"), shows(player, row, 1, "12 eyes"), done(player)]


def finds(player: str, face: str, row: int, column: int = 0) -> list[Json]:
    """Two cards side by side that match."""
    return [shows(player, row, column, face), shows(player, row, column + 1, face)]


def done(player: str) -> Json:
    return {"event": "turn_ended", "player": player}


def declines(player: str) -> Json:
    return {"event": "search_ended", "player": player}


def trades(player: str, other: str, gives: str = "", gets: str = "") -> Json:
    """Sets are separated by commas."""
    lists = {
        key: [a_set(one.strip()) for one in text.split(",") if one.strip()]
        for key, text in (("gives", gives), ("gets", gets))
    }
    return {"event": "traded", "player": player, "with": other, **lists}


def power(player: str, name: str, **fields: Any) -> Json:
    return {"event": "power_used", "player": player, "power": name, **fields}


def freezes(player: str, row: int, column: int, **fields: Any) -> Json:
    return power(player, "permafrost", at=[row, column], **fields)


def builds(player: str, *parts: int) -> Json:
    return {"event": "monster_built", "player": player, "parts": list(parts)}


def attacks(player: str, parts: list[int], target: str) -> Json:
    return {"event": "attack_declared", "player": player, "parts": parts, "set": a_set(target)}


def throws(player: str, *dice: int, kept: list[int] | None = None) -> Json:
    event: Json = {"event": "dice_thrown", "player": player, "dice": list(dice)}
    return event if kept is None else {**event, "kept": kept}


def stops(player: str) -> Json:
    return {"event": "throwing_ended", "player": player}


def throw_and_stop(player: str, *dice: int) -> list[Json]:
    return [throws(player, *dice), stops(player)]


def spoils(player: str, one: str | None) -> Json:
    return {"event": "set_taken", "player": player, "set": None if one is None else a_set(one)}


def chooses(player: str, *parts: int) -> Json:
    return {"event": "monster_chosen", "player": player, "parts": list(parts)}


GRUNTS = [owns("Ada", 1, 4, 7), owns("Bo", 2, 5, 8)]
"""The short game of two players."""
OGS = [
    *(owns("Ada", n, n, n) for n in range(1, 7)),
    *(owns("Bo", n, n, n) for n in range(7, 13)),
]
"""Everything but the 13th Monster is dealt: six OGs each, six cards are left."""
LAST_ROUND = [*OGS, dealt("Ada", "13 top", "13 eyes"), *finds("Ada", "13 bottom", 8)]
"""Ada finds the last set; the final round begins with her. 300 : 240 health points."""
EVEN = [
    *OGS,
    dealt("Ada", "13 top"),
    dealt("Bo", "13 eyes"),
    *finds("Ada", "13 bottom", 8),
]
"""The final round begins with Ada; 240 health points each."""
DEATH_BATTLE = [*EVEN, done("Ada"), done("Bo")]
