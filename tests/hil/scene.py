"""What the virtual machine's camera sees: a hand lays a card of our own deck on the pile of The Nasty 7."""

from __future__ import annotations

import numpy as np

from companion.art.draw.raster import Pixels
from companion.art.scene import Conditions, Placed, Scene, View
from companion.art.scene.play import LayMove, Performance

FPS = 10
LAID_S, END_S = 2.0, 7.0
LIGHT = Conditions("cloth", 1.0, (1.0, 1.0, 1.0), 0.3, blur=0.5, noise=2.0, jpeg=92, worn=0.4)


def landing(label: str = "phone") -> list[Pixels]:
    """Seven seconds at FPS pictures a second: an empty table, a hand, a card that stays."""
    rng = np.random.default_rng(7)
    view = View(width=640, height=480, span=330.0, tilt=10.0)
    scene = Scene("nasty_7", view, LIGHT, rng)
    performance = Performance(scene, [LayMove(LAID_S, Placed(label, 4.0, -6.0, 8.0), 90.0)], rng)
    return [performance.frame(number / FPS).image for number in range(int(END_S * FPS))]
