/* The fields of the form "How things stand": a number, a number for each player, a player, one of several values. */

import { h } from "../lib/dom.js";
import { valueText } from "../lib/event_texts.js";
import { keyName } from "../lib/state_texts.js";
import { _ } from "../lib/translation.js";
import { sign } from "./icons.js";
import { numberField } from "./number_field.js";

/** @param {PositionForm} form
    @param {string} key
    @param {number} high
    @param {number} [low] */
export function countField(form, key, high, low = 0) {
  const name = keyName(key);
  return h(
    "div",
    { class: "how-many", key },
    h("span", {}, name),
    numberField(name, form.state[key], low, high, (to) => form.set({ [key]: to })),
  );
}

/** One number for each player.
    @param {PositionForm} form
    @param {string} key
    @param {number} high */
export function countsField(form, key, high) {
  const values = form.state[key];
  return h(
    "fieldset",
    { class: "position-field", key },
    h("legend", {}, keyName(key)),
    form.s.game.players.map(({ name }) =>
      h(
        "div",
        { class: "how-many" },
        h("span", {}, sign(form.s.game.players, name), name),
        numberField(`${keyName(key)}: ${name}`, values[name], 0, high, (to) =>
          form.set({ [key]: { ...values, [name]: to } }),
        ),
      ),
    ),
  );
}

/** One of several values, each with its text.
    @param {string} label
    @param {JsonValue} value
    @param {[JsonValue, string][]} options
    @param {(value: JsonValue) => void} change
    @param {Child} [glyph] */
export function choiceField(label, value, options, change, glyph) {
  const now = JSON.stringify(value);
  return h(
    "label",
    { class: "how-many", key: label },
    h("span", {}, glyph, label),
    h(
      "select",
      { "aria-label": label, onchange: (event) => change(options[Number(event.target.value)][0]) },
      options.map(([one, text], n) =>
        h("option", { value: String(n), selected: JSON.stringify(one) === now }, text),
      ),
    ),
  );
}

/** A player, or nobody.
    @param {PositionForm} form
    @param {string} key
    @param {{ nobody?: boolean, change?: (player: string | null) => void }} [options] */
export function seatField(form, key, { nobody = false, change = (player) => form.set({ [key]: player }) } = {}) {
  const value = form.state[key];
  /** @type {[JsonValue, string][]} */
  const options = form.s.game.players.map(({ name }) => [name, name]);
  if (nobody || value === null || value === undefined) options.unshift([null, _("nobody")]);
  return choiceField(keyName(key), value ?? null, options, change);
}

/** Any game: its numbers, its numbers for each player, its players and what is true or false.
    @param {PositionForm} form
    @returns {PositionFields} */
export function generalFields(form) {
  const names = form.s.game.players.map((seat) => seat.name);
  const fields = Object.entries(form.state).map(([key, value]) => {
    if (key === "turn" || (typeof value === "string" && names.includes(value))) return seatField(form, key);
    if (typeof value === "number") return countField(form, key, Math.max(1000, value));
    if (typeof value === "boolean")
      return choiceField(
        keyName(key),
        value,
        [true, false].map((one) => [one, valueText(one)]),
        (to) => form.set({ [key]: to }),
      );
    const numbers = value && names.every((name) => typeof value[name] === "number");
    return numbers ? countsField(form, key, Math.max(1000, ...names.map((name) => value[name]))) : null;
  });
  return { fields, sums: [] };
}

/** The sum of the numbers of all players.
    @param {Record<string, number>} values */
export function total(values) {
  return Object.values(values).reduce((sum, value) => sum + value, 0);
}
