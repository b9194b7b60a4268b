/* One module a game. Each has the same members; `generic` fills in what a game leaves out.

   status(s)          one quiet line: round, trick, phase
   task(s)            one sentence: who is to do what
   actor(s)           the player it is about, or null
   middle(s, ctx)     what lies on the table
   under(s, player)   what belongs below a player's name
   number(s, player)  {value, unit}: the large number
   after(s, ctx)      below the scores
   actions(s, ctx)    [{label, run, glyph?, quiet?}] for the bar at the thumb
   senses             the sources that it is played with
   fewestWins         whether a small number is a good one */

import generic from "./generic.js";
import sevenMerryMonsters from "./seven_merry_monsters.js";
import nasty7 from "./nasty_7.js";

const GAMES = { seven_merry_monsters: sevenMerryMonsters, nasty_7: nasty7 };

export function gameOf(snapshot) {
  return { ...generic, ...GAMES[snapshot.game?.name] };
}
