/* Past games: every result, the players' records over all evenings, and files of both. */

import { boot, referee } from "../lib/boot.js";
import { h } from "../lib/dom.js";
import { _, listText, ngettext } from "../lib/translation.js";
import { shell } from "./parts/page_frame.js";
import { leadChart } from "./parts/charts.js";
import { openGameFile } from "./parts/game_file.js";

// Of the page's language the phone's own kind: days are written otherwise in London than in Boston.
const spoken = document.documentElement.lang;
const language = navigator.languages.find((one) => one.split("-")[0] === spoken) ?? spoken;
const day = new Intl.DateTimeFormat(language, { dateStyle: "full" });
const hour = new Intl.DateTimeFormat(language, { timeStyle: "short" });

function view() {
  const { games, records, senses, damage } = boot.past;
  const fromFile = referee && openGameFile(redraw);
  if (games.length === 0 && damage.length === 0)
    return [h("p", { class: "lead" }, _("No game has been played yet.")), fromFile];
  return [
    damage.map((one) => h("p", { key: one.at, class: "lead" }, repaired(one))),
    records.length > 0 && standing(records),
    senses.senses.length > 0 && trust(senses),
    evenings(games).map(evening),
    h("p", {}, h("a", { href: "/past/results.csv", download: "" }, _("All results as a table"))),
    fromFile,
  ];
}

/** @param {JournalDamage} one */
function repaired(one) {
  return _(
    "%(day)s: the journal was damaged and has been repaired. Entries lost: %(lost)s. The damaged one is kept in %(folder)s.",
    { day: day.format(new Date(one.at)), lost: one.lost, folder: one.folder },
  );
}

/** @param {PlayerRecord[]} records */
function standing(records) {
  return h(
    "section",
    { class: "standings" },
    h("h2", {}, _("Records, one point for each player that one finished above")),
    h(
      "ol",
      {},
      records.map((one) =>
        h(
          "li",
          { key: one.player },
          h(
            "span",
            {},
            h("a", { class: "open-game", href: `/players?name=${encodeURIComponent(one.player)}` }, one.player),
            " ",
            h(
              "small",
              { class: "quiet" },
              ngettext("won %(won)s of %(n)s game", "won %(won)s of %(n)s games", one.games, { won: one.won }),
            ),
          ),
          h("b", {}, one.points),
        ),
      ),
    ),
  );
}

/** How right camera, microphone and buttons were, for whom, and what helps.
    @param {SenseFigures} senses */
function trust(senses) {
  return h(
    "section",
    { class: "trust" },
    h("h2", {}, _("How well I see and hear")),
    senses.advice.map((text) => h("p", { class: "advice", key: text }, text)),
    h(
      "ul",
      {},
      senses.senses.map((one) =>
        h("li", { key: one.sense }, share(RIGHT[one.sense](one), one.right, one.total), helped(one)),
      ),
      senses.calls.map((one) =>
        h(
          "li",
          { key: `calls of ${one.player}`, class: "caller" },
          share(
            _("Calls of %(player)s: %(right)s of %(total)s understood", {
              player: one.player,
              right: one.right,
              total: one.total,
            }),
            one.right,
            one.total,
          ),
        ),
      ),
    ),
    h(
      "p",
      { class: "quiet" },
      ngettext("Counted over the latest game.", "Counted over the latest %(n)s games.", senses.games),
    ),
  );
}

/** @type {Record<string, (one: SenseFigure) => string>} */
const RIGHT = {
  camera: ({ right, total }) => _("Camera: %(right)s of %(total)s cards right", { right, total }),
  microphone: ({ right, total }) => _("Microphone: %(right)s of %(total)s calls understood", { right, total }),
  buttons: ({ right, total }) => _("Buttons: %(right)s of %(total)s presses right", { right, total }),
};

/** A sentence with its share as a bar.
    @param {string} text
    @param {number} right
    @param {number} total */
function share(text, right, total) {
  return [h("span", {}, text), h("meter", { min: 0, max: total, value: right, "aria-hidden": "true" })];
}

/** What was not right, and why.
    @param {SenseFigure} one */
function helped({ asked, corrected, missed }) {
  const parts = [
    asked > 0 && _("asked about: %(n)s", { n: asked }),
    corrected > 0 && _("corrected: %(n)s", { n: corrected }),
    missed > 0 && _("missed: %(n)s", { n: missed }),
  ].filter((part) => part !== false);
  return parts.length > 0 && h("small", { class: "quiet" }, listText(parts));
}

/** The games of each evening, in the order in which they come: the latest first.
    @param {PastGame[]} games
    @returns {PastGame[][]} */
function evenings(games) {
  /** @type {Map<number, PastGame[]>} */
  const found = new Map();
  for (const game of games) found.set(game.night, [...(found.get(game.night) ?? []), game]);
  return [...found.values()];
}

/** @param {PastGame[]} games the latest first */
function evening(games) {
  const first = games[games.length - 1];
  const decided = games.filter((game) => game.winner.length > 0).reverse();
  return h(
    "section",
    { key: first.id, class: "past" },
    h("h2", {}, day.format(new Date(first.started))),
    decided.length > 1 && [
      h("h3", {}, _("Who led after which game?")),
      leadChart(decided.map((game) => ({ label: game.title, points: game.points }))),
    ],
    h("ul", {}, games.map(result)),
  );
}

/** @param {PastGame} game */
function result(game) {
  return h(
    "li",
    { key: game.id },
    h("a", { class: "open-game", href: `/past/${game.id}` }, h("strong", {}, game.title)),
    h("small", { class: "quiet" }, hour.format(new Date(game.started))),
    h("p", {}, outcome(game)),
    h(
      "p",
      { class: "files" },
      game.bgstats && h("a", { href: game.bgstats, target: "_blank", rel: "noreferrer" }, "BG Stats"),
      h("a", { href: `/past/${game.id}.jsonl`, download: "" }, _("The game as a file")),
    ),
  );
}

/** @param {PastGame} game */
function outcome(game) {
  const points = listText(game.players.map((name) => (name in game.scores ? `${name} ${game.scores[name]}` : name)));
  if (game.ended === null) return _("%(points)s; still on the table", { points });
  if (game.winner.length === 0) return _("%(points)s; broken off", { points });
  return ngettext("%(names)s won: %(points)s", "%(names)s won together: %(points)s", game.winner.length, {
    names: listText(game.winner),
    points,
  });
}

const redraw = shell(_("Past games"), view);
