/* Stored data: games, names, voices and files that this machine keeps, each with a button that deletes it. */

import { boot, referee } from "../lib/boot.js";
import { h } from "../lib/dom.js";
import { post } from "../lib/requests.js";
import { _, listText } from "../lib/translation.js";
import { notice } from "../ui/notice.js";
import { shell } from "./parts/page_frame.js";

const BYTES_IN_KB = 1000;
const spoken = document.documentElement.lang;
const language = navigator.languages.find((one) => one.split("-")[0] === spoken) ?? spoken;
const moment = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

let state = boot.stored;
/** What the first press of a button asked for; the second press deletes it. */
let asked = "";

function view() {
  if (!referee || !state) return h("p", { class: "quiet" }, _("Only the referee sees what is stored."));
  const { games, players, voices, files, folder } = state;
  return [
    h(
      "p",
      { class: "lead" },
      _("Everything is in %(folder)s. Backups that were made before still hold what is deleted here.", { folder }),
    ),
    part(
      _("Games"),
      games.map((one) =>
        row(moment.format(new Date(one.started)), `${one.title}: ${listText(one.players)}`, "game", { game: one.id }, one.on_table),
      ),
    ),
    part(
      _("Names"),
      players.map((player) => row(player, voices.includes(player) ? _("with the voice") : "", "player", { player })),
    ),
    part(
      _("Files"),
      files.map(({ kind, name, bytes }) =>
        row(name, _("%(size)s kB", { size: Math.ceil(bytes / BYTES_IN_KB) }), "file", { kind, name }),
      ),
    ),
    h("p", {}, h("a", { href: "/backup.zip", download: "" }, _("Download a backup of games, decks and settings"))),
    h("p", {}, h("a", { href: "/recordings" }, _("Recorded evenings"))),
  ];
}

/** @param {string} title
    @param {any[]} rows */
function part(title, rows) {
  return rows.length > 0 && h("section", {}, h("h2", {}, title), h("ul", { class: "sources" }, rows));
}

/** @param {string} title
    @param {string} note
    @param {string} what
    @param {object} data
    @param {boolean} [fixed] */
function row(title, note, what, data, fixed = false) {
  const key = JSON.stringify([what, data]);
  const press = () => {
    if (asked === key) forget(what, data);
    asked = asked === key ? "" : key;
    redraw();
  };
  return h(
    "li",
    { key },
    h("div", {}, h("strong", {}, title), note && h("p", { class: "quiet" }, note)),
    fixed
      ? h("p", { class: "quiet" }, _("on the table"))
      : h("button", { type: "button", class: "secondary", onclick: press }, asked === key ? _("Really delete") : _("Delete")),
  );
}

/** @param {string} what
    @param {object} data */
async function forget(what, data) {
  /** @type {Reply<StoredData>} */
  const reply = await post(`/api/stored/${what}`, data);
  if (reply.ok) state = reply;
  else notice(reply.text);
  redraw();
}

const redraw = shell(_("Stored data"), view);
