/* The Nasty 7 without twins: the set-up asks how many cards each player holds. */

import { h } from "../lib/dom.js";
import { _ } from "../lib/translation.js";

/** The part of the form for a new game that this question reads and changes.
    @typedef {{ players: string[], settings: Record<string, JsonValue>, errors: Record<string, string> }} NewGameForm */

/** @param {PlayableGame} game
    @param {NewGameForm} form */
function withoutTwins(game, form) {
  return game.name === "nasty_7" && form.settings.twins === false && form.settings.cards === undefined;
}

/** Whether the number of cards is missing: the default is the deck with the twins.
    @param {PlayableGame} game
    @param {NewGameForm} form */
export function needsCards(game, form) {
  return withoutTwins(game, form) && form.settings.deck_size === undefined;
}

/** @param {PlayableGame} game
    @param {NewGameForm} form
    @param {() => void} redraw */
export function cardsEach(game, form, redraw) {
  if (!withoutTwins(game, form)) return null;
  const each = Math.floor(Number(form.settings.deck_size ?? 0) / Math.max(1, form.players.length));
  return h(
    "section",
    { class: "field cards-each", key: "cards-each" },
    h("label", { for: "cards-each" }, h("span", {}, _("How many cards does each player hold?"))),
    h("input", {
      id: "cards-each",
      type: "text",
      inputmode: "numeric",
      autocomplete: "off",
      value: each > 0 ? String(each) : "",
      onchange: (event) => {
        const typed = Number(event.target.value.trim());
        if (Number.isInteger(typed) && typed > 0) form.settings.deck_size = typed * form.players.length;
        else delete form.settings.deck_size;
        delete form.errors.cards_each;
        redraw();
      },
    }),
    h("small", { class: "quiet" }, _("Without the twins there are fewer cards: deal them out and count a stack.")),
  );
}
