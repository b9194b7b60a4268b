/* What may I do now? The same offers that the referee judges by, as sentences of the table. */

import { h } from "../lib/dom.js";
import { hasGame } from "../lib/snapshot.js";
import { _ } from "../lib/translation.js";
import { sign } from "../ui/icons.js";
import { shell } from "./parts/page_frame.js";
import { ruleTexts } from "../ui/rule_texts.js";

/** @type {PossibleNow[]} */
let possible = [];
/** The snapshot that `possible` belongs to, and the one that was asked about last. */
let asked = -1;

/** @param {Snapshot} s */
function view(s) {
  if (!hasGame(s)) return h("p", { class: "lead" }, _("Nobody is playing. The referee starts a game."));
  if (s.winner.length > 0) return h("p", { class: "lead" }, _("The game is over."));
  if (s.seq !== asked) ask(s.seq);
  const everyone = possible.filter((one) => one.players.length === 0);
  return [
    h(
      "ul",
      { class: "deeds" },
      s.game.players.map((seat) => {
        const own = possible.filter((one) => one.players.includes(seat.name));
        return h(
          "li",
          { key: seat.name, class: own.length > 0 ? null : "idle" },
          sign(s.game.players, seat.name),
          h(
            "div",
            {},
            h("strong", {}, seat.name),
            own.length > 0 ? h("ul", {}, own.map(line)) : h("p", { class: "quiet" }, _("waits")),
          ),
        );
      }),
    ),
    everyone.length > 0 &&
      h("section", {}, h("h2", {}, _("Anybody")), h("ul", { class: "deeds-all" }, everyone.map(line))),
    h("p", {}, h("a", { href: "/rules" }, _("Rules"))),
  ];
}

/** Asks the table what may be done; a reply that comes after the next question is dropped.
    @param {number} seq */
async function ask(seq) {
  asked = seq;
  const reply = await fetch("/api/may").then((response) => response.json(), () => null);
  if (seq !== asked) return;
  if (reply?.ok) possible = reply.may;
  redraw();
}

/** @param {PossibleNow} one */
function line(one) {
  return h("li", {}, h("span", {}, one.text), one.rule && ruleTexts([one.rule]));
}

const redraw = shell(_("What may I do now?"), view);
