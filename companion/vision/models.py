"""The fitted models that are shipped: networks, which OpenCV runs, and limits."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.core.errors import Unreadable

Floats = NDArray[np.float32]
FOLDER = Path(__file__).resolve().parents[2] / "models" / "vision"


class NetworkRunner:
    """A network in OpenCV; several threads may ask."""

    def __init__(self, data: bytes) -> None:
        self._net: Any = cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))
        self._names = list(self._net.getUnconnectedOutLayersNames())
        self._lock = threading.Lock()

    def forward(self, inputs: NDArray[Any]) -> Floats:
        """The answer of a network with one output."""
        with self._lock:
            self._net.setInput(inputs)
            return np.asarray(self._net.forward(), np.float32)

    def forward_all(self, inputs: NDArray[Any]) -> dict[str, Floats]:
        """The answers by the names of the outputs."""
        with self._lock:
            self._net.setInput(inputs)
            answers = self._net.forward(self._names)
        return {name: np.asarray(one, np.float32) for name, one in zip(self._names, answers, strict=True)}


Limits = TypeVar("Limits", bound=msgspec.Struct)


def shipped_limits(file: str, kind: type[Limits]) -> Limits:
    """The fitted limits in a JSON file below FOLDER, read when first used; what `kind` has no place for, as
    the figures of the fit, is left out.

    Raises:
        Unreadable: the file is damaged, or one of another version.
    """
    limits: Limits = _TRIED.get().get(file) or _read_limits(file, kind)
    return limits


_TRIED: ContextVar[Mapping[str, Any]] = ContextVar("tried limits", default=MappingProxyType({}))


@contextmanager
def limits_in_use(file: str, limits: msgspec.Struct) -> Iterator[None]:
    """Other limits than those of the file below FOLDER, while a fit tries them in this thread."""
    token = _TRIED.set({**_TRIED.get(), file: limits})
    try:
        yield
    finally:
        _TRIED.reset(token)


@cache
def _read_limits(file: str, kind: type[msgspec.Struct]) -> Any:
    try:
        return msgspec.json.decode((FOLDER / file).read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError) as error:
        raise Unreadable("models.damaged_limits", file=FOLDER / file, why=str(error)) from error


@cache
def shipped_network(file: str) -> NetworkRunner:
    """The network in a file below FOLDER, loaded when first used."""
    return NetworkRunner((FOLDER / file).read_bytes())
