/* The winner's moment: names, result and confetti in the players' colours and shapes, to be photographed. */

import { h } from "../../lib/dom.js";
import { _, ngettext } from "../../lib/translation.js";
import { artAddress } from "../../ui/card_pictures.js";
import { looks, sign } from "../../ui/icons.js";
import { numberText, ranking, winnerLine } from "../../ui/page_parts.js";
import { gameOf } from "../../games/index.js";
import { playerName } from "./table_scene.js";

const WIDE = 1600; // of the drawing of the confetti
const HIGH = 900;
const PIECES = 110;
const SHOWN = 8; // players of the evening
const ACROSS = 0.7548777; // the steps of an even spread without chance: every screen draws the same
const DOWN = 0.5698403;

/** @param {GameSnapshot} s */
export function celebration(s) {
  const game = gameOf(s);
  const others = ranking(s, game).filter((seat) => !s.winner.includes(seat.name));
  return h(
    "section",
    { class: "celebration", "aria-label": winnerLine(s.winner) },
    confetti(s),
    h(
      "div",
      { class: "victory" },
      h("div", { class: "winner-signs", "aria-hidden": "true" }, s.winner.map((name) => sign(s.game.players, name))),
      h("p", { class: "winner", style: { "--letters": String(winnerLine(s.winner).length) } }, winnerLine(s.winner)),
      h("p", { class: "winner-score" }, s.winner.map((name) => scoreText(s, game, name)).join(" · ")),
      h("p", { class: "quiet" }, `${s.game.title} · ${today()}`),
    ),
    others.length > 0 &&
      h(
        "ol",
        { class: "others", start: String(s.winner.length + 1), "aria-label": _("The others") },
        others.map((seat) =>
          h(
            "li",
            { key: seat.name },
            playerName(s.game.players, seat.name),
            h("b", { class: "score" }, numberText(game.playerScore(s, seat.name).value)),
          ),
        ),
      ),
    tonight(s),
    h("img", { class: "marching", src: artAddress("parade"), alt: "", width: "336", height: "48" }),
  );
}

/** @param {GameSnapshot} s
    @param {GamePage} game
    @param {string} name */
function scoreText(s, game, name) {
  const { value, unit } = game.playerScore(s, name);
  return unit ? `${numberText(value)} ${unit}` : String(numberText(value));
}

function today() {
  return new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "long" }).format(new Date());
}

/** The evening's points in one line.
    @param {GameSnapshot} s */
function tonight(s) {
  const games = s.night.games.filter((one) => one.ended || one.winner.length > 0).length;
  if (games < 2) return null;
  const points = s.night.standings.slice(0, SHOWN).map((row) => `${row.player} ${row.points}`);
  return h(
    "p",
    { class: "tonight" },
    h("span", { class: "quiet" }, ngettext("Tonight, after %(n)s game", "Tonight, after %(n)s games", games), ": "),
    points.join(" · "),
  );
}

/** Pieces in the signs of the players, round the names; more of the winners' than of the others'.
    @param {GameSnapshot} s */
function confetti(s) {
  const names = s.game.players.flatMap(({ name }) => (s.winner.includes(name) ? [name, name, name] : [name]));
  return h(
    "svg",
    { class: "confetti", viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "xMidYMid slice", "aria-hidden": "true" },
    Array.from({ length: PIECES }, (_unused, n) => n).map((n) => {
      const [across, down] = [(n * ACROSS) % 1, (n * DOWN) % 1];
      const { colour, path } = looks(s.game.players, names[n % names.length]);
      const size = 0.7 + ((n * 7) % 5) * 0.28;
      const place = `translate(${across * WIDE} ${down * HIGH}) rotate(${(n * 47) % 360}) scale(${size})`;
      return h("g", { transform: place }, h("path", { class: `piece after-${n % 6}`, d: path, fill: colour }));
    }),
  );
}
