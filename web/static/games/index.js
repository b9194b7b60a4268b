/* One module a game. Each has the same members; `generic` fills in what a game leaves out.

   status(s)          one quiet line: round, trick, phase
   task(s)            one sentence: who is to do what
   actor(s)           the player it is about, or null
   middle(s, ctx)     what lies on the table
   under(s, player)   what belongs below a player's name
   number(s, player)  {value, unit}: the large number
   after(s, ctx)      below the scores
   actions(s, ctx)    [{label, run, glyph?, quiet?}] for the bar at the thumb
   large(s)           what the table view shows large besides the scores
   hurries            whether seconds left are shown
   senses             the sources that it is played with
   fewestWins         whether a small number is a good one */

import generic from "./generic.js";
import sevenMerryMonsters from "./seven_merry_monsters/index.js";
import nasty7 from "./nasty_7/index.js";
import trioMonsters from "./trio_monsters/index.js";
import bugsAndCo from "./bugs_and_co/index.js";
import thirteenMonsters from "./thirteen_monsters/index.js";

const GAMES = {
  seven_merry_monsters: sevenMerryMonsters,
  nasty_7: nasty7,
  trio_monsters: trioMonsters,
  bugs_and_co: bugsAndCo,
  thirteen_monsters: thirteenMonsters,
};

export function gameOf(snapshot) {
  return { ...generic, ...GAMES[snapshot.game?.name] };
}
