/* The names of cards: of labels ("green 4") and of the cards of events ({monster, number}). */

import { _ } from "./translation.js";

/** What people call a card: of a label ("green 4") or of an event's card ({monster, number}).
    @param {MonsterCard | string | null} card
    @returns {string} */
export function cardName(card) {
  if (typeof card === "object" && card !== null) {
    if (card.monster === "joker") return _("joker");
    if (card.part) return `${_(String(card.monster))} ${_(card.part)}`;
    return card.number === undefined ? _(card.monster) : `${_(card.monster)} ${card.number}`;
  }
  return _(String(card).replaceAll("_", " "));
}

/** "green 4" -> {monster: "green", number: 4}; "joker" -> {monster: "joker"}; other labels stay.
    @param {string} label
    @returns {MonsterCard | string} */
export function cardOfLabel(label) {
  if (label === "joker") return { monster: "joker" };
  const found = /^(.+) (\d+)$/.exec(label);
  return found ? { monster: found[1], number: Number(found[2]) } : label;
}

/** @param {MonsterCard | string} card
    @returns {string} */
export function labelOfCard(card) {
  if (typeof card !== "object" || card === null) return String(card);
  return card.monster === "joker" || card.number === undefined
    ? card.monster
    : `${card.monster} ${card.number}`;
}
