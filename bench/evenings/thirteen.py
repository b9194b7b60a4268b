"""Scripts of 13 Monsters: cards turned over in a field, sets taken, fights with dice."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from random import Random

import numpy as np

from bench.evenings.dice import die
from bench.evenings.habits import Habits, drawn, seats
from bench.evenings.script import NAMES, TIMES, Json, Rng, Script, ScriptWriter
from bench.rules.choices import NothingFits
from bench.rules.play import event_of
from companion.art.decks.thirteen_monsters import CARD_MM, SIDES
from companion.art.scene import Placed
from companion.art.scene.moves import ROLL, LayMove, Move, Push, Reach, Take, Throw
from companion.games.contract.offers import Offer, OneOf
from companion.games.thirteen_monsters.sets import KINDS, PARTS
from companion.games.thirteen_monsters.state import GRID

SPAN = 1040.0
PITCH = (48.0, 60.0)
GAP = {(4, 3), (4, 4), (4, 5)}
WHOLE = 10
"""Every so many games all 39 sets lie on the field; otherwise an interrupted game is taken up."""
LEFT = 10
"""Sets on the field of an interrupted game."""
LONGEST = 500
POWERS = {"attack_declared": 0.1, "power_used": 0.1, "traded": 0.04}
"""How often a player does this before a search, where it is possible."""
SETS: tuple[Json, ...] = tuple(
    {"monster": number, "part": part} for number in range(1, KINDS + 1) for part in PARTS
)
Place = tuple[int, int]


@dataclass
class _ThirteenPlay:
    """The physical game beside the true record."""

    writer: ScriptWriter
    rng: Rng
    random: Random
    habits: dict[str, Habits]
    seats: dict[str, float]
    field: dict[Place, Placed]
    up: list[Place] = field(default_factory=list)
    seen: dict[Place, str] = field(default_factory=dict)
    """Faces that the players remember, `7 eyes`."""
    frozen: dict[Place, Placed] = field(default_factory=dict)
    dice: list[Placed] = field(default_factory=list)


def script(seed: int) -> Script:
    """The game of a seed."""
    rng = np.random.default_rng([seed, 13])
    players = NAMES[: int(rng.choice([2, 2, 3]))]
    writer = ScriptWriter("thirteen_monsters", players, {})
    dealt = [] if seed % WHOLE == 0 else [int(n) for n in rng.permutation(len(SETS))[LEFT:]]
    game = _ThirteenPlay(
        writer,
        rng,
        Random(seed),
        {player: drawn(rng) for player in players},
        dict(zip(players, seats(len(players)), strict=True)),
        _laid_out(rng),
    )
    start = tuple(game.field.values())
    for number, player in enumerate(players):
        _deal(game, player, [SETS[i] for i in dealt[number :: len(players)]])
    while not writer.over and len(writer.beats) < LONGEST:
        _act(game)
    writer.end_beat(1.5, look=True)
    return writer.script(seed, SPAN, start=start, tilt=4.0)


def _laid_out(rng: Rng) -> dict[Place, Placed]:
    """The whole field, face down."""
    places = [(row, column) for row in range(GRID) for column in range(GRID) if (row, column) not in GAP]
    labels = [f"{one['monster']} {one['part']} {side}" for one in SETS for side in SIDES]
    rng.shuffle(labels)
    found = {}
    for copy, (label, at) in enumerate(zip(labels, places, strict=True)):
        off = rng.normal(0, (1.0, 1.0, 1.2))
        x, y = (at[1] - 4) * PITCH[0] + float(off[0]), (at[0] - 4) * PITCH[1] + float(off[1])
        found[at] = Placed(label, x, y, float(off[2]), copy, shown=False, size=CARD_MM)
    return found


def _deal(game: _ThirteenPlay, player: str, sets: list[Json]) -> None:
    """Sets that the player owns already: they are entered, and their cards leave the field."""
    writer = game.writer
    if not sets:
        return
    writer.happen(1.5, {"event": "sets_dealt", "player": player, "sets": sets}, "phone", "sets dealt")
    _build(game, 2.0)
    names = {f"{one['monster']} {one['part']}" for one in sets}
    gone = [at for at, card in game.field.items() if card.label.rpartition(" ")[0] in names]
    taken = tuple(game.field.pop(at) for at in gone)
    writer.moves.append(Take(4.0, taken, game.seats[player]))
    writer.end_beat(6.0)


# --- what a player does -------------------------------------------------------------------------------------


def _act(game: _ThirteenPlay) -> None:
    """The next thing, whatever the phase asks for."""
    writer = game.writer
    phase = writer.view["phase"]
    if phase in ("before_search", "final_round") and _special(game):
        return
    if phase == "before_search":
        offers = writer.record.book.expects(writer.record.state)
        ends = [one for one in offers if one.event == "turn_ended"]
        turns = any(one.event == "card_revealed" for one in offers)
        if ends and (not turns or game.rng.random() < 0.3):
            _tap(game, ends, "turn ended")
        else:
            _turn_over(game)
    elif phase == "search":
        ends = [one for one in writer.record.book.expects(writer.record.state) if one.event == "search_ended"]
        if ends and game.rng.random() < 0.5:
            _tap(game, ends, "search ended")
            _turn_back(game)
        else:
            _turn_over(game)
    elif phase in ("attack", "death_battle") and writer.view["turn"] is not None:
        _throw(game)
    else:
        kinds = {"after_search": "turn_ended", "final_round": "turn_ended", "spoils": "set_taken"}
        kind = kinds.get(phase, "monster_chosen")
        offers = writer.record.book.expects(writer.record.state)
        _tap(game, [one for one in offers if one.event == kind], kind.replace("_", " "))


def _special(game: _ThirteenPlay) -> bool:
    """Now and then an attack, a power, or a trade; whether there was one."""
    writer, rng = game.writer, game.rng
    offers = writer.record.book.expects(writer.record.state)
    for kind, chance in POWERS.items():
        fitting = [one for one in offers if one.event == kind]
        if not fitting or rng.random() > chance:
            continue
        offer = fitting[int(rng.integers(len(fitting)))]
        if "at" in offer.fields:
            return _freeze(game, offer)
        if _tap(game, [offer], kind.replace("_", " ")):
            return True
    return False


def _tap(game: _ThirteenPlay, offers: list[Offer], moment: str) -> bool:
    """Something that no sense can know is entered on a phone; whether an offer could be filled in."""
    writer = game.writer
    offer = offers[int(game.rng.integers(len(offers)))]
    try:
        event = event_of(offer, writer.record, game.random)
    except NothingFits:
        return False
    bare = {name: value for name, value in event.items() if name not in TIMES}
    bare.pop("announced", None)
    if writer.record.preview({**bare, "t": writer.clock + 1.0}).code is not None:
        return False
    writer.happen(1.0, bare, "phone", moment)
    if bare["event"] == "attack_declared" and game.frozen:
        writer.moves.append(Take(2.0, tuple(game.frozen.values()), game.seats[bare["player"]]))
        game.frozen.clear()
    _build(game, 1.2)
    writer.end_beat(2.8, look=bare["event"] == "turn_ended")
    return True


def _build(game: _ThirteenPlay, at: float) -> None:
    """Whoever must build a monster chooses its sets."""
    writer = game.writer
    while writer.view["must_build"] and not writer.over:
        offer = game.random.choice(writer.record.book.expects(writer.record.state))
        event = event_of(offer, writer.record, game.random)
        bare = {name: value for name, value in event.items() if name not in TIMES}
        writer.happen(at, bare, "phone", "monster built")


# --- the field ----------------------------------------------------------------------------------------------


def _turn_over(game: _ThirteenPlay) -> None:
    """The player turns a card over; after the search the cards are taken or turned back."""
    writer, rng = game.writer, game.rng
    player = str(writer.view["turn"])
    at = _wanted(game)
    quick = bool(game.up) and rng.random() < 0.08
    pause = 0.95 if quick else float(rng.uniform(1.0, 1.8)) * game.habits[player].pace
    card = game.field[at]
    game.field[at] = replace(card, shown=True)
    writer.moves.append(Push(pause, card, game.field[at], game.seats[player], 0.3))
    if at in game.frozen:
        writer.moves.append(Take(pause - 0.1, (game.frozen.pop(at),), game.seats[player]))
    number, part = card.label.split()[:2]
    face = {"monster": int(number), "part": part}
    event: Json = {"event": "card_revealed", "player": player, "at": list(at), "card": face}
    moment = "second card turned over at once" if quick else "card turned over"
    verdicts = writer.happen(pause + 0.3, event, "camera", moment)
    game.up.append(at)
    game.seen[at] = f"{number} {part}"
    _build(game, pause + 1.5)
    writer.end_beat(pause + (0.4 if len(game.up) == 1 and rng.random() < 0.05 else 1.7))
    if "set_found" in verdicts:
        found = [one for one in game.up if game.field[one].label.split()[:2] == [number, part]]
        taken = [game.field.pop(one) for one in found]
        game.up = [one for one in game.up if one not in found]
        writer.moves.append(Take(1.2, tuple(taken), game.seats[player]))
        writer.end_beat(2.8, look=True)
    if writer.view["phase"] != "search":
        _turn_back(game)


def _turn_back(game: _ThirteenPlay) -> None:
    """What does not match is turned face down again."""
    writer = game.writer
    t = 0.9
    for at in game.up:
        card = game.field[at]
        game.field[at] = replace(card, shown=False)
        writer.moves.append(Push(t, card, game.field[at], game.seats[writer.players[0]], 0.3))
        t += 0.7
    if game.up:
        game.up = []
        fidget: list[Move] = []
        if game.rng.random() < 0.1:
            fidget = [Reach(t + 1.5, float(game.rng.uniform(-150, 150)), 0.0, game.seats[writer.players[-1]])]
        writer.moves += fidget
        writer.end_beat(t + (3.2 if fidget else 1.3))


def _wanted(game: _ThirteenPlay) -> Place:
    """The place that a player with a good memory turns over."""
    free: list[Place] = []
    for offer in game.writer.record.book.expects(game.writer.record.state):
        places = offer.fields.get("at")
        if offer.event == "card_revealed" and isinstance(places, OneOf):
            free += [(at[0], at[1]) for at in places.values if (at[0], at[1]) in game.field]
    faces = Counter(game.seen[at] for at in free if at in game.seen)
    if game.up and game.rng.random() < 0.9:
        last = game.seen[game.up[-1]]
        twin = [at for at in free if game.seen.get(at) == last]
        if twin:
            return twin[0]
    twins = [at for at in free if faces[game.seen.get(at, "")] == 2]
    if twins and not game.up and game.rng.random() < 0.85:
        return twins[0]
    fresh = [at for at in free if at not in game.seen] or free
    return fresh[int(game.rng.integers(len(fresh)))]


def _freeze(game: _ThirteenPlay, offer: Offer) -> bool:
    """A die is laid on a card: Permafrost."""
    writer, rng = game.writer, game.rng
    player = str(writer.view["turn"])
    places = offer.fields["at"]
    assert isinstance(places, OneOf)
    free = [(at[0], at[1]) for at in places.values if (at[0], at[1]) in game.field]
    if not free:
        return False
    at = free[int(rng.integers(len(free)))]
    card = game.field[at]
    thing = die(int(rng.integers(1, 7)), card.x + float(rng.normal(0, 2)), card.y, float(rng.uniform(0, 90)))
    writer.moves.append(LayMove(1.2, thing, game.seats[player], 0.2))
    game.frozen[at] = thing
    event = {"event": "power_used", "player": player, "power": "permafrost", "at": list(at)}
    writer.happen(1.2, event, "camera", "die on a card")
    writer.end_beat(3.0)
    return True


# --- fights -------------------------------------------------------------------------------------------------


def _throw(game: _ThirteenPlay) -> None:
    """A throw of the player whose turn it is: equal dice stay, the others are thrown again."""
    writer, rng = game.writer, game.rng
    player = str(writer.view["turn"])
    seat = 0.0 if game.seats[player] < 180 else 340.0
    best = _best(game.dice)
    battle = writer.view["battle"]
    again = battle["points"].get(player) is not None and bool(game.dice)
    t = 1.2
    if not again and game.dice:
        writer.moves.append(Take(t, tuple(game.dice), seat))
        game.dice, best, t = [], [], t + 1.5
    if again and len(best) >= 4:
        _end_throwing(game, player)
        return
    rest = [one for one in game.dice if one not in best]
    if again:
        writer.moves.append(Take(t, tuple(rest), seat))
        t += 1.5
    thrown = _scattered(rng, 5 - len(best), best)
    writer.moves.append(Throw(t, tuple(thrown), seat))
    values, kept = _values(thrown), _values(best)
    event: Json = {"event": "dice_thrown", "player": player, "dice": values, "kept": kept}
    moment = "some dice thrown again" if kept else "all dice thrown"
    writer.happen(t + ROLL, event, "camera", moment)
    game.dice = [*best, *thrown]
    writer.end_beat(t + ROLL + 2.2, look=writer.view["turn"] != player)
    if writer.view["phase"] not in ("attack", "death_battle") or writer.view["turn"] != player:
        _clear_dice(game, seat)


def _end_throwing(game: _ThirteenPlay, player: str) -> None:
    """The player is content before the last throw."""
    writer = game.writer
    writer.happen(0.8, {"event": "throwing_ended", "player": player}, "phone", "throwing ended")
    _build(game, 1.0)
    writer.end_beat(1.5, look=True)
    _clear_dice(game, 0.0)


def _clear_dice(game: _ThirteenPlay, seat: float) -> None:
    """The dice are taken up."""
    game.writer.moves.append(Take(1.0, tuple(game.dice), seat))
    game.dice = []
    _build(game, 2.0)
    game.writer.end_beat(2.4)


def _best(dice: list[Placed]) -> list[Placed]:
    """The dice that are kept: the group that is worth most, never all five."""
    if not dice:
        return []
    counts = Counter(_values(dice))
    value = max(counts, key=lambda one: (one * counts[one], one))
    same = [one for one in dice if _value(one) == value]
    return same[:4] if len(same) > 1 else []


def _value(thing: Placed) -> int:
    return int(thing.label.split()[1])


def _values(dice: list[Placed]) -> list[int]:
    return [_value(one) for one in dice]


def _scattered(rng: Rng, count: int, lying: list[Placed]) -> list[Placed]:
    """Dice thrown beside the field, apart from each other and from those that lie there."""
    found: list[Placed] = []
    while len(found) < count:
        x, y = float(rng.uniform(355, 470)), float(rng.uniform(-170, 170))
        if all(abs(one.x - x) + abs(one.y - y) > 45 for one in (*found, *lying)):
            found.append(die(int(rng.integers(1, 7)), x, y, float(rng.uniform(0, 90))))
    return found
