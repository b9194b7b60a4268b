"""The story of Bugs & Co: trophies, the countdown, and how tiles became points."""

from __future__ import annotations

from companion.core.events import MutableParams
from companion.core.sentence import Sentence, counted
from companion.games.bugs_and_co.state import SAME, BugsAndCoState, points, tiles_in_play
from companion.games.contract.fields import Event
from companion.games.contract.rulebook import Verdict


def story(
    before: BugsAndCoState, event: Event, after: BugsAndCoState, verdicts: tuple[Verdict, ...]
) -> tuple[Sentence, ...]:
    """What an accepted event meant (see `Rulebook.story`)."""
    sentences: list[Sentence] = []
    match event["event"]:
        case "game_started":
            started = {"n": tiles_in_play(before.setup)}
            sentences = [Sentence("started", started, ("BUGS-7", "BUGS-10"))]
        case "trophy_taken":
            sentences = _trophy(event, after)
        case "tile_taken" if not verdicts:
            seat = before.setup.players.index(event["player"])
            taken = {"player": event["player"]}
            sentences = [counted("tile_kept", after.taken[seat], taken, ("BUGS-13",))]
        case "heard":
            sentences = [Sentence("heard", {"words": list(event["words"])}, ("BUGS-R6",))]
        case "time_passed":
            sentences = [Sentence("time_passed", {"seconds": float(event["t"])})]
        case "tiles_scored":
            sentences = [_scored(event, after)]
        case _:
            pass
    sentences += [Sentence(one.verdict, {"player": one.player}, (one.rule, "BUGS-R5")) for one in verdicts]
    counting = _countdown(before, after)
    # Tiles counted after the companion's "stop": the stop came first.
    return (*counting, *sentences) if event["event"] == "tiles_scored" else (*sentences, *counting)


def _trophy(event: Event, after: BugsAndCoState) -> list[Sentence]:
    said = {"player": event["player"], "value": event["value"], "left": list(after.trophies)}
    code = "trophy_taken" if after.trophies else "last_trophy_taken"
    return [Sentence(code, said, ("BUGS-16", "BUGS-17") if after.trophies else ("BUGS-16", "BUGS-18"))]


def _countdown(before: BugsAndCoState, after: BugsAndCoState) -> list[Sentence]:
    if before.phase in ("play", "countdown") and after.phase == "scoring":
        return [Sentence("stop", {}, ("BUGS-19",))]
    if after.countdown is not None and after.countdown != before.countdown:
        return [Sentence("counted_to", {"number": after.countdown}, ("BUGS-18",))]
    return []


def _scored(event: Event, after: BugsAndCoState) -> Sentence:
    """How many whole sets and strays there were, and the sum they make."""
    tiles = event["tiles"]
    seat = after.setup.players.index(event["player"])
    trophy = after.trophy[seat] or 0
    sets = sum(n // SAME for n in tiles.values())
    strays = sum(n % SAME for n in tiles.values())
    said: MutableParams = {
        "player": event["player"],
        "sets": sets,
        "strays": strays,
        "trophy": trophy,
        "sum": f"{sets} × {SAME} − {strays} + {trophy}",
        "points": points(tiles, trophy),
    }
    return Sentence("scored", said, ("BUGS-21", "BUGS-22", "BUGS-23"))
