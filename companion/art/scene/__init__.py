"""Camera pictures of our own decks on a table: for the demo, the tests and the benchmarks.

    rng = np.random.default_rng(7)
    cards = layouts.display(layouts.random_display(rng, 12), rng)
    view = layouts.fitted(cards, View(tilt=20))
    picture = Scene("seven_merry_monsters", view, random_conditions(rng), rng).render(cards)

`picture.image` is what a camera would hand over, `picture.truth` which cards are there.
"""

from __future__ import annotations

from companion.art.scene.camera import View, homography, project
from companion.art.scene.layouts import Placed, display, fitted, pile, random_display, scattered
from companion.art.scene.light import Conditions, random_conditions
from companion.art.scene.render import RenderedPicture, Scene, Truth

__all__ = [
    "Conditions",
    "Placed",
    "RenderedPicture",
    "Scene",
    "Truth",
    "View",
    "display",
    "fitted",
    "homography",
    "pile",
    "project",
    "random_conditions",
    "random_display",
    "scattered",
]
