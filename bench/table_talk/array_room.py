"""A room with a table, an array of microphones on it, players round it and a loudspeaker, by pyroomacoustics.

Sources are convolved with the responses of a shoebox room (image sources up to its reverberation time). The
loudness of players and loudspeaker at the array is set as in the room with one microphone, so that both
benchmarks mean the same by a decibel.
"""

from __future__ import annotations

import numpy as np

from bench.evenings.room import Sound
from bench.evenings.script import Rng
from bench.table_talk.microphone import CALL_RMS, HISS_DB, TableSound
from bench.table_talk.voices import LOUD, CallerVoice
from companion.speech.audio.wav import RATE
from companion.speech.direction.arrival import ArrivalFinder
from companion.speech.direction.name_lesson import seat_in
from companion.speech.direction.seats import SeatDirection, between
from hardware.streams import ArraySound, Block
from models.speech.train import warp

MICROPHONES = 4
RADIUS_M = 0.032
FARTHEST_S = 0.6
"""Longest reverberation time (s) of the rooms; the shortest is FARTHEST_S / 3."""
SEAT_JITTER_DEG = 12.0
"""Players do not sit at exactly equal distances,"""
LEAN_DEG = 6.0
"""and lean aside by so much (standard deviation) between two calls."""
APART_DEG = 20.0
"""The loudspeaker stands at least so far beside every seat."""


class ArrayRoom:
    """The responses from each seat and from the loudspeaker to each microphone.

    Args:
        players: round the table in this order.
    """

    def __init__(self, players: list[str], rng: Rng) -> None:
        self._rng = rng
        self._size = rng.uniform([3.2, 3.0, 2.4], [6.0, 5.0, 2.8])
        import pyroomacoustics as rooms  # of the extra `bench`, which tests do without

        absorption, order = rooms.inverse_sabine(rng.uniform(FARTHEST_S / 3, FARTHEST_S), self._size)
        self._materials, self._order = rooms.Material(min(0.95, absorption)), min(order, 15)
        self._table = np.array([self._size[0] / 2, self._size[1] / 2, 0.76]) + rng.uniform(-0.3, 0.3, 3)
        self._table[2] = 0.76
        self._turned = float(rng.uniform(0, 360))
        """Direction of the first microphone: an array is put down anyhow."""
        first = float(rng.uniform(0, 360))
        step = 360.0 / len(players)
        self.seats = {
            player: (first + place * step + float(rng.uniform(-SEAT_JITTER_DEG, SEAT_JITTER_DEG))) % 360.0
            for place, player in enumerate(players)
        }
        """Direction of each player in the room, in degrees."""
        self._distances = {player: float(rng.uniform(0.5, 0.9)) for player in players}
        self._heights = {player: float(rng.uniform(0.25, 0.45)) for player in players}
        self.loudspeaker = self._beside_the_seats()

    def from_seat(self, player: str) -> np.ndarray:
        """Responses (microphones x samples) from a player's mouth, who leans a little."""
        degrees = self.seats[player] + float(self._rng.normal(0, LEAN_DEG))
        return self._responses(degrees, self._distances[player], self._heights[player])

    def from_loudspeaker(self) -> np.ndarray:
        """Responses from the loudspeaker: a television by the wall, or somebody who talks there."""
        nearest_wall = float(min(self._table[:2].min(), (self._size[:2] - self._table[:2]).min()))
        return self._responses(self.loudspeaker, min(1.8, nearest_wall - 0.15), 0.4)

    def _beside_the_seats(self) -> float:
        while True:
            degrees = float(self._rng.uniform(0, 360))
            if all(abs(between(degrees, seat)) >= APART_DEG for seat in self.seats.values()):
                return degrees

    def _responses(self, degrees: float, distance: float, height: float) -> np.ndarray:
        import pyroomacoustics as rooms

        room = rooms.ShoeBox(self._size, fs=RATE, materials=self._materials, max_order=self._order)
        places = np.radians(self._turned + np.arange(MICROPHONES) * 360.0 / MICROPHONES)
        circle = np.stack([np.cos(places), np.sin(places), np.zeros(MICROPHONES)]) * RADIUS_M
        room.add_microphone_array(self._table[:, None] + circle)
        angle = np.radians(degrees)
        mouth = np.array([distance * np.cos(angle), distance * np.sin(angle), height])
        room.add_source(self._table + mouth)
        room.compute_rir()
        responses = [room.rir[number][0] for number in range(MICROPHONES)]
        shortest = min(len(one) for one in responses)
        made = np.stack([one[:shortest] for one in responses])
        return made / np.sqrt((made[0] ** 2).sum())


