"""Which monsters the columns of a display show, if no two columns show the same one.

With more columns than monsters, any column may show any monster.
"""

from __future__ import annotations

import numpy as np

from companion.vision.image.picture import Array, Floats


def posterior(logs: Array) -> Floats:
    """The probability (columns, monsters) of each monster for each column, by all assignments of monsters to
    columns. `logs` (columns, monsters) are the logarithms of how likely each column alone shows each monster.

    >>> posterior(np.log([[0.9, 0.1], [0.6, 0.4]])).round(3).tolist()
    [[0.8569999933242798, 0.14300000667572021], [0.14300000667572021, 0.8569999933242798]]
    """
    columns, monsters = logs.shape
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    # The weights of all assignments of the first columns, by the monsters that they use, as bits of a number.
    before = [{0: 1.0}]
    for column in range(columns):
        extended: dict[int, float] = {}
        for used, weight in before[-1].items():
            for monster in _free(used, columns, monsters):
                key = used | 1 << monster
                extended[key] = extended.get(key, 0.0) + weight * float(weights[column, monster])
        before.append(extended)
    # The weights of all assignments of the other columns, by the monsters that are used already.
    after = dict.fromkeys(before[columns], 1.0)
    found = np.zeros((columns, monsters), np.float32)
    for column in reversed(range(columns)):
        rest: dict[int, float] = {}
        for used, weight in before[column].items():
            for monster in _free(used, columns, monsters):
                later = float(weights[column, monster]) * after[used | 1 << monster]
                rest[used] = rest.get(used, 0.0) + later
                found[column, monster] += weight * later
        after = rest
    return np.asarray(found / found.sum(axis=1, keepdims=True))


def assigned(likely: Floats) -> list[int]:
    """For each column its likeliest monster that no surer column shows; `likely` (columns, monsters) are the
    probabilities by `posterior`.

    >>> assigned(posterior(np.log([[0.9, 0.1], [0.6, 0.4]])))
    [0, 1]
    """
    columns, monsters = likely.shape
    found, used = [0] * columns, 0
    for column in np.argsort(-likely.max(axis=1)).tolist():
        free = _free(used, columns, monsters)
        found[column] = free[int(likely[column, free].argmax())]
        used |= 1 << found[column]
    return found


def _free(used: int, columns: int, monsters: int) -> list[int]:
    """The monsters that another column may show."""
    return [monster for monster in range(monsters) if columns > monsters or not used >> monster & 1]
