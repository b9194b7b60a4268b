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
   cards(s)           the labels of the cards that may be named
   position(form)     the fields of the form "How things stand"
   places(s, places, onPick)  a picture in which a place is chosen; null: from a list

   A game's facts (boot.games) say whether it has a module games/<name>/index.js. */

import { boot } from "../lib/boot.js";
import generic from "./generic.js";

/** @type {Record<string, Partial<GamePage>>} */
const PAGES = Object.fromEntries(
  await Promise.all(
    (boot.games ?? []).filter((game) => game.page).map(async ({ name }) => [name, await pageOf(name)]),
  ),
);

/** @param {string} name */
async function pageOf(name) {
  return (await import(`./${name}/index.js`)).default;
}

/** The facts of the game on the table: companion.api.games.GameFacts.
    @param {Snapshot} snapshot
    @returns {Partial<GameFacts>} */
function factsOf(snapshot) {
  return boot.games?.find((game) => game.name === snapshot.game?.name) ?? {};
}

/** @param {GameSnapshot} snapshot
    @returns {GamePage} */
export function gameOf(snapshot) {
  const facts = factsOf(snapshot);
  return {
    ...generic,
    senses: facts.sources ?? [],
    fewestWins: facts.fewest_points_win === true,
    cards: () => facts.cards ?? [],
    ...PAGES[snapshot.game.name],
  };
}
