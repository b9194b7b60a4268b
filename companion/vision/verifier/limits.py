"""The fitted limits of what the verifier decides. `python -m bench --fit eyes` writes them, with the data on
which they were fitted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import msgspec

from companion.vision.namer.network import FOLDER

ABOUT = "verifier/verifier.json"


@dataclass(frozen=True)
class PlaceLimits:
    """Soft pictures. The probability of a card is the share of exp(slope * log odds + offset) among those of
    all cards and one; above `least` it is named."""

    slope: float
    offset: float
    least: float


@dataclass(frozen=True)
class PlacesLimits:
    """Soft pictures by deck: a deck whose likeness is above `similar` has cards that the verifier hardly
    tells apart."""

    similar: float
    different: PlaceLimits
    alike: PlaceLimits

    def of(self, likeness: float) -> PlaceLimits:
        """Those of a deck of this likeness."""
        return self.alike if likeness > self.similar else self.different


@dataclass(frozen=True)
class TableLimits:
    """Cards on a table: log odds up to which a name is refused, in decks of a likeness up to `similar` and in
    others."""

    similar: float
    different: float
    alike: float

    def least(self, likeness: float) -> float:
        """Those of a deck of this likeness."""
        return self.alike if likeness > self.similar else self.different


@dataclass(frozen=True)
class FieldLimits:
    """Places of the field of 13 Monsters: the probability of the likeliest card above which the place shows
    it."""

    card: float


class VerifierLimits(msgspec.Struct, frozen=True):
    """All of them."""

    places: PlacesLimits
    table: TableLimits
    field: FieldLimits


@lru_cache(maxsize=1)
def verifier_limits() -> VerifierLimits:
    """The limits that are shipped."""
    return msgspec.json.decode((FOLDER / ABOUT).read_bytes(), type=VerifierLimits)
