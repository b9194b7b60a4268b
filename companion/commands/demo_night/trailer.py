"""The five games of `companion demo`, each taken up at the moment that shows it best.

Three minutes together. `result` was worked out by hand from the rules, as in the whole games of
companion.commands.demo_night.programme.
"""

from __future__ import annotations

from companion.commands.demo_night.programme import (
    DISPLAYS,
    AnswerQuestion,
    Clear,
    ExpectedResult,
    GamePlan,
    Photograph,
    PhotographTiles,
    Place,
    PlaceCard,
    PressButton,
    Say,
    Step,
    TakeAway,
    Tap,
    ThrowDice,
    TurnOver,
    Wait,
    placed,
)

PLAYERS = ["Ida", "Jo", "Kai"]


def _tap(event: str, after: float = 1.6, **fields: object) -> Tap:
    return Tap("event", {"event": event, **fields}, after)


# --- Seven Merry Monsters ---------------------------------------------------------------------------------


def last_trick() -> GamePlan:
    """The eighth trick, its joker, which is asked about, and the last two cards of each player: 51 points."""
    shown = {
        "Ida": {
            "orange": (1, 0),
            "blue": (3, 1),
            "green": (2, 0),
            "purple": (2, 0),
            "pink": (1, 0),
            "red": (1, 0),
        },
        "Jo": {"red": (2, 0), "green": (1, 0), "blue": (1, 0), "purple": (2, 1)},
        "Kai": {"yellow": (2, 0), "pink": (1, 0), "orange": (2, 0)},
    }
    steps: list[Step] = [
        PlaceCard("Ida", "pink 4"),
        PlaceCard("Jo", "pink 6"),
        PlaceCard("Kai", "joker"),
        Clear("Jo", 2.4),
        PlaceCard("Jo", "joker", 2.8, at=(-330, -70)),
        AnswerQuestion("pink", 3.0),
        PlaceCard("Ida", "red 1", 2.8, at=(-70, 178)),
        PlaceCard("Ida", "yellow 7", 2.6, at=(60, 178)),
        placed("Jo", "blue 7"),
        placed("Jo", "green 1"),
        placed("Kai", "blue 3"),
        placed("Kai", "joker", "blue"),
        Photograph("Ida", DISPLAYS["Ida"], 2.0),
    ]
    return GamePlan(
        "seven_merry_monsters",
        PLAYERS,
        {"target": 50},
        steps,
        ExpectedResult({"Ida": 51, "Jo": 27, "Kai": 28}, ["Ida"]),
        reach_mm=74.0,
        position={
            "phase": "trick",
            "trick": 8,
            "turn": "Ida",
            "leader": "Ida",
            "display": {
                player: {
                    name: {"cards": cards, "jokers": jokers} for name, (cards, jokers) in columns.items()
                }
                for player, columns in shown.items()
            },
        },
    )


# --- The Nasty 7 ------------------------------------------------------------------------------------------


def last_cards() -> GamePlan:
    """A wrong number costs Jo the pile; then Ida gets rid of the last card."""
    steps: list[Step] = [
        PlaceCard("Ida", "racketeer"),
        Say("Ida", "one"),
        PlaceCard("Jo", "twin_racketeer"),
        Say("Jo", "two three"),
        PlaceCard("Ida", "racketeer"),
        Say("Ida", "four"),
        PlaceCard("Jo", "racketeer"),
        Say("Jo", "six"),  # the fifth racketeer: Jo takes four cards
        Clear("Jo", 2.6),
        PlaceCard("Jo", "racketeer"),
        Say("Jo", "one"),
        PlaceCard("Kai", "gun"),
        PlaceCard("Ida", "phone"),
        Say("Ida", "hmmrrr"),
        Wait(2.0),
    ]
    return GamePlan(
        "nasty_7",
        PLAYERS,
        {"deck_size": 12},
        steps,
        ExpectedResult({"Ida": 0, "Jo": 5, "Kai": 3}, ["Ida"], [("Jo", "wrong_number")]),
        position={"round": 3, "turn": "Ida", "stack": {"Ida": 3, "Jo": 4, "Kai": 4}, "box": 1},
    )


# --- Trio Monsters ----------------------------------------------------------------------------------------


