"""What is done with a sound that was weighed: the one policy of table, replays and benchmarks.

Each decision has an expected cost, which follows from the probabilities of the right call, of another call
and of none; the cheapest one is taken (A. Wald, 1950). Costs are counted in questions: a question that the
table is asked costs 1. What words mean for the game is left to the rules.
"""

from __future__ import annotations

import enum

import msgspec

from companion.core.weighing import WeighedCall


class Decision(enum.Enum):
    """What is done with an utterance."""

    ACCEPT = "accept"
    """The right call was made: its words go to the rules."""
    ACCUSE = "accuse"
    """Another call was made: its words go to the rules, which find the mistake."""
    ASK = "ask"
    """The table is asked what was said."""
    WAIT = "wait"
    """Nothing now. If a call is due and the time for it runs out, the sound counts then."""

    @property
    def is_heard(self) -> bool:
        """Whether the words go to the rules."""
        return self in (Decision.ACCEPT, Decision.ACCUSE)


class CallPolicy(msgspec.Struct, frozen=True):
    """What wrong decisions cost, in questions."""

    accusation: float = 10.0
    """A player is accused of what was right (configuration: `table.accusation_cost`)."""
    mistake: float = 2.0
    """A mistake passes for a right call, or unnoticed (`table.mistake_cost`)."""
    delay: float = 2.0
    """A call is asked about when the time for it has run out, and not at once (`table.delay_cost`)."""
    on_time: float = 0.97
    """Share of the calls that are made in time: how probable a call is before anything is heard of it
    (`table.on_time`)."""
    unproven: frozenset[str] = frozenset()
    """Languages whose speech model is not measured to be good enough: they never lead to an accusation."""

    def decide(self, weighed: WeighedCall, *, fits: bool, due: bool, language: str = "") -> Decision:
        """The decision about one sound.

        Args:
            weighed: its probabilities.
            fits: whether its words would be right now (companion.core.weighing.fits).
            due: whether a call is due now.
            language: of the speech model, e.g. `de`.
        """
        call = weighed.right + weighed.wrong
        costs = {Decision.WAIT: self.delay * call}
        if due or weighed.words:
            costs[Decision.ASK] = 1.0
        if weighed.words and fits:
            costs[Decision.ACCEPT] = self.mistake * (1.0 - weighed.right)
        if weighed.words and not fits and language not in self.unproven:
            costs[Decision.ACCUSE] = self.accusation * (1.0 - weighed.wrong)
        return _cheapest(costs)

    def decide_at_deadline(self, weighed: WeighedCall, *, fits: bool) -> Decision:
        """The decision about the sound that may have been the call that is due, when the time for it has run
        out: WAIT lets it run out, which accuses the player of no call.

        Args:
            weighed: its probabilities, without regard to `on_time`.
            fits: whether its words are the whole call.
        """
        right = self._on_time(weighed, weighed.right)
        wrong = self._on_time(weighed, weighed.wrong)
        costs = {Decision.WAIT: self._silence_costs(right, wrong), Decision.ASK: 1.0}
        if weighed.words and fits:
            costs[Decision.ACCEPT] = self.mistake * (1.0 - right)
        return _cheapest(costs)

    def asks_for_card(self, weighed: WeighedCall) -> bool:
        """Whether the table is asked for a card when the time for it has run out and none was seen, but a
        sound may have been its call. A card that is missed is as usual as a player who is too late."""
        return self._silence_costs(weighed.right, weighed.wrong) > 1.0

    def asks_before_accusing(self, right: float) -> bool:
        """Whether the table is asked where somebody would be accused who was right with this probability."""
        return self.accusation * right > 1.0

    def decide_player(self, out_of_turn: float) -> Decision:
        """What is done with a card that somebody laid out of turn with this probability: ACCEPT takes it as
        the card of the player on turn, ACCUSE as that of the other one."""
        return _cheapest(
            {
                Decision.ACCEPT: self.mistake * out_of_turn,
                Decision.ACCUSE: self.accusation * (1.0 - out_of_turn),
                Decision.ASK: 1.0,
            }
        )

    def laid_out_of_turn(self, before: float) -> float:
        """The probability that a card was laid out of turn, if its pile is picked up although no call for it
        was heard: if it was laid in turn, that call is missing. `before`: the same without regard to the
        pile."""
        in_turn = (1.0 - before) * (1.0 - self.on_time)
        return before / (before + in_turn) if before else 0.0

    def passes(self, weighed: WeighedCall) -> bool:
        """Whether a sound counts as the call that is due where nobody can be asked, since the table plays
        on: then nobody objected to it, whatever it was."""
        call = self._on_time(weighed, weighed.right + weighed.wrong)
        return self.mistake * (1.0 - call) <= self.accusation * call

    def _silence_costs(self, right: float, wrong: float) -> float:
        """What it costs to find that nothing was said in time: the right call is punished, a wrong one gets
        by under another name."""
        return self.accusation * right + self.mistake * wrong

    def _on_time(self, weighed: WeighedCall, probability: float) -> float:
        """The probability of some of the calls that a sound may be, where a call is more usual than none."""
        call = min(1.0, weighed.right + weighed.wrong)
        total = call * self.on_time + (1.0 - call) * (1.0 - self.on_time)
        return probability * self.on_time / total


def _cheapest(costs: dict[Decision, float]) -> Decision:
    """The decision of the least cost; of equal ones the first of ACCEPT, ASK, ACCUSE and WAIT."""
    order = (Decision.ACCEPT, Decision.ASK, Decision.ACCUSE, Decision.WAIT)
    return min((one for one in order if one in costs), key=lambda one: costs[one])


DEFAULT = CallPolicy()
"""As shipped; the configuration may change it."""
