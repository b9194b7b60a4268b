"""Tracks the cards on the table: every card keeps its name until its place changes.

A card that was recognised when it lay free is remembered when another one covers it. Readings of a changed
place are compared with what lay there: the same card at the same place is nothing new, a pushed card has
moved, a card from below was uncovered, and only what is none of these has landed. A card laid on an equal
card (a pile) differs from a pushed card by what the first one leaves: on a pile its visible slivers look as
before; where a card was pushed the table shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from companion.core.observations import Sighting
from companion.vision.image.picture import Array, Floats, Image
from companion.vision.tracking.tracked_card import (
    QuadMasks,
    TrackedCard,
    card_height,
    corner_distance,
    corners_of,
    covered_share,
    fits_better_where_it_was,
    is_unchanged,
    moved_card,
    nudged,
    push_between,
    renew,
    tracked_card,
)

SAME_POSE = 0.018
"""Mean distance of the corners, in heights of a card, below which a card has not moved."""
LARGEST_PUSH = 1.0
"""In heights of a card: a card that was pushed farther counts as laid anew."""
SAME_POSE_HIDDEN = 0.06
"""The same for a card that was out of sight: within this it lies just where it lay."""
MOST_HIDDEN = 12
"""So many cards out of sight are remembered."""
UNCERTAIN_POSE = 0.5
"""The same for a card whose pose is not certain: seen under a hand or another card, or nothing changed."""
UNCOVERED_POSE = 0.12
"""The same for a card that came to light because what lay on it has gone: that may have dragged it along."""
INEXACT_POSE = 0.1
"""The same up to which the corners of a card that has not moved may be read otherwise in bad light. An equal
card farther off is another one, however much what lies where the first one lay looks like it."""
COVERED_SHARE = 0.3
"""Share of a card under others above which it counts as covered."""
CHANGED_SHARE = 0.25
"""Share of a card that must differ from the background before it can have landed."""
CALM_SHARE = 0.05
"""Share of a card's place that may differ from the background if the card is not there."""
FREE_SHARE = 0.8
"""Share of a card that no other covers from which its pose is used."""


@dataclass(frozen=True, eq=False)
class PlaceChange:
    """What a reading of a changed place means: the cards that landed, those that were taken away, and the
    outlines of all cards that were seen there or have gone."""

    landed: tuple[Sighting, ...]
    removed: tuple[Sighting, ...]
    outlines: tuple[Floats, ...]


