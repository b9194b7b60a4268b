"""Builds the snapshot of everything that is known at the table, without sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from companion.announce.announcement import Announcement
from companion.api.snapshot import (
    DeadlineLeft,
    EntryVerdict,
    EventOffer,
    FieldChoice,
    GameOnTable,
    LogEntry,
    NightSummary,
    PointSums,
    Seat,
    Snapshot,
    SourceState,
)
from companion.core.observations import SourceChanged
from companion.games.contract.offers import Offer
from companion.table.agreement import agreements
from companion.table.questions import OpenQuestions
from companion.table.running_game import RunningGame, finding_of
from companion.table.timeline import Entry

LOG = 100
"""The most entries that are shown, the latest ones."""

COLOURS = ("#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7", "#999999")
"""Colours that colour-blind people can distinguish (Okabe and Ito 2008), with grey instead of black."""
SHAPES = ("circle", "square", "triangle", "diamond", "star", "hexagon", "cross", "drop")
"""Each player has a shape as well."""


def snapshot(
    seq: int,
    game: RunningGame | None,
    questions: OpenQuestions,
    sources: Mapping[str, SourceChanged],
    announcement: Announcement | None,
    announced_at: int,
    night: NightSummary,
) -> Snapshot:
    """The whole snapshot. The seconds left to its deadline are filled in when it is read.

    Args:
        seq: number of the journal's latest line.
        announcement: the latest one, and with `announced_at` the number of the log's last entry then.
        night: the evening so far.
    """
    latest = None
    if announcement is not None:
        latest = msgspec.structs.replace(announcement.announced(), n=announced_at)
    known = Snapshot(
        seq,
        questions=tuple(one.shown() for one in questions),
        sources={name: source_state(change) for name, change in sources.items()},
        announcement=latest,
        night=night,
    )
    return known if game is None else _with_game(known, game)


def source_state(change: SourceChanged) -> SourceState:
    """A source as its latest report left it."""
    if change.why is None:
        return SourceState(change.up)
    return SourceState(change.up, change.why.code, change.why.params)


def seats(players: Sequence[str]) -> tuple[Seat, ...]:
    """The players with colour and shape."""
    return tuple(
        Seat(name, COLOURS[i % len(COLOURS)], SHAPES[i % len(SHAPES)]) for i, name in enumerate(players)
    )


def _with_game(known: Snapshot, game: RunningGame) -> Snapshot:
    seen = game.seen()
    return msgspec.structs.replace(
        known,
        game=GameOnTable(
            game.row.id,
            game.row.name,
            game.book.title,
            msgspec.to_builtins(game.setup.settings),
            seats(seen.players),
        ),
        state=seen.view,
        scores=game.record.scores(),
        winner=tuple(game.record.winner()),
        phase=seen.view["phase"],
        turn=seen.turn,
        log=log(game),
        sums=tuple(PointSums(n, told) for n, told in game.sentences.sums(game.record)),
        offers=tuple(map(offered, seen.offers)),
        paused=game.clock.paused,
        deadline=DeadlineLeft(0.0, game.spotter.deadline_player(seen)),
    )


def offered(offer: Offer) -> EventOffer:
    """An offer of the rules as pages get it."""
    return EventOffer(
        offer.event,
        {
            name: msgspec.convert(msgspec.to_builtins(choice), FieldChoice)
            for name, choice in offer.fields.items()
        },
        offer.optional,
        offer.by,
        offer.rule,
        offer.after,
    )


def log(game: RunningGame, before: int | None = None, most: int = LOG) -> tuple[LogEntry, ...]:
    """The latest entries, or the latest before entry `before`, oldest first, each with what came of it."""
    taken_back, set_aside = game.record.undone(), game.record.overruled()
    agreed = agreements(game.record)
    end = len(game.record.entries) if before is None else before - 1
    states = {step.n: step.before for step in game.record.steps if step.past is None}
    return tuple(
        LogEntry(
            entry.n,
            entry.event,
            sentences=game.sentences.of(entry.n),
            t=game.times.get(entry.n),
            source=game.sources.get(entry.n),
            undone=entry.n in taken_back,
            rejected=entry.code,
            turn=game.turns.get(entry.n),
            rule=entry.rule,
            verdicts=verdicts(game, entry),
            overruled=entry.n in set_aside,
            agreed=agreed.get(entry.n),
            dropped=entry.dropped,
            round=getattr(states.get(entry.n), "round", game.parts.get(entry.n, (None, None))[0]),
            trick=getattr(states.get(entry.n), "trick", game.parts.get(entry.n, (None, None))[1]),
        )
        for entry in game.record.entries[max(0, end - most) : max(0, end)]
    )


def verdicts(game: RunningGame, entry: Entry) -> tuple[EntryVerdict, ...]:
    """The findings about an entry."""
    return tuple(
        EntryVerdict(entry.n, one.player, one.verdict, finding_of(game, entry, one).params, one.rule)
        for one in entry.findings
    )
