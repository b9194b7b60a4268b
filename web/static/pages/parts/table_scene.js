/* The whole table at once, for the table view and for a past game: what lies in the middle, and what each player has. */

import { h } from "../../lib/dom.js";
import { sign } from "../../ui/icons.js";
import { numberText } from "../../ui/page_parts.js";
import { gameOf } from "../../games/index.js";

const SHORTEST = 6; // a shorter name is not written larger

/** Nobody enters anything where the whole table is shown.
    @type {PageContext} */
const WATCHING = {
  me: null,
  role: "guest",
  referee: false,
  send: () => Promise.resolve({ ok: false, code: "referee_only", text: "" }),
  answer: () => {},
  resume: () => {},
  askFields: () => {},
  redraw: () => {},
};

/** @param {GameSnapshot} s */
export function tableScene(s) {
  const game = gameOf(s);
  const over = s.winner.length > 0;
  const turn = over ? null : game.activePlayer(s);
  const middle = game.tableView(s);
  return h(
    "div",
    {
      class: `scene ${hasContent(middle) && game.middleBeside ? "beside" : ""}`,
      "data-game": s.game.name,
      "data-players": s.game.players.length,
    },
    h("div", { class: "middle" }, middle),
    h(
      "ol",
      { class: "seats" },
      s.game.players.map((seat) => seatView(s, game, seat.name, seat.name === turn)),
    ),
  );
}

/** @param {Child} child
    @returns {boolean} */
function hasContent(child) {
  return Array.isArray(child) ? child.some(hasContent) : Boolean(child);
}

/** @param {GameSnapshot} s
    @param {GamePage} game
    @param {string} name
    @param {boolean} active */
function seatView(s, game, name, active) {
  const { value, unit } = game.playerScore(s, name);
  return h(
    "li",
    {
      key: name,
      class: `seat ${active ? "turn" : ""} ${s.winner.includes(name) ? "won" : ""}`,
      "aria-current": active ? "true" : null,
    },
    h(
      "div",
      { class: "seat-head" },
      playerName(s.game.players, name),
      value !== "–" &&
        h(
          "span",
          { class: "seat-score" },
          h("b", { class: "score", key: `score-${value}`, arrive: true }, numberText(value)),
          h("small", { class: "quiet" }, unit),
        ),
    ),
    h("div", { class: "seat-has" }, game.tablePlayer(s, name, WATCHING)),
  );
}

/** A player's sign and name, which the style sheet makes smaller the longer it is.
    @param {Seat[]} seats
    @param {string} name */
export function playerName(seats, name) {
  const letters = Math.max(SHORTEST, [...name].length);
  return h("span", { class: "seat-name", style: { "--letters": String(letters) } }, sign(seats, name), h("span", {}, name));
}
