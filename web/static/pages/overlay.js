/* The overlay for streams: scores and turn on nothing. The address says what is shown, where and how large; see
   docs/streaming.md. */

import { boot } from "../lib/boot.js";
import { byId, h, mount } from "../lib/dom.js";
import { subscribe } from "../lib/live.js";
import { hasGame } from "../lib/snapshot.js";
import { _ } from "../lib/translation.js";
import { sign } from "../ui/icons.js";
import { deadline, drawCountdown, numberText, verdictLine, winnerLine } from "../ui/page_parts.js";
import { gameOf } from "../games/index.js";
import { overlayOptions } from "./parts/overlay_options.js";

const page = byId("page");
const options = overlayOptions(location.search);
document.documentElement.style.fontSize = `${options.size * 100}%`;
document.body.classList.add(...options.at.split("-").map((side) => `at-${side}`));
document.body.classList.toggle("no-plate", !options.plate);

/** @param {Snapshot} s */
function draw(s) {
  mount(page, h("h1", { class: "unseen" }, _("Overlay")), hasGame(s) && overlay(s));
  drawCountdown();
}

/** @param {GameSnapshot} s */
function overlay(s) {
  const game = gameOf(s);
  const over = s.winner.length > 0;
  const turn = over ? null : game.activePlayer(s);
  const { show } = options;
  return h(
    "div",
    { class: `overlay in-${options.layout}` },
    show.has("title") && h("p", { class: "over-title" }, `${s.game.title} · ${over ? _("The game is over.") : game.status(s)}`),
    show.has("turn") && h("p", { class: "over-turn" }, over ? winnerLine(s.winner) : game.task(s)),
    show.has("time") && game.showsDeadline && deadline(s),
    show.has("scores") &&
      h(
        "ol",
        { class: "over-scores" },
        s.game.players.map((seat) =>
          h(
            "li",
            { key: seat.name, class: seat.name === turn ? "turn" : null },
            sign(s.game.players, seat.name),
            h("span", { class: "over-name" }, seat.name),
            h("b", {}, numberText(game.playerScore(s, seat.name).value)),
          ),
        ),
      ),
    show.has("verdict") && verdictLine(s),
  );
}

subscribe(boot.snapshot, draw);
setInterval(drawCountdown, 100);
