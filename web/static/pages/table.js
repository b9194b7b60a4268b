/* The table view: large, for a television or a tablet that everybody can see. Nothing about the game is entered here. */

import { boot } from "../lib/boot.js";
import { byId, h, mount, startMoving } from "../lib/dom.js";
import { keepAwake } from "../lib/keep_awake.js";
import { subscribe } from "../lib/live.js";
import { hasGame } from "../lib/snapshot.js";
import { _ } from "../lib/translation.js";
import { artAddress } from "../ui/card_pictures.js";
import { sign } from "../ui/icons.js";
import { connectionLine, deadline, recordingBadge, standings, drawCountdown, verdictLine } from "../ui/page_parts.js";
import { gameOf } from "../games/index.js";
import { celebration } from "./parts/celebration.js";
import { leadChart } from "./parts/charts.js";
import { joinBlock, followPairing } from "./parts/join_block.js";
import { seatingOffer } from "./parts/seating_offer.js";
import { tableScene } from "./parts/table_scene.js";

const SHORTEST = 12; // letters: a shorter sentence is not written larger

const page = byId("page");
let snapshot = boot.snapshot;
/** @type {Connection} */
let link = "live";

function redraw() {
  const over = hasGame(snapshot) && snapshot.winner.length > 0;
  document.body.classList.toggle("over", over);
  mount(page, connectionLine(link), recordingBadge(snapshot), hasGame(snapshot) ? table(snapshot) : empty(snapshot));
  drawCountdown();
}

/** @param {GameSnapshot} s */
function table(s) {
  const over = s.winner.length > 0;
  return [
    h(
      "header",
      { class: "tv-head" },
      h(
        "div",
        { class: "tv-what" },
        h("div", { class: "top" }, h("h1", {}, s.game.title), h("p", {}, over ? _("The game is over.") : gameOf(s).status(s))),
        !over && taskView(s),
        !over && verdictLine(s),
      ),
      joinBlock(redraw),
    ),
    over ? celebration(s) : tableScene(s),
    phoneView(),
  ];
}

/** @param {GameSnapshot} s */
function taskView(s) {
  const game = gameOf(s);
  const turn = game.activePlayer(s);
  const task = game.task(s);
  return h(
    "div",
    { class: "task" },
    h(
      "h2",
      { key: task, arrive: true, style: { "--letters": String(Math.max(SHORTEST, task.length)) } },
      turn && sign(s.game.players, turn),
      h("span", {}, task),
    ),
    game.showsDeadline && deadline(s),
  );
}

/** @param {Snapshot} s */
function empty(s) {
  const played = standings(s);
  return [
    h(
      "header",
      { class: "tv-head" },
      h(
        "div",
        { class: "tv-what" },
        h("h1", { class: "tv-welcome" }, played ? _("Between two games") : _("Nobody is playing yet.")),
        h("p", { class: "lead" }, _("Scan to join.")),
        verdictLine(s),
      ),
      joinBlock(redraw),
    ),
    seatingOffer(s, false),
    tonightChart(s) ?? played,
    h("img", { class: "parade", src: artAddress("parade"), alt: "", width: "336", height: "48" }),
    phoneView(),
  ];
}

/** Who led after which game of the evening; nothing while there is one game only.
    @param {Snapshot} s */
function tonightChart(s) {
  const titles = new Map(boot.games.map((game) => [game.name, game.title]));
  const decided = s.night.games.filter((game) => game.winner.length > 0);
  if (decided.length < 2) return null;
  return h(
    "section",
    { class: "tonight-chart" },
    h("h2", {}, _("Who led after which game?")),
    leadChart(decided.map((game) => ({ label: titles.get(game.name) ?? game.name, points: game.points }))),
  );
}

function phoneView() {
  return h("a", { class: "plain corner", href: "/" }, _("To the phone view"));
}

subscribe(boot.snapshot, (now, state) => {
  snapshot = now;
  link = state;
  followPairing(now, redraw);
  redraw();
});
keepAwake();
requestAnimationFrame(startMoving);
setInterval(drawCountdown, 100);
