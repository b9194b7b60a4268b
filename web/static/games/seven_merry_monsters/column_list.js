/* A player's display as a list of columns. */

import { h } from "../../lib/dom.js";
import { _ } from "../../lib/translation.js";
import { monster } from "../../ui/card_pictures.js";

/** A player's columns: monster, cards, and the jokers among them.
    @param {Display | undefined} display
    @param {number} [aside] */
export function columns(display, aside = 0) {
  const entries = Object.entries(display ?? {});
  if (entries.length === 0 && !aside) return null;
  return h(
    "ul",
    { class: "columns" },
    entries.map(([name, column]) =>
      h(
        "li",
        { key: name, "aria-label": columnName(name, column) },
        monster(name),
        h("b", { key: column.cards, arrive: true }, column.cards),
        column.jokers > 0 && h("small", {}, monster("joker"), column.jokers > 1 && column.jokers),
      ),
    ),
    aside > 0 &&
      h(
        "li",
        { class: "aside", "aria-label": _("%(n)s jokers put aside", { n: aside }) },
        monster("joker"),
        h("b", {}, aside),
      ),
  );
}

/** @param {string} name
    @param {ColumnCount} column */
export function columnName(name, column) {
  const text = _("%(monster)s: %(n)s cards", { monster: _(name), n: column.cards });
  return column.jokers > 0 ? `${text}, ${_("%(n)s of them jokers", { n: column.jokers })}` : text;
}
