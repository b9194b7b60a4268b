/* Pictures of 13 Monsters: parts, and monsters of three parts. A number stands beside each part: the monsters are
   told apart by it as well. */

import { cardName } from "../../lib/cards.js";
import { h } from "../../lib/dom.js";
import { _ } from "../../lib/translation.js";
import { artAddress } from "../../ui/card_pictures.js";

/** @typedef {{ monster: number, part: string }} Part */
/** @typedef {{ species?: string, parts: number[], hp?: number, throws?: number, spent?: boolean }} Built */

export const PARTS = ["top", "eyes", "bottom"];

/** @param {Part} part */
function partArt({ monster, part }) {
  return h("img", {
    src: artAddress(`thirteen_monsters/${part}_${monster}`),
    alt: "",
    width: "44",
    height: "28",
    draggable: "false",
  });
}

/** A part with its number; its name is read out.
    @param {Part} part */
export function partPicture(part) {
  return h(
    "span",
    { class: "part", role: "img", "aria-label": cardName(/** @type {any} */ (part)) },
    partArt(part),
    h("b", { "aria-hidden": "true" }, part.monster),
  );
}

/** Loose parts in a row; their number is in the heading of the row.
    @param {Part[]} parts */
export function partRow(parts) {
  return h(
    "ul",
    { class: "parts", "aria-label": _("Sets") },
    parts.map((part) => h("li", { key: `${part.part}-${part.monster}` }, partPicture(part))),
  );
}

/** A built monster: its three parts below each other, what it is, its health points and throws.
    @param {Built} one */
export function monsterPicture(one) {
  const name = one.species ? speciesName(one.species) : "";
  const numbers = one.parts.join("-");
  return h(
    "span",
    { class: one.spent ? "built spent" : "built" },
    h(
      "span",
      { class: "stack", role: "img", "aria-label": [name, numbers].filter(Boolean).join(" ") },
      one.parts.map((monster, n) => partArt({ monster, part: PARTS[n] })),
    ),
    h("span", { "aria-hidden": "true", class: "numbers" }, numbers),
    one.hp !== undefined && h("small", {}, _("%(n)s HP", { n: one.hp })),
  );
}

/** An OG is written as on its card.
    @param {string} name */
function speciesName(name) {
  return name === "og" ? "OG" : _(name);
}

/** Whether a value is a part of a monster.
    @param {JsonValue} value
    @returns {value is Part} */
export function isPart(value) {
  return value !== null && typeof value === "object" && PARTS.includes(value.part);
}

/** Parts to be picked, one row of pictures for each layer.
    @param {Part[]} parts
    @param {Part[] | null} chosen null: one is picked
    @param {(part: Part) => void} onPick */
export function partGrid(parts, chosen, onPick) {
  return PARTS.map((layer) => {
    const all = parts.filter((one) => one.part === layer);
    return (
      all.length > 0 &&
      h(
        "div",
        { class: "part-grid", role: "group", "aria-label": _(layer) },
        all.map((one) =>
          h(
            "button",
            {
              type: "button",
              class: "part-key",
              "aria-label": cardName(/** @type {any} */ (one)),
              "aria-pressed": chosen && String(chosen.includes(one)),
              onclick: () => onPick(one),
            },
            partArt(one),
            h("b", {}, one.monster),
          ),
        ),
      )
    );
  });
}
