/* A player's display as a television shows it: each column with its cards and what it is worth, and the rounds. */

import { h } from "../../lib/dom.js";
import { _, ngettext } from "../../lib/translation.js";
import { monster } from "../../ui/card_pictures.js";
import { columnName } from "./column_list.js";
import { displayWorth } from "./worth.js";

/** @param {SevenSnapshot} s
    @param {string} player */
export function tableDisplay(s, player) {
  const worth = displayWorth(s, player);
  const aside = s.state.aside?.[player] ?? 0;
  const hidden = (s.state.face_down?.[player] ?? []).reduce((sum, n) => sum + n, 0);
  return [
    h(
      "ul",
      { class: "display-columns" },
      Object.entries(s.state.display?.[player] ?? {}).map(([name, column]) =>
        columnView(name, column, worth?.columns[name]),
      ),
      aside > 0 &&
        h(
          "li",
          { key: "aside", "aria-label": _("%(n)s jokers put aside", { n: aside }) },
          monster("joker"),
          h("b", {}, aside),
        ),
    ),
    h(
      "p",
      { class: "display-sums quiet" },
      [
        worth?.points !== null &&
          worth !== null &&
          ngettext("%(n)s point this round", "%(n)s points this round", worth.points),
        hidden > 0 && _("%(n)s face down", { n: hidden }),
        roundsText(s, player),
      ]
        .filter(Boolean)
        .join(" · "),
    ),
  ];
}

/** @param {string} name
    @param {ColumnCount} column
    @param {number | undefined} points */
function columnView(name, column, points) {
  return h(
    "li",
    { key: name, "aria-label": columnName(name, column) },
    monster(name),
    h("span", { class: "stacked" }, Array.from({ length: column.cards }, (_unused, n) => cardBar(n < column.jokers))),
    h("b", { key: column.cards, arrive: true }, column.cards),
    column.jokers > 0 && h("span", { class: "with-jokers" }, Array.from({ length: column.jokers }, () => monster("joker"))),
    points !== undefined && h("span", { class: "column-points", key: `points-${points}`, arrive: true }, points),
  );
}

/** A card of the column that the monster stands on.
    @param {boolean} joker */
function cardBar(joker) {
  return h("i", { class: joker ? "joker-card" : null });
}

/** "Rounds: 34, 9"
    @param {SevenSnapshot} s
    @param {string} player */
function roundsText(s, player) {
  const rounds = (s.state.round_scores ?? []).map((round) => round[player] ?? "–");
  return rounds.length > 0 && _("rounds: %(points)s", { points: rounds.join(", ") });
}
