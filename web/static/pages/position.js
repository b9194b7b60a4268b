/* How things stand: the table puts scores, stacks and turns right, or takes a game up in the middle. */

import { referee } from "../lib/boot.js";
import { h } from "../lib/dom.js";
import { hasGame } from "../lib/snapshot.js";
import { _ } from "../lib/translation.js";
import { askTable } from "../ui/commands.js";
import { notice } from "../ui/notice.js";
import { shell } from "./parts/page_frame.js";
import { gameOf } from "../games/index.js";
import { previewPosition } from "../forms/position_preview.js";

/** The refused entry that the table counts, null if there is none. */
const entry = Number(new URLSearchParams(location.search).get("entry")) || null;
/** What was changed here, by key.
    @type {Record<string, JsonValue>} */
let changes = {};

/** @param {GameSnapshot} s
    @returns {PositionForm} */
function formOf(s) {
  return {
    s,
    start: s.state,
    state: { ...s.state, ...changes },
    set: (more) => {
      changes = { ...changes, ...more };
      redraw();
    },
  };
}

/** @param {Snapshot} s
    @returns {s is GameSnapshot} */
function open(s) {
  return referee && hasGame(s) && s.winner.length === 0;
}

/** @param {Snapshot} s */
function view(s) {
  if (!open(s)) {
    const why = referee ? _("Nobody is playing.") : _("Only the referee says how things stand.");
    return h("p", { class: "lead" }, why, " ", !referee && h("a", { href: "/join" }, _("Enter the code")));
  }
  const refused = s.log.find((one) => one.n === entry);
  const { fields, sums } = gameOf(s).position(formOf(s));
  return [
    refused &&
      h("p", { class: "lead" }, _("You count move %(n)s, which was refused. What follows?", { n: refused.n })),
    h("p", { class: "quiet" }, _("What you do not change stays as it is.")),
    h(
      "div",
      { class: "sums", role: "status" },
      sums.map(({ text, right }) => h("p", { class: right ? "quiet" : "wrong-here" }, text)),
    ),
    fields,
  ];
}

/** @param {GameSnapshot} s */
async function look(s) {
  /** @type {Reply<PositionPreview>} */
  const reply = await askTable("position", { state: changes, n: entry, preview: true });
  if (reply.ok) previewPosition(s, reply, entry, () => location.assign("/"));
  else notice(reply.text || reply.code);
}

/** @param {Snapshot} s */
function actions(s) {
  if (!open(s)) return [];
  const wrong = gameOf(s)
    .position(formOf(s))
    .sums.some((sum) => !sum.right);
  const nothing = Object.keys(changes).length === 0 && entry === null;
  return [{ label: _("What would change?"), disabled: wrong || nothing, run: () => look(s) }];
}

const redraw = shell(_("How things stand"), view, actions);
