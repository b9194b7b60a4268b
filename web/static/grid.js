/* The nine by nine grid of 13 Monsters: where cards may still lie, dice on them, places to be tapped. */

import { h } from "./dom.js";
import { _ } from "./words.js";
import { offersOf, same, valuesOf } from "./offers.js";

const SIZE = 9;
const ROWS = Array.from({ length: SIZE }, (_unused, n) => n);

/** Shows the grid; with `places`, those are buttons. */
export function grid({ gap = [], frozen = [], places = null, left = null, onPick = () => {} }) {
  return h(
    "div",
    {
      class: "grid-nine",
      role: places ? "group" : "img",
      "aria-label": places ? _("Places") : _("The grid of cards"),
    },
    ROWS.flatMap((row) =>
      ROWS.map((column) => {
        const at = [row, column];
        const die = frozen.some((one) => same(one.at, at));
        const hidden =
          gap.some((place) => same(place, at)) ||
          (left !== null && !die && !left.some((place) => same(place, at)));
        const open = places?.some((place) => same(place, at));
        const kind = `cell ${hidden ? "gap" : ""} ${die ? "frozen" : ""}`;
        return open
          ? h("button", {
              type: "button",
              class: `${kind} open`,
              "aria-label": _("row %(row)s, column %(column)s", { row: row + 1, column: column + 1 }),
              onclick: () => onPick(at),
            })
          : h("span", { class: kind });
      }),
    ),
  );
}

/** The grid as it lies; where a search is due, the places that still hold a card are known from the offers. With `onPick` they may be tapped. */
export function board(s, onPick) {
  const left = valuesOf(offersOf(s, "card_revealed"), "at");
  const known = left.length > 0 ? left : null;
  return grid({
    gap: s.game.settings.gap ?? [],
    frozen: s.state.frozen ?? [],
    left: known,
    places: onPick && known,
    onPick,
  });
}
