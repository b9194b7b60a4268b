"""Which monsters columns are of, if no two of them are of the same one."""

from __future__ import annotations

import numpy as np

from companion.vision.image.picture import Array, Floats


def assigned(logs: Array) -> list[int]:
    """For each row (column of the display) another column (monster) of the logarithms of likelihoods
    (rows, columns) so that all together are likeliest; with more rows than columns, columns are used again.

    >>> assigned(np.log([[0.9, 0.1], [0.6, 0.4]]))
    [0, 1]
    """
    rows, count = logs.shape
    best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
    for row in range(rows):
        after: dict[int, tuple[float, tuple[int, ...]]] = {}
        for used, (total, path) in best.items():
            for column in _free(used, rows, count):
                key, value = used | 1 << column, total + float(logs[row, column])
                if key not in after or value > after[key][0]:
                    after[key] = (value, (*path, column))
        best = after
    return list(max(best.values())[1])


def posterior(logs: Array) -> Floats:
    """The probability (rows, columns) of each column for each row, by all assignments.

    >>> posterior(np.log([[0.9, 0.1], [0.6, 0.4]])).round(3).tolist()
    [[0.8569999933242798, 0.14300000667572021], [0.14300000667572021, 0.8569999933242798]]
    """
    rows, count = logs.shape
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    before = [{0: 1.0}]
    for row in range(rows):
        before.append(_extended(before[-1], weights[row], rows))
    after = dict.fromkeys(before[rows], 1.0)
    found = np.zeros((rows, count), np.float32)
    for row in reversed(range(rows)):
        rest: dict[int, float] = {}
        for used, weight in before[row].items():
            for column in _free(used, rows, count):
                later = float(weights[row, column]) * after[used | 1 << column]
                rest[used] = rest.get(used, 0.0) + later
                found[row, column] += weight * later
        after = rest
    return np.asarray(found / found.sum(axis=1, keepdims=True))


def _extended(before: dict[int, float], weights: Floats, rows: int) -> dict[int, float]:
    """The weights of all assignments of one row more, by the columns that are used, as bits."""
    after: dict[int, float] = {}
    for used, weight in before.items():
        for column in _free(used, rows, len(weights)):
            key = used | 1 << column
            after[key] = after.get(key, 0.0) + weight * float(weights[column])
    return after


def _free(used: int, rows: int, count: int) -> list[int]:
    """The columns that another row may have."""
    return [column for column in range(count) if rows > count or not used >> column & 1]
