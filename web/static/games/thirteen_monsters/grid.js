/* The nine by nine grid of 13 Monsters: where cards may still lie, dice on them, places to be tapped. */

import { h } from "../../lib/dom.js";
import { offersOf, same, valuesOf } from "../../lib/offers.js";
import { _ } from "../../lib/translation.js";
import { partPicture } from "./pictures.js";

const SIZE = 9;
const ROWS = Array.from({ length: SIZE }, (_unused, n) => n);

/** @type {Place[]} */
const EVERY = ROWS.flatMap((row) => ROWS.map((column) => /** @type {Place} */ ([row, column])));

/** Shows the grid; with `places`, those are buttons. `open`: cards that lie face up now.
    @param {{ gap?: Place[], frozen?: { at: Place }[], places?: Place[] | null, open?: FacedCard[],
              onPick?: ((at: Place) => void) | null }} options */
export function grid({ gap = [], frozen = [], places = null, open = [], onPick = null }) {
  return h(
    "div",
    {
      class: places ? "grid-nine tapped" : "grid-nine",
      role: places || open.length > 0 ? "group" : "img",
      "aria-label": places ? _("Places") : _("The grid of cards"),
      onkeydown: places ? moveFocus : null,
    },
    ROWS.flatMap((row) =>
      ROWS.map((column) => {
        /** @type {Place} */
        const at = [row, column];
        const die = frozen.some((one) => same(one.at, at));
        const hidden = gap.some((place) => same(place, at));
        const mayBePicked = places?.some((place) => same(place, at));
        const face = open.find((one) => same(one.at, at));
        const kind = `cell ${hidden ? "gap" : ""} ${die ? "frozen" : ""}`;
        return mayBePicked
          ? h("button", {
              type: "button",
              class: `${kind} open`,
              "data-at": at.join(","),
              "aria-label": _("row %(row)s, column %(column)s", { row: row + 1, column: column + 1 }),
              onclick: () => onPick?.(at),
            })
          : h("span", { class: kind }, face && partPicture(face.card));
      }),
    ),
  );
}

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** The arrow keys move to the next place in their direction that can be chosen.
    @param {KeyboardEvent} event */
export function moveFocus(event) {
  const step = STEPS[event.key];
  const from = /** @type {HTMLElement} */ (event.target).dataset.at?.split(",").map(Number);
  if (!step || !from) return;
  event.preventDefault();
  const group = /** @type {HTMLElement} */ (event.currentTarget);
  let [row, column] = from;
  do {
    row += step[0];
    column += step[1];
    /** @type {HTMLElement | null} */
    const next = group.querySelector(`[data-at="${row},${column}"]`);
    if (next) {
      next.focus();
      return;
    }
  } while (row >= 0 && row < SIZE && column >= 0 && column < SIZE);
}

/** The grid as it lies, with the cards that are turned over now. The faces of other cards that were seen stay hidden:
    to remember them is the game. Where sets were dealt before the game nobody knows which places they came from: the
    places that may be turned over are shown in a search, otherwise all of which it is not known that they are empty.
    With `onPick` the places that may be turned over can be tapped.
    @param {ThirteenSnapshot} s
    @param {((at: Place) => void) | null} onPick */
export function gridOfGame(s, onPick) {
  const open = valuesOf(offersOf(s, "card_revealed"), "at");
  const { revealed = [], seen = [], frozen = [], empty = [] } = s.state;
  const lying = [...open, ...revealed, ...frozen.map((one) => one.at)];
  const isEmpty = (/** @type {Place} */ at) => !lying.some((place) => same(place, at));
  const none = open.length > 0 ? EVERY.filter(isEmpty) : [...(s.game.settings.gap ?? []), ...empty];
  return grid({
    gap: none,
    frozen,
    open: seen.filter((one) => revealed.some((at) => same(at, one.at))),
    places: onPick && open.length > 0 ? open : null,
    onPick,
  });
}
