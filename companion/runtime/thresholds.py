"""How sure the senses must be."""

from __future__ import annotations

from companion.core.call_policy import CallPolicy
from companion.core.config import Config
from companion.games.spotter import Thresholds
from companion.speech.model.grammar import unproven_languages


def thresholds_of(config: Config) -> Thresholds:
    """The configured thresholds. The companion's own speech models accuse only in languages whose error rate
    was measured."""
    table = config.table
    unproven = frozenset() if config.speech.model else unproven_languages()
    costs = (table.accusation_cost, table.mistake_cost, table.delay_cost, table.on_time)
    return Thresholds(table.seen, CallPolicy(*costs, unproven))
