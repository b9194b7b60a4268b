"""The Nasty 7 (Jacques Zeimet, Drei Hasen in der Abendsonne 2015/2019): count aloud, and never hesitate.

Everything here happens in time. What has run out is settled before an event is judged, and stands even if
the event is rejected then. Rule ids refer to the digest (`companion rules nasty_7`).

Readings of the vocabulary where it leaves a choice:

- Every event of the game that carries a time in order settles what has run out, also one whose fields are
  bad; `undone` and unknown events settle nothing.
- The next card that falls on a finished last card (a gun, or any card in `on_accusation`) ends the game and
  is itself `game_over`: it leaves no stack. `time_passed` is never `game_over` itself.
- Whoever has no card left when a pile is taken away has won: the card cannot be called any more, and it was
  not that player's fault (N7-31 by analogy with N7-R16).
- Once a call's time has run out, the caller starts the new round: a card that falls then is judged in it.
- A round's invented sound is compared like everything else: without regard to case, digits as numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import msgspec

from companion.core.errors import BadSetting
from companion.core.events import StateView
from companion.core.sentence import Sentence
from companion.games.contract.event_times import moment_of
from companion.games.contract.fields import Event, EventKind, Setup
from companion.games.contract.legality import Breach
from companion.games.contract.offers import Offer
from companion.games.contract.rulebook import RejectedAfter, Rulebook, Ruling
from companion.games.nasty_7.calls import number_of
from companion.games.nasty_7.hesitation import clock_started, expired
from companion.games.nasty_7.legality import breach
from companion.games.nasty_7.playing import effects, ended_by_next_card
from companion.games.nasty_7.position import call_as_json, placed
from companion.games.nasty_7.proposals import proposals
from companion.games.nasty_7.state import Nasty7Settings, Nasty7State
from companion.games.nasty_7.story import story
from companion.games.nasty_7.vocabulary import EVENTS


class Nasty7(Rulebook[Nasty7State]):
    """The rules of The Nasty 7."""

    name: ClassVar[str] = "nasty_7"
    title: ClassVar[str] = "The Nasty 7"
    seats: ClassVar[range] = range(2, 7)
    settings_type: ClassVar[type[msgspec.Struct]] = Nasty7Settings
    state_type: ClassVar[type[msgspec.Struct]] = Nasty7State
    events: ClassVar[Mapping[str, EventKind]] = EVENTS

    def check_settings(self, setup: Setup) -> None:
        """Every player needs a card (N7-3)."""
        super().check_settings(setup)
        if setup.settings.dealt() < len(setup.players):
            raise BadSetting("setting.too_few_cards")

    def start(self, setup: Setup) -> Nasty7State:
        """The deal (N7-3, N7-5): what cannot be dealt evenly goes to the box."""
        each, box = divmod(setup.settings.dealt(), len(setup.players))
        return Nasty7State(
            setup=setup,
            phase="play",
            round=1,
            turn=setup.settings.first_player or setup.players[0],
            skipped=None,
            racketeers=0,
            sound=setup.settings.sound,
            stacks=(each,) * len(setup.players),
            pile=0,
            box=box,
            call=None,
            winners=(),
            time=0.0,
        )

    def play(self, state: Nasty7State, event: Event) -> Ruling[Nasty7State]:
        """Settles what has run out, then judges the event (see Rulebook.play)."""
        return self._judge(state, event, pardoned=False)

    def pardon(self, state: Nasty7State, event: Event) -> Ruling[Nasty7State]:
        """Judges the event with every mistake set aside: a wrong call was right, a late card in time, a skip
        waived, an accusation withdrawn (N7-R12: the table decides)."""
        return self._judge(state, event, pardoned=True)

    def lapse(self, state: Nasty7State, event: Event, pardoned: bool = False) -> Ruling[Nasty7State] | None:
        """What the event's time settles (N7-22); None if nothing has run out."""
        if self.untimely(self.kind_of(event), state, event) is not None or event["event"] == "position":
            return None
        return expired(state, moment_of(event), pardoned)

    def timed(self, state: Nasty7State, event: Event) -> Nasty7State:
        """After a `position` the time of the call starts with the next event that has one."""
        return clock_started(state, moment_of(event))

    def breach(self, state: Nasty7State, event: Event) -> Breach | None:
        """Whose card it is, and whether there is a call to doubt, once all is settled that has run out."""
        return breach(state, event, expired(state, moment_of(event), pardoned=False))

    def effects(self, state: Nasty7State, event: Event) -> Ruling[Nasty7State]:
        """What a legal event does, after what has run out."""
        return effects(state, event, expired(state, moment_of(event), pardoned=False))

    def waivers(self, state: Nasty7State, event: Event) -> Iterable[Mapping[str, Any]]:
        """Nobody has to skip (N7-13)."""
        return ({"skipped": None},)

    def carried_over(
        self,
        state: Nasty7State,
        was: Nasty7State,
        there: Nasty7State,
        without: frozenset[str] = frozenset(("count", "next_number")),
    ) -> Nasty7State | None:
        """The racketeers on the pile decide the numbers, which go up and down."""
        racketeers = max(0, state.racketeers + there.racketeers - was.racketeers)
        counted = msgspec.structs.replace(state, racketeers=racketeers)
        return super().carried_over(counted, was, there, without)

    def explained(
        self, before: Nasty7State, event: Event, ruling: Ruling[Nasty7State]
    ) -> tuple[Sentence, ...]:
        """What the event meant (see `Rulebook.story`)."""
        return story(before, event, ruling.state, ruling.verdicts)

    def proposals(self, state: Nasty7State) -> Iterable[Offer]:
        """Cards, calls and doubts up to the next deadline, and whose card may fall after it."""
        return proposals(state, self.deadline(state))

    def deadline(self, state: Nasty7State) -> float | None:
        """When the time for the call or for the next card is up (N7-R3); exactly then is still in time."""
        if state.call is None or state.call.since is None or state.phase == "over":
            return None
        limit: float = state.call.since + state.setup.settings.hesitation_s
        return limit

    def view(self, state: Nasty7State) -> StateView:
        """The JSON state."""
        return {
            "phase": state.phase,
            "round": state.round,
            "turn": state.turn,
            "skipped": state.skipped,
            "count": number_of(state.racketeers),
            "next_number": number_of(state.racketeers + 1),
            "sound": None if state.sound is None else list(state.sound),
            "stack": self.scores(state),
            "pile": state.pile,
            "box": state.box,
            "call": None if state.call is None else call_as_json(state.call),
        }

    def placed(self, state: Nasty7State, shown: Mapping[str, Any], given: Mapping[str, Any]) -> Nasty7State:
        """Stacks, pile, count and call as agreed."""
        return placed(state, shown, given)

    def scores(self, state: Nasty7State) -> dict[str, int]:
        """Cards left in the stacks; fewest is best."""
        return dict(zip(state.setup.players, state.stacks, strict=True))

    def winner(self, state: Nasty7State) -> list[str]:
        """Who has played all cards (N7-31)."""
        return list(state.winners)

    def _judge(self, state: Nasty7State, event: Event, pardoned: bool) -> Ruling[Nasty7State]:
        kind = self.kind_of(event)
        found = self.untimely(kind, state, event)
        if found is not None:
            raise found.rejected()
        if event["event"] == "position":  # agreed by the table: no deadline is settled before it
            found = self.ill_formed(kind, state, event)
            if found is not None:
                raise found.rejected()
            return Ruling(self.agreed(state, event))
        state = self.timed(state, event)
        settled = expired(state, moment_of(event), pardoned)
        found = self.ill_formed(kind, state, event) or breach(state, event, settled, pardoned)
        if found is None:
            return effects(state, event, settled, pardoned)
        if settled is None and found.code == "game_over":
            settled = ended_by_next_card(state, event)
        if settled is None:
            raise found.rejected()
        raise RejectedAfter(found.code, settled, found.rule)
