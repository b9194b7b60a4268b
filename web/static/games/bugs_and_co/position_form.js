/* How things stand in Bugs & Co: who has which trophy, and how many tiles everybody has taken. */

import { _ } from "../../lib/translation.js";
import { keyName } from "../../lib/state_texts.js";
import { choiceField, countsField, total } from "../../ui/position_parts.js";
import { sign } from "../../ui/icons.js";
import { h } from "../../lib/dom.js";

/** @param {PositionForm} form
    @returns {PositionFields} */
export function position(form) {
  const { state, s } = form;
  const taken = total(state.taken);
  const playing = {
    ...form,
    /** @param {Record<string, JsonValue>} changes */
    set: (changes) => form.set(state.phase === "setup" ? { ...changes, phase: "play" } : changes),
  };
  return {
    fields: [
      h(
        "fieldset",
        { class: "position-field", key: "trophy" },
        h("legend", {}, keyName("trophy")),
        s.game.players.map(({ name }) =>
          choiceField(
            name,
            state.trophy[name],
            [null, ...available(form, name)].map((value) => [value, value === null ? _("none") : String(value)]),
            (value) => form.set(withTrophy(form, name, value)),
            sign(s.game.players, name),
          ),
        ),
      ),
      countsField(playing, "taken", state.tiles),
    ],
    sums: [
      {
        text: _("%(n)s of %(all)s tiles taken", { n: taken, all: state.tiles }),
        right: taken <= state.tiles,
      },
    ],
  };
}

/** The trophies left and the player's own, highest first.
    @param {PositionForm} form
    @param {string} player
    @returns {number[]} */
function available({ state }, player) {
  const own = state.trophy[player];
  return [...new Set([...state.trophies, ...(own === null ? [] : [own])])].sort((a, b) => b - a);
}

/** The player has this trophy (null: none): the others are left. After the last one the tiles are counted.
    @param {PositionForm} form
    @param {string} player
    @param {number | null} value */
function withTrophy({ state }, player, value) {
  const own = state.trophy[player];
  const left = [...state.trophies, ...(own === null ? [] : [own])];
  if (value !== null) left.splice(left.indexOf(value), 1);
  const trophies = left.sort((a, b) => b - a);
  const phase = trophies.length > 0 ? "play" : state.phase === "countdown" ? "countdown" : "scoring";
  const counted = Object.fromEntries(Object.keys(state.trophy).map((name) => [name, null]));
  return {
    trophy: { ...state.trophy, [player]: value },
    trophies,
    phase,
    ...(phase === "play" && { countdown: null, counted }),
    ...(phase === "scoring" && { countdown: null }),
  };
}
