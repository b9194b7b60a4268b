"""Pig as the rest of the companion knows it."""

from __future__ import annotations

from companion.games.game import Game
from pig.rules import Pig

GAME = Game(package="pig", rulebook=Pig(), photographed="dice")
