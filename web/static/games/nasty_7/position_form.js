/* How things stand in The Nasty 7: stacks, pile, box, whose turn, and the number on the pile. */

import { _ } from "../../lib/translation.js";
import { choiceField, countField, countsField, seatField, total } from "../../ui/position_parts.js";

const HIGHEST = 7;

/** @param {PositionForm} form
    @returns {PositionFields} */
export function position(form) {
  const { state, start } = form;
  const cards = total(start.stack) + start.pile + start.box;
  const there = total(state.stack) + state.pile + state.box;
  return {
    fields: [
      seatField(form, "turn", { change: (turn) => form.set({ turn, skipped: null }) }),
      countsField(form, "stack", cards),
      pile(form, cards),
      state.pile > 0 && number(form),
      countField(form, "box", cards),
    ],
    sums: [
      {
        text: _("%(n)s of %(all)s cards in the stacks, on the pile and in the box", { n: there, all: cards }),
        right: there === cards,
      },
    ],
  };
}

/** The pile; without one nothing is counted and nobody has to call.
    @param {PositionForm} form
    @param {number} cards */
function pile(form, cards) {
  /** @param {Record<string, JsonValue>} changes */
  const set = (changes) =>
    form.set(changes.pile === 0 ? { ...changes, count: 0, next_number: 1, call: null, skipped: null } : changes);
  return countField({ ...form, set }, "pile", cards);
}

/** The number that was called last, and whether the count goes up or down.
    @param {PositionForm} form */
function number(form) {
  /** @type {[JsonValue, string][]} */
  const options = [[{ count: 0, next_number: 1 }, _("none yet")]];
  for (let n = 1; n < HIGHEST; n++)
    options.push([{ count: n, next_number: n + 1 }, _("%(n)s, going up", { n })]);
  for (let n = HIGHEST; n > 1; n--)
    options.push([{ count: n, next_number: n - 1 }, _("%(n)s, going down", { n })]);
  const now = { count: form.state.count, next_number: form.state.next_number };
  return choiceField(_("Number on the pile"), now, options, (value) => form.set(value));
}
