/* The triangular lattice of Trio Monsters: what lies where, and free places to be tapped.

   A place is [row, column]; where row + column is even the triangle points up. Corners in half sides across and
   rows down: up (c+1, r) (c, r+1) (c+2, r+1), down (c, r) (c+2, r) (c+1, r+1). */

import { h } from "../../lib/dom.js";
import { _ } from "../../lib/translation.js";
import { artAddress } from "../../ui/card_pictures.js";

const HALF = 32; // half a side, in units of the drawing
const TALL = (HALF * 2 * Math.sqrt(3)) / 2;
export const COLOURS = ["red", "orange", "yellow", "green", "blue", "purple", "pink", "black"];

/** @param {Place} options */
const pointsUp = ([row, column]) => (row + column) % 2 === 0;

/** @param {Place} options
    @returns {Point[]} */
function corners([row, column]) {
  const points = pointsUp([row, column])
    ? [
        [column + 1, row],
        [column, row + 1],
        [column + 2, row + 1],
      ]
    : [
        [column, row],
        [column + 2, row],
        [column + 1, row + 1],
      ];
  return points.map(([x, y]) => [x * HALF, y * TALL]);
}

/** Draws cards [{at, card}] and, as buttons, the places that may be tapped.
    @param {LaidTriangle[]} cards
    @param {Place[]} [places]
    @param {(at: Place) => void} [onPick] */
export function lattice(cards, places = [], onPick = () => {}) {
  /** @type {Place[]} */
  const all = [
    ...cards.map((laid) => laid.at),
    ...places,
    ...(cards.length + places.length === 0 ? [/** @type {Place} */ ([0, 0])] : []),
  ];
  const points = all.flatMap(corners);
  const [left, top] = [0, 1].map((axis) => Math.min(...points.map((point) => point[axis])) - 4);
  const [right, bottom] = [0, 1].map((axis) => Math.max(...points.map((point) => point[axis])) + 4);
  return h(
    "svg",
    {
      class: "lattice",
      viewBox: `${left} ${top} ${right - left} ${bottom - top}`,
      role: places.length > 0 ? "group" : "img",
      "aria-label": places.length > 0 ? _("Free places") : _("%(n)s cards on the table", { n: cards.length }),
    },
    cards.map((laid) => triangle(laid)),
    places.map((at) => freePlace(at, onPick)),
  );
}

/** @param {LaidTriangle} options */
function triangle({ at, card }) {
  const [x, y] = [Math.min(...corners(at).map((point) => point[0])), at[0] * TALL];
  const turned = pointsUp(at) ? "" : ` rotate(180 ${HALF} ${TALL / 2})`;
  const key = `${at}`;
  if (!COLOURS.includes(card)) {
    const middle = [x + HALF, y + TALL * (pointsUp(at) ? 0.66 : 0.34)];
    return h(
      "g",
      { key, arrive: true },
      h("polygon", { class: "unknown", points: corners(at).join(" ") }),
      h(
        "text",
        { x: middle[0], y: middle[1], "text-anchor": "middle", "dominant-baseline": "middle" },
        card.slice(0, 6),
      ),
    );
  }
  return h("image", {
    key,
    href: artAddress(`trio_monsters/${card}`),
    width: HALF * 2,
    height: TALL,
    preserveAspectRatio: "none",
    transform: `translate(${x} ${y})${turned}`,
  });
}

/** @param {Place} at
    @param {(at: Place) => void} onPick */
function freePlace(at, onPick) {
  const run = () => onPick(at);
  return h(
    "g",
    {
      key: `free-${at}`,
      class: "free",
      role: "button",
      tabindex: "0",
      "aria-label": _("row %(row)s, place %(column)s", { row: at[0], column: at[1] }),
      onclick: run,
      onkeydown: (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        run();
      },
    },
    h("polygon", { points: corners(at).join(" ") }),
  );
}

/** Free places round what lies there, or round the middle of an empty table.
    @param {LaidTriangle[]} cards
    @returns {Place[]} */
export function freePlaces(cards) {
  const taken = new Set(cards.map((laid) => `${laid.at}`));
  const found = new Map();
  for (const {
    at: [row, column],
  } of cards.length > 0 ? cards : [{ at: [0, 0] }]) {
    const across = pointsUp([row, column]) ? [row + 1, column] : [row - 1, column];
    for (const place of [[row, column], [row, column - 1], [row, column + 1], across])
      if (!taken.has(`${place}`)) found.set(`${place}`, place);
  }
  return [...found.values()];
}
