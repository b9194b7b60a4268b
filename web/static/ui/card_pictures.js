/* Pictures of cards, monsters and dice. */

import { cardName } from "../lib/cards.js";
import { h } from "../lib/dom.js";

/** The seven of our own deck. */
export const MONSTERS = ["red", "orange", "yellow", "green", "blue", "purple", "pink"];
const DRAWN = new Set([...MONSTERS, "joker"]);
const RACKETEERS = new Set(["racketeer", "twin_racketeer", "phone", "twin_phone", "gun"]);

/** The address of a picture of web/static/art.
    @param {string} name */
export function artAddress(name) {
  return `${document.documentElement.dataset.art}/${name}.svg`;
}

/** A monster's picture; a letter for one that the owner's own deck has and ours has not.
    @param {string} name */
export function monster(name) {
  return DRAWN.has(name)
    ? h("img", {
        class: "monster",
        src: artAddress(name),
        alt: "",
        width: "24",
        height: "24",
        draggable: "false",
      })
    : h("span", { class: "monster letter", "aria-hidden": "true" }, String(name).slice(0, 1).toUpperCase());
}

/** A card as it lies on the table: number and monster, or the racketeer.
    @param {MonsterCard | string} card */
export function card(card) {
  const name = cardName(card);
  if (typeof card === "object" && card !== null && card.monster !== undefined) {
    return h(
      "span",
      { class: "card", role: "img", "aria-label": name },
      card.number !== undefined &&
        card.monster !== "joker" &&
        h("b", { class: card.number === 6 ? "six" : null }, card.number),
      monster(card.monster),
    );
  }
  if (typeof card === "string" && RACKETEERS.has(card))
    return h("span", { class: "card whole", role: "img", "aria-label": name }, racketeer(card));
  return h("span", { class: "card word" }, name);
}

/** The drawn card of The Nasty 7.
    @param {string} label */
export function racketeer(label) {
  return h("img", {
    class: "drawn",
    src: artAddress(`nasty_7/${label}`),
    alt: "",
    width: "63",
    height: "88",
    draggable: "false",
  });
}

/** The face of a die.
    @param {number} value */
export function die(value) {
  return h("img", {
    class: "die-face",
    src: artAddress(`dice/${value}`),
    alt: String(value),
    width: "44",
    height: "44",
    draggable: "false",
  });
}
