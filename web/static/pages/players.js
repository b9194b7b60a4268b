/* Players: who wins what, who calls how fast, who finishes above whom. One player at a time. */

import { boot } from "../lib/boot.js";
import { h } from "../lib/dom.js";
import { _, ngettext } from "../lib/translation.js";
import { shell } from "./parts/page_frame.js";
import { median, secondsText, shareBars, timeStrips } from "./parts/charts.js";

const { players } = boot.players;
let chosen = new URLSearchParams(location.search).get("name") ?? players[0]?.player ?? "";

function view() {
  if (players.length === 0) return h("p", { class: "lead" }, _("No game has been decided yet."));
  const one = players.find((report) => report.player === chosen) ?? players[0];
  return [
    chooser(one.player),
    h(
      "p",
      { class: "lead" },
      ngettext("%(name)s won %(won)s of %(n)s game.", "%(name)s won %(won)s of %(n)s games.", one.games, {
        name: one.player,
        won: one.won,
      }),
    ),
    h("div", { class: "reports" }, wins(one), opponents(one), calls(one), fastest()),
    h("p", {}, h("a", { href: "/past" }, _("Past games"))),
  ];
}

/** @param {string} present */
function chooser(present) {
  return h(
    "div",
    { class: "row chips", role: "group", "aria-label": _("Players") },
    players.map(({ player }) =>
      h(
        "button",
        { key: player, type: "button", class: "chip", "aria-pressed": String(player === present), onclick: () => choose(player) },
        player,
      ),
    ),
  );
}

/** @param {string} player */
function choose(player) {
  chosen = player;
  history.replaceState(null, "", `?name=${encodeURIComponent(player)}`);
  redraw();
}

/** @param {PlayerReport} one */
function wins(one) {
  const rows = one.tallies.map((tally) => ({
    key: tally.name,
    name: tally.title,
    part: tally.won,
    all: tally.games,
    text: _("%(part)s of %(all)s", { part: tally.won, all: tally.games }),
  }));
  return h("section", {}, h("h2", {}, _("What does %(name)s win?", { name: one.player })), shareBars(rows));
}

/** @param {PlayerReport} one */
function opponents(one) {
  const rows = one.opponents.map((other) => ({
    key: other.player,
    name: h("a", { href: `?name=${encodeURIComponent(other.player)}` }, other.player),
    part: other.above,
    all: other.games,
    text: _("above %(above)s, below %(below)s", { above: other.above, below: other.below }),
  }));
  return h("section", {}, h("h2", {}, _("Whom does %(name)s finish above?", { name: one.player })), shareBars(rows));
}

/** @param {PlayerReport} one */
function calls(one) {
  if (one.calls.length === 0) return null;
  const day = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "short" });
  const rows = one.calls.map((game) => ({ key: game.game, label: day.format(new Date(game.started)), seconds: game.seconds }));
  return h(
    "section",
    {},
    h("h2", {}, _("Does %(name)s call faster than before?", { name: one.player })),
    timeStrips(rows),
    h(
      "p",
      { class: "quiet" },
      _("Seconds from the card to the call, a dot for each right call that was heard; the line is the median of a game."),
    ),
  );
}

/** Who calls fastest: medians over all counted games. */
function fastest() {
  const rows = players
    .map(({ player, calls: games }) => ({ player, seconds: games.flatMap((game) => game.seconds) }))
    .filter((row) => row.seconds.length > 0)
    .map((row) => ({ ...row, median: median(row.seconds) }))
    .sort((one, other) => one.median - other.median);
  if (rows.length < 2) return null;
  return h(
    "section",
    {},
    h("h2", {}, _("Who calls fastest?")),
    h(
      "ol",
      { class: "ranked" },
      rows.map((row) =>
        h(
          "li",
          { key: row.player },
          h("span", {}, row.player),
          h("small", { class: "quiet" }, ngettext("%(n)s call", "%(n)s calls", row.seconds.length)),
          h("b", {}, secondsText(row.median)),
        ),
      ),
    ),
  );
}

const redraw = shell(_("Players"), view);
