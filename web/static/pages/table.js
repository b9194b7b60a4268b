/* The table view: large, for a tablet that everybody can see. Nothing to enter. */

import { boot } from "../lib/boot.js";
import { byId, h, mount, startMoving } from "../lib/dom.js";
import { subscribe } from "../lib/live.js";
import { hasGame } from "../lib/snapshot.js";
import { _ } from "../lib/translation.js";
import { sign } from "../ui/icons.js";
import { connectionLine, deadline, numberText, recordingBadge, standings, drawCountdown, verdictLine, winnerLine } from "../ui/page_parts.js";
import { gameOf } from "../games/index.js";

const page = byId("page");

/** @param {Snapshot} s
    @param {Connection} link */
function draw(s, link) {
  mount(page, connectionLine(link), recordingBadge(s), hasGame(s) ? table(s) : empty(s));
  drawCountdown();
}

/** @param {GameSnapshot} s */
function table(s) {
  const game = gameOf(s);
  const over = s.winner.length > 0;
  const turn = game.activePlayer(s);
  return [
    h(
      "header",
      { class: "top" },
      h("h1", {}, s.game.title),
      h("p", {}, over ? _("The game is over.") : game.status(s)),
    ),
    over
      ? h("p", { class: "winner" }, winnerLine(s.winner))
      : h(
          "div",
          { class: "task" },
          h(
            "h2",
            { key: game.task(s), arrive: true },
            turn && sign(s.game.players, turn),
            h("span", {}, game.task(s)),
          ),
          game.showsDeadline && deadline(s),
        ),
    verdictLine(s),
    !over && game.tableView(s),
    h(
      "ol",
      { class: "large-scores" },
      s.game.players.map((seat) => {
        const { value, unit } = game.playerScore(s, seat.name);
        return h(
          "li",
          { key: seat.name, class: !over && seat.name === turn ? "turn" : null },
          h("span", { class: "name" }, sign(s.game.players, seat.name), seat.name),
          h("b", { class: "score", key: `score-${value}`, arrive: true }, numberText(value)),
          h("small", { class: "quiet" }, unit),
        );
      }),
    ),
    over && standings(s),
    h("a", { class: "plain corner", href: "/" }, _("To the phone view")),
  ];
}

/** @param {Snapshot} s */
function empty(s) {
  return [
    h("header", { class: "top" }, h("h1", {}, _("Nobody is playing yet."))),
    h(
      "figure",
      { class: "qr" },
      h("img", { src: "/qr.svg", width: "240", height: "240", alt: _("QR code to join") }),
    ),
    h("p", { class: "lead" }, _("Scan to join.")),
    standings(s),
    h("a", { class: "plain corner", href: "/" }, _("To the phone view")),
  ];
}

subscribe(boot.snapshot, draw);
requestAnimationFrame(startMoving);
setInterval(drawCountdown, 100);