class ArrayTableSound(TableSound):
    """As TableSound, at every microphone of an array; the first one is recognised.

    Args:
        callers: each player's voice.
        noise: what the loudspeaker plays, with a root mean square of 1 where it sounds; None: only hiss.
        snr_db: how far it is below the loud part of a clear call.
    """

    def __init__(self, callers: dict[str, CallerVoice], noise: Sound | None, snr_db: float, rng: Rng) -> None:
        super().__init__(callers, None, snr_db, rng)
        self.room = ArrayRoom(list(callers), rng)
        level = LOUD * CALL_RMS
        hiss = np.stack([warp.coloured(rng, RATE * 12) for _ in range(MICROPHONES)], axis=1)
        self._steady = np.asarray(hiss / hiss.std() * level * 10 ** (HISS_DB / 20), np.float32)
        self._loudspeaker = np.zeros((1, MICROPHONES), np.float32)
        if noise is not None:
            played = _convolved(noise, self.room.from_loudspeaker())
            heard = played[: noise.size].copy()
            heard[: len(played) - noise.size] += played[noise.size :]  # it repeats
            self._loudspeaker = heard * np.float32(level * 10 ** (-snr_db / 20))
        self._calls: list[tuple[int, np.ndarray]] = []

    def add(self, t: float, player: str, words: tuple[str, ...]) -> float:
        """Somebody calls from the moment `t`; returns when the call is over."""
        dry = self.voices[player].say(words)
        self._calls.append((round(t * RATE), _convolved(dry, self.room.from_seat(player))))
        return t + dry.size / RATE

    def heard(self, t: float, count: int) -> Block:
        """The block from the moment `t` on; earlier calls are forgotten."""
        first = round(t * RATE)
        places = np.arange(first, first + count)
        mixed = np.take(self._steady, places, axis=0, mode="wrap").astype(np.float64)
        mixed += np.take(self._loudspeaker, places, axis=0, mode="wrap")
        for begin, sound in self._calls:
            low, high = max(first, begin), min(first + count, begin + len(sound))
            if low < high:
                mixed[low - first : high - first] += sound[low - begin : high - begin]
        self._calls = [one for one in self._calls if one[0] + len(one[1]) > first]
        samples = np.clip(mixed, -32768, 32767).astype(np.int16)
        return Block(samples[:, 0].copy(), t, RATE, array=ArraySound(samples, RADIUS_M))

    def seats(self) -> dict[str, SeatDirection]:
        """The seats as they are learned before the game: each player says something once, without noise."""
        finder = ArrivalFinder(MICROPHONES, RADIUS_M, RATE)
        learned: dict[str, SeatDirection] = {}
        for player in self.voices:
            name = _convolved(self.voices[player].say(("zero", "seven")), self.room.from_seat(player))
            found = seat_in(finder, np.clip(name, -32768, 32767).astype(np.int16), RATE)
            if found is not None:
                learned[player] = found
        return learned


def _convolved(dry: Sound, responses: np.ndarray) -> np.ndarray:
    """samples x microphones."""
    size = warp.good_size(dry.size + responses.shape[1])
    spectrum = np.fft.rfft(dry, size)[None] * np.fft.rfft(responses, size, axis=1)
    wet = np.fft.irfft(spectrum, size, axis=1)[:, : dry.size + responses.shape[1]]
    return np.ascontiguousarray(wet.T, np.float32)
