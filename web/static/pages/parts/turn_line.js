/* Who is to do what at the table, on pages that show something else; a tap leads back there. */

import { h } from "../../lib/dom.js";
import { hasGame } from "../../lib/snapshot.js";
import { sign } from "../../ui/icons.js";
import { gameOf } from "../../games/index.js";

/** Nothing between two games, after a game, and while nobody is to do anything.
    @param {Snapshot} s */
export function turnLine(s) {
  if (!hasGame(s) || s.winner.length > 0) return null;
  const game = gameOf(s);
  const task = game.task(s);
  const name = game.activePlayer(s);
  return task && h("a", { class: "turn-line", href: "/" }, name && sign(s.game.players, name), h("span", {}, task));
}
