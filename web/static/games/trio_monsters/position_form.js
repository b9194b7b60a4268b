/* How things stand in Trio Monsters: whose turn, cards won, hands and the draw pile. */

import { _ } from "../../lib/translation.js";
import { countField, countsField, seatField, total } from "../../ui/position_parts.js";

const HAND = 3;

/** @param {PositionForm} form
    @returns {PositionFields} */
export function position(form) {
  const { state, s } = form;
  const first = s.game.settings.first_player ?? s.game.players[0].name;
  /** Who has won or drawn cards plays already. */
  const playing = {
    ...form,
    /** @param {Record<string, JsonValue>} changes */
    set: (changes) =>
      form.set(state.phase === "setup" ? { ...changes, phase: "play", turn: first } : changes),
  };
  const cards = s.game.settings.deck_size;
  const there = total(state.hand) + total(state.won) + state.draw_pile + state.table.length;
  return {
    fields: [
      seatField(form, "turn", {
        change: (turn) => form.set({ turn, phase: turn === null ? "setup" : "play", laid: 0 }),
      }),
      countsField(playing, "won", cards),
      countsField(playing, "hand", HAND),
      countField(playing, "draw_pile", cards),
    ],
    sums: [
      {
        text: _("%(n)s of %(all)s cards, %(table)s of them on the table", {
          n: there,
          all: cards,
          table: state.table.length,
        }),
        right: there === cards,
      },
    ],
  };
}