class CardTracker:
    """The cards on the table, lowest first."""

    def __init__(self) -> None:
        self.cards: list[TrackedCard] = []
        self._hidden: list[TrackedCard] = []

    def clear(self) -> None:
        """Nothing is known any more."""
        self.cards.clear()
        self._hidden.clear()

    def typical_height(self) -> float | None:
        """How long a card is in the picture, in pixels; None until one was seen."""
        return float(np.median([card_height(card.quad) for card in self.cards])) if self.cards else None

    def move(self, motion: Floats) -> None:
        """The camera was bumped: everything is elsewhere in the picture, by `motion` (2 x 3, in pixels)."""
        self.cards = [moved_card(card, motion) for card in self.cards]
        self._hidden = [moved_card(card, motion) for card in self._hidden]

    def taken_back(self, differs: Array, shares: QuadMasks, t: float, calm_s: float) -> list[TrackedCard]:
        """The cards that landed under a hand which took them away again: their places have looked as before
        for `calm_s`. They are known no longer. `differs`: from the background, at the moment t."""
        gone = []
        for card in [one for one in self.cards if one.unsettled]:
            calm = shares.share(differs, shares.mask([card.quad]).astype(bool)) < CALM_SHARE
            card.calm_since = (t if card.calm_since is None else card.calm_since) if calm else None
            if card.calm_since is not None and t - card.calm_since >= calm_s:
                gone.append(card)
                self.cards.remove(card)
        return gone

    def learn(self, seen: Sequence[Sighting], image: Image, gain: Floats) -> None:
        """Cards that lay there all the time, uppermost first; those known already are passed over."""
        new = [tracked_card(one, image, gain, False) for one in seen if not self.is_known(one)]
        self.cards = [*reversed(new), *self.cards]

    def is_known(self, sighting: Sighting) -> bool:
        """Whether an equal card is known to lie near."""
        return any(is_near(card, [sighting]) for card in self.cards)

    def slip_under(self, card: TrackedCard, upper: Sequence[Sighting]) -> None:
        """A card lies just below the lowest of some known ones, which were laid on it."""
        lowest = next(at for at, one in enumerate(self.cards) if one.sighting in upper)
        self.cards.insert(lowest, card)

    def touching(self, region: Array, shares: QuadMasks) -> list[TrackedCard]:
        """The cards that lie at least partly in the region."""
        return [card for card in self.cards if (shares.mask([card.quad]) & region).any()]

    # --- a reading ----------------------------------------------------------------------------------------

    def update(
        self,
        seen: Sequence[Sighting],
        region: Array,
        differs: Array,
        shares: QuadMasks,
        image: Image,
        gain: Floats,
        held: bool = False,
        hidden: bool = False,
        brought: bool = True,
        settled: bool = True,
    ) -> PlaceChange:
        """What the cards `seen` at the place `region` mean, where `differs` from the background.

        With `held` an arm is in the region: cards may have come, but none has gone. With `hidden` the place
        reaches out of the picture, so it may be an arm after all that was taken for something that went:
        cards that are gone then are remembered; seen again just where they lay, they have not landed. Unless
        something was `brought` by an arm, a card that lies near an equal one is that one. A place that has
        not `settled` but lies open shows cards that have come or were pushed, and none that has gone.
        """
        moved = region.astype(bool) & differs
        kept: list[TrackedCard] = []
        fresh: list[Sighting] = []
        quiet: list[Sighting] = []
        pushes: list[Floats] = []
        over = np.zeros(differs.shape, np.uint8)
        bared = self._bared(seen, image, gain)
        for sighting in sorted(seen, key=lambda s: (s in bared, -s.confidence)):
            quad = corners_of(sighting)
            whole = shares.mask([quad]).astype(bool)
            own = whole & ~over.astype(bool)
            over |= shares.mask([quad], 0.04)
            free = own.sum() > FREE_SHARE * whole.sum()
            calm = shares.share(moved, own) < CHANGED_SHARE
            vague = calm or not free or not brought
            old = bared.get(sighting) or self._known_card(sighting, seen, kept, vague, gain, image)
            if old is not None:
                kept.append(old)
                if free and not held:
                    pushes.append(push_between(old.quad, quad))
                    renew(old, sighting, image, gain)
            else:
                (quiet if calm else fresh).append(sighting)
        fresh, back = self._split_reappeared(fresh)
        quiet += back
        new = [corners_of(sighting) for sighting in [*fresh, *quiet]]
        gone = [] if held else self._removed_cards(kept, new, pushes, region, shares, image, gain)
        if not settled:  # what was pushed along has been moved; more is not known yet
            gone = []
        landed = [s for s in fresh if not self._was_uncovered(s, gone, moved, shares)]
        self.cards = [card for card in self.cards if card not in gone]
        if hidden:
            self._hidden = [*self._hidden, *gone][-MOST_HIDDEN:]
        below = [tracked_card(sighting, image, gain, held) for sighting in quiet]
        above = [tracked_card(sighting, image, gain, held) for sighting in fresh]
        for card in above if held else self.touching(region.astype(bool), shares):
            card.unsettled = held  # what is not held becomes background now
        self.cards = [*below, *self.cards, *above]
        self._raise(kept, [*kept, *above])
        removed = () if hidden else tuple(card.sighting for card in gone)
        return PlaceChange(
            tuple(landed), removed, (*(corners_of(s) for s in seen), *(card.quad for card in gone))
        )

    def _known_card(
        self,
        sighting: Sighting,
        seen: Sequence[Sighting],
        taken: Sequence[TrackedCard],
        vague: bool,
        gain: Floats,
        image: Image,
    ) -> TrackedCard | None:
        """The card on the table that the sighting shows: where it lay, or pushed a little.

        `seen`: all that is seen now; an equal card that is nearer to where a card lay shows that one.
        `vague`: the sighting's own place has not changed, or others cover it, so that its pose is inexact; or
        no other card can have come.
        """
        quad = corners_of(sighting)
        equal = [corners_of(other) for other in seen if other.label == sighting.label]
        near: list[tuple[float, TrackedCard]] = []
        for card in self.cards:
            if card.sighting.label == sighting.label and card not in taken:
                distance = corner_distance(quad, card.quad)
                nearest = min(corner_distance(other, card.quad) for other in equal)
                if distance < LARGEST_PUSH and distance <= nearest:
                    near.append((distance, card))
        near.sort(key=lambda pair: pair[0])
        for distance, card in near:
            covers = self._covers(card)
            if vague:
                same = distance < UNCERTAIN_POSE
            elif covers:
                # It came to light only if what lay on it has gone; without a trace of that, it has not.
                same = distance < (UNCERTAIN_POSE if card.held else UNCOVERED_POSE) and all(
                    not is_near(c, seen)
                    and is_unchanged(c, [quad], image, gain) is False
                    and nudged(c, [quad], image, gain) is None
                    for c in covers
                )
            elif card.held:
                same = distance < UNCERTAIN_POSE
            else:
                same = (
                    distance < SAME_POSE
                    or (distance < INEXACT_POSE and fits_better_where_it_was(card, quad, image, gain))
                    or not is_unchanged(card, [quad], image, gain)
                )
            if same:
                return card
        return None

    def _bared(self, seen: Sequence[Sighting], image: Image, gain: Floats) -> dict[Sighting, TrackedCard]:
        """The covered cards that came to light, at least in part, because what lay on them was pushed."""
        found: dict[Sighting, TrackedCard] = {}
        for sighting in seen:
            quad, others = corners_of(sighting), [one for one in seen if one is not sighting]
            for card in [one for one in self.cards if one not in found.values()]:
                near = UNCERTAIN_POSE if card.held else UNCOVERED_POSE
                equal = card.sighting.label == sighting.label and corner_distance(quad, card.quad) < near
                if equal and _was_bared(card, self._covers(card), others, image, gain):
                    found[sighting] = card
        return found

    def _split_reappeared(self, fresh: Sequence[Sighting]) -> tuple[list[Sighting], list[Sighting]]:
        """Those that have come, and those that only were out of sight."""
        come: list[Sighting] = []
        back: list[Sighting] = []
        for sighting in fresh:
            quad = corners_of(sighting)
            known = [
                card
                for card in self._hidden
                if card.sighting.label == sighting.label
                and corner_distance(quad, card.quad) < SAME_POSE_HIDDEN
            ]
            (back if known else come).append(sighting)
            self._hidden = [card for card in self._hidden if card not in known[:1]]
        return come, back

    def _covers(self, card: TrackedCard) -> list[TrackedCard]:
        """The cards that lie on much of this one."""
        above = self.cards[self.cards.index(card) + 1 :]
        return [other for other in above if covered_share(card.quad, [other.quad]) > COVERED_SHARE]

    def _removed_cards(
        self,
        kept: Sequence[TrackedCard],
        new: Sequence[Floats],
        pushes: Sequence[Floats],
        region: Array,
        shares: QuadMasks,
        image: Image,
        gain: Floats,
    ) -> list[TrackedCard]:
        """The cards whose place has changed, that were not seen again and of which nothing is left.

        What lay under a card that was pushed may have been pushed with it: then it looks as before, there.
        What lies under a card that is still there cannot have gone.
        """
        gone: list[TrackedCard] = []
        for index in reversed(range(len(self.cards))):
            card = self.cards[index]
            if card in kept:
                continue
            if shares.share(region.astype(bool), shares.mask([card.quad]).astype(bool)) < 0.5:
                continue
            still_there = [c for c in self.cards[index + 1 :] if c not in gone]
            above = [*new, *(c.quad for c in still_there)]
            left = is_unchanged(card, above, image, gain)
            seen = [*new, *(c.quad for c in still_there if c in kept)]
            if left is True or (left is None and covered_share(card.quad, seen) >= 0.6):
                continue
            if covered_share(card.quad, [c.quad for c in still_there]) > COVERED_SHARE:
                continue
            pushed = (moved_card(card, push) for push in pushes)
            along = next((c for c in pushed if is_unchanged(c, above, image, gain)), None)
            along = along or nudged(card, above, image, gain)
            if along is None:
                gone.append(card)
            else:
                self.cards[index] = along
        return gone[::-1]

    def _was_uncovered(
        self, sighting: Sighting, gone: Sequence[TrackedCard], moved: Array, shares: QuadMasks
    ) -> bool:
        """Whether the card had lain below one that was taken away: what stuck out of it has not changed."""
        quad = corners_of(sighting)
        over = [card.quad for card in gone if covered_share(quad, [card.quad]) > 0.1]
        if not over:
            return False
        whole = shares.mask([quad], -0.06).astype(bool)
        outside = whole & ~shares.mask(over, 0.06).astype(bool)
        if outside.sum() < 0.08 * whole.sum():
            return False
        return shares.share(moved, outside) < 0.3

    def _raise(self, kept: Sequence[TrackedCard], seen: Sequence[TrackedCard]) -> None:
        """Cards that were seen again lie above those that were not and that they cover."""
        for card in kept:
            below = [
                c for c in self.cards if c is not card and covered_share(c.quad, [card.quad]) > COVERED_SHARE
            ]
            hidden = [c for c in below if c not in seen]
            if hidden and self.cards.index(card) < max(self.cards.index(c) for c in hidden):
                self.cards.remove(card)
                self.cards.append(card)


def _was_bared(
    card: TrackedCard, covers: Iterable[TrackedCard], seen: Sequence[Sighting], image: Image, gain: Floats
) -> bool:
    """Whether something lay on a card and all of it was pushed, and the card looks as before where it lay."""
    pushed: list[Floats] = []
    for cover in covers:
        now = [corners_of(one) for one in seen if is_near(cover, [one])]
        if not now or min(corner_distance(quad, cover.quad) for quad in now) < SAME_POSE:
            return False
        pushed += now
    return bool(pushed and is_unchanged(card, pushed, image, gain))


def is_near(card: TrackedCard, seen: Iterable[Sighting]) -> bool:
    """Whether the card is seen where it lay, or pushed a little."""
    return any(
        one.label == card.sighting.label and corner_distance(corners_of(one), card.quad) < UNCERTAIN_POSE
        for one in seen
    )
