/* What a reading of a display holds: its cards by column, and the places that somebody must look at.

   Cards are {id, label, confidence, corners, monster}; `monster` is the column a card lies in, for a joker the
   column it was put into (null: aside). A card whose name is not sure has its monster alone as label. Corners
   are pixels of the picture. */

import { cardOfLabel } from "../../lib/cards.js";

/** The monster of a card, which is the column that it belongs to.
    @param {string} label */
export function columnOf(label) {
  const card = cardOfLabel(label);
  return typeof card === "object" ? card.monster : undefined;
}

/** What is known of a card: its monster and number, or its monster alone.
    @param {ShownCard} one
    @returns {MonsterCard | string} */
export const knownCard = (one) =>
  one.label === one.monster && one.label !== "joker" ? { monster: one.label } : cardOfLabel(one.label);

/** Puts every card into its column: monsters by their name, jokers as the recognised display counts them.
    @param {DisplayReading} reading */
export function assignColumns(reading) {
  const openJokers = Object.entries(reading.display ?? {}).flatMap(([name, column]) =>
    Array(column.jokers).fill(name),
  );
  for (const one of reading.cards.filter((card) => card.label === "joker" && card.monster)) {
    const at = openJokers.indexOf(one.monster);
    if (at >= 0) openJokers.splice(at, 1);
  }
  for (const one of reading.cards) {
    if (one.label === "joker") one.monster ??= openJokers.shift() ?? null;
    else one.monster = columnOf(one.label) ?? one.monster;
  }
  return reading;
}

/** @param {ShownCard[]} cards
    @returns {Display} */
export function displayOf(cards) {
  /** @type {Display} */
  const display = {};
  for (const one of cards) {
    if (!one.monster) continue;
    const column = (display[one.monster] ??= { cards: 0, jokers: 0 });
    column.cards += 1;
    if (one.label === "joker") column.jokers += 1;
  }
  return display;
}

/** @param {ShownCard[]} cards */
export function jokersAside(cards) {
  return cards.filter((one) => !one.monster).length;
}

/** What is unsure as sentences.
    @param {DisplayReading} reading */
export function doubtTexts(reading) {
  return reading.unsure.map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
}

/** The places that nobody has answered yet; the display cannot be entered while there is one.
    @param {DisplayReading} reading
    @returns {UnsureCard[]} */
export const openPlaces = (reading) => reading.places ?? [];

/** Takes everything as it was counted: no place is open any more.
    @param {DisplayReading} reading */
export function acceptAll(reading) {
  for (const one of reading.cards) if (isAsked(reading, one)) one.changed = true;
  reading.places = [];
}

/** Whether somebody must look at a card.
    @param {DisplayReading} reading
    @param {ShownCard} one */
export const isAsked = (reading, one) => openPlaces(reading).some((place) => place.card === one.id);

/** The places where no card was counted.
    @param {DisplayReading} reading */
export const emptyPlaces = (reading) => openPlaces(reading).filter((place) => place.card === null);

/** Closes the places that `answered` is true for.
    @param {DisplayReading} reading
    @param {(place: UnsureCard) => boolean} answered */
export function closePlaces(reading, answered) {
  reading.places = openPlaces(reading).filter((place) => !answered(place));
}