def great_catch() -> GamePlan:
    """Four green cards in a row are caught, one card comes loose, and the last cards end the game."""
    table: dict[Place, str] = {
        (0, 0): "green",
        (1, 0): "green",
        (1, -1): "green",
        (0, -2): "orange",
        (0, 1): "yellow",
        (1, 1): "red",
        (0, 2): "blue",
        (1, 2): "purple",
    }
    caught: tuple[Place, ...] = ((0, 0), (1, 0), (1, -1), (2, -1))
    steps: list[Step] = [
        PlaceCard("Ida", "pink", 3.0, at=(0, 3)),
        _tap("turn_ended", player="Ida"),
        PlaceCard("Jo", "green", 3.0, at=(2, -1)),
        TakeAway("Jo", (*caught, (0, -2)), 3.2),
        _tap("turn_ended", player="Jo"),
        PlaceCard("Jo", "orange", 3.0, at=(0, 4)),
        _tap("turn_ended", player="Jo"),
    ]
    return GamePlan(
        "trio_monsters",
        PLAYERS,
        {"deck_size": 60},
        steps,
        ExpectedResult({"Ida": 17, "Jo": 20, "Kai": 17}, ["Jo"], [("Jo", "caught"), ("Jo", "detached")]),
        position={
            "phase": "play",
            "turn": "Ida",
            "draw_pile": 0,
            "hand": {"Ida": 1, "Jo": 1, "Kai": 0},
            "won": {"Ida": 17, "Jo": 16, "Kai": 17},
            "table": [{"at": list(at), "card": card} for at, card in sorted(table.items())],
        },
        lattice=table,
    )


# --- 13 Monsters ------------------------------------------------------------------------------------------

EMPTY: tuple[Place, ...] = (
    *((1, 2), (1, 3), (1, 5), (1, 6), (2, 2), (2, 3), (2, 4), (2, 6), (2, 7)),
    *((3, 1), (3, 2), (3, 4), (3, 5), (3, 6), (3, 7), (4, 1), (4, 2), (4, 3), (4, 4), (4, 5), (4, 6)),
    *((5, 1), (5, 2), (5, 3), (5, 5), (5, 6), (5, 7), (6, 1), (6, 2), (6, 4), (6, 5), (6, 6)),
    *((7, 1), (7, 2), (7, 3), (7, 4), (7, 5), (7, 6), (7, 7)),
)
"""Places without a card: 36 cards of 18 sets, and the gap."""


def elemental_master() -> GamePlan:
    """Jo's attack is beaten off with five dice; then Ida finds the set that makes an Elemental Master."""
    covered = tuple((row, column) for row in range(9) for column in range(9) if (row, column) not in EMPTY)
    parts = {"Ida": ([1, 1, 1], [4, 4, 4], [7, 7, 7]), "Kai": ([3, 2, 6],), "Jo": ([2, 3, 5],)}
    loose = {
        "Ida": [{"monster": 10, "part": "top"}, {"monster": 10, "part": "eyes"}],
        "Kai": [],
        "Jo": [{"monster": 8, "part": "top"}],
    }
    target = {"monster": 10, "part": "top"}
    steps: list[Step] = [
        _tap("attack_declared", 2.0, player="Jo", parts=[2, 3, 5], set=target),
        ThrowDice("Jo", (4, 4, 1, 2, 6), 3.4),
        _tap("throwing_ended", 2.2, player="Jo"),
        ThrowDice("Ida", (6, 6, 5, 3, 2), 3.4),
        _tap("throwing_ended", 2.2, player="Ida"),
        _tap("set_taken", player="Ida", set=None),
        TurnOver("Jo", "5 top left", (4, 0), 3.0),
        TurnOver("Jo", "9 eyes right", (4, 8), 3.0),
        _tap("turn_ended", 2.6, player="Jo"),
        TurnOver("Ida", "10 bottom left", (2, 1), 3.0),
        TurnOver("Ida", "10 bottom right", (6, 7), 3.0),
        Wait(2.0),
    ]
    return GamePlan(
        "thirteen_monsters",
        ["Ida", "Kai", "Jo"],
        {},
        steps,
        ExpectedResult(
            {"Ida": 160, "Kai": 10, "Jo": 10},
            ["Ida"],
            [("Jo", "attack_lost"), ("Ida", "set_found"), ("Ida", "elemental_master")],
        ),
        position={
            "phase": "before_search",
            "dealing": False,
            "turn": "Jo",
            "cards_left": len(covered),
            "empty": [list(at) for at in EMPTY],
            "sets": loose,
            "monsters": {player: [{"parts": one} for one in own] for player, own in parts.items()},
        },
        covered=covered,
    )


# --- Bugs & Co --------------------------------------------------------------------------------------------


def countdown() -> GamePlan:
    """Two trophies by the buttons of the table, the countdown, and the tiles from photographs."""
    tiles: dict[str, dict[str, int]] = {
        "Ida": {"spiral": 3, "claw": 3, "antenna": 1},
        "Jo": {"wing": 3, "shell": 2},
        "Kai": {"spike": 3, "worm": 3, "bat": 1},
    }
    steps: list[Step] = [
        _tap("game_started", 1.0),
        PressButton("seat 3", 3.0),
        PressButton("seat 1", 2.4),
        Wait(7.4),
        *(PhotographTiles(player, own, 2.0) for player, own in tiles.items()),
    ]
    return GamePlan(
        "bugs_and_co",
        PLAYERS,
        {"countdown": "companion", "countdown_step_s": 0.6},
        steps,
        ExpectedResult({"Ida": 7, "Jo": 1, "Kai": 8}, ["Kai"]),
    )


def trailer() -> list[GamePlan]:
    """The games in order."""
    return [last_trick(), last_cards(), great_catch(), elemental_master(), countdown()]
