/* The preview of a position, and "We play it so": the table counts what the rules refused. */

import { h } from "../lib/dom.js";
import { beforeAndAfter, isShown, keyName } from "../lib/state_texts.js";
import { _, listText, ngettext } from "../lib/translation.js";
import { askTable, runCommand } from "../ui/commands.js";
import { sign } from "../ui/icons.js";
import { notice } from "../ui/notice.js";
import { sheet } from "../ui/sheet.js";

/** Whether the table may count an entry: the rules refused it, and nobody has agreed to it.
    @param {Snapshot} s
    @param {LogEntry} entry */
export function refusedMove(s, entry) {
  return Boolean(entry.rejected) && !entry.agreed && s.winner.length === 0;
}

/** Shows what would change if a refused entry counted; where that cannot be worked out, opens the form.
    @param {GameSnapshot} s
    @param {number} n */
export async function playItSo(s, n) {
  /** @type {Reply<PositionPreview>} */
  const reply = await askTable("position", { n, preview: true });
  if (reply.ok) previewPosition(s, reply, n);
  else if (reply.code === "no_outcome") location.assign(`/position?entry=${n}`);
  else notice(reply.text || reply.code);
}

/** Shows what a position would change, and sets it if the table accepts.
    @param {GameSnapshot} s
    @param {PositionPreview} preview
    @param {number | null} n the refused entry that counts then
    @param {() => void} [done] */
export function previewPosition(s, preview, n, done) {
  const { state, latest, winner, changes, scores } = preview;
  const shown = changes.filter(isShown);
  sheet(_("What would change"), (close) => [
    shown.length === 0 && h("p", {}, _("Nothing changes.")),
    h(
      "table",
      { class: "preview position" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, h("span", { class: "unseen" }, _("What"))),
          h("th", { scope: "col" }, _("now")),
          h("th", { scope: "col" }, _("then")),
        ),
      ),
      h("tbody", {}, shown.map((change) => row(s, change)), points(s, scores)),
    ),
    winner.length > 0 &&
      h(
        "p",
        {},
        ngettext("%(names)s would win.", "%(names)s would win together.", winner.length, {
          names: listText(winner),
        }),
      ),
    h(
      "button",
      {
        type: "button",
        class: "primary",
        onclick: async () => {
          close();
          const reply = await runCommand("position", { state, n, latest });
          if (reply.ok) done?.();
        },
      },
      n === null ? _("That is how things stand") : _("We play it so"),
    ),
  ]);
}

/** @param {GameSnapshot} s
    @param {PositionChange} change */
function row(s, change) {
  const [before, after] = beforeAndAfter(change);
  return h(
    "tr",
    { class: "changed" },
    h(
      "th",
      { scope: "row" },
      change.player && sign(s.game.players, change.player),
      change.player ? `${change.player}: ${keyName(change.key)}` : keyName(change.key),
    ),
    h("td", {}, before),
    h("td", {}, after),
  );
}

/** The scores that would be others.
    @param {GameSnapshot} s
    @param {Record<string, number>} scores */
function points(s, scores) {
  return s.game.players
    .filter(({ name }) => scores[name] !== s.scores[name])
    .map(({ name }) =>
      h(
        "tr",
        { class: "changed" },
        h("th", { scope: "row" }, sign(s.game.players, name), `${name}: ${_("Score")}`),
        h("td", {}, s.scores[name] ?? "–"),
        h("td", {}, scores[name] ?? "–"),
      ),
    );
}
