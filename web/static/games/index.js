/* One module a game. Each has the same members; `generic` fills in what a game leaves out.

   status(s)          one quiet line: round, trick, phase
   task(s)            one sentence: who is to do what
   activePlayer(s)    the player it is about, or null
   centre(s, ctx)     what lies on the table
   playerDetails(s, player)  what belongs below a player's name
   playerScore(s, player)    {value, unit}: the large number
   belowScores(s, ctx)       below the scores
   actions(s, ctx)    [{label, run, glyph?, quiet?}] for the bar at the thumb
   tableView(s)       what the table view shows large besides the players
   tablePlayer(s, player)    what it shows of a player below name and score
   middleBeside       whether a television shows the middle beside the players instead of above them
   showsDeadline      whether seconds left are shown
   cards(s)           the labels of the cards that may be named
   position(form)     the fields of the form "How things stand"
   pictures(values, field, chosen, onPick)  values as pictures to pick from; null: as words
   places(s, places, onPick)  a picture in which a place is chosen; null: from a list

   A game's facts (boot.games) say whether it has a module games/<name>/index.js. */

import { boot } from "../lib/boot.js";
import { redrawPage } from "../lib/live.js";
import generic from "./generic.js";

/** The pages of the games that this phone has shown; a promise while one is being loaded.
    @type {Record<string, Partial<GamePage> | Promise<void>>} */
const PAGES = {};
await load(boot.snapshot?.game?.name);

/** @param {string | undefined} name */
async function load(name) {
  if (name && boot.games?.some((game) => game.name === name && game.page))
    PAGES[name] = (await import(`./${name}/index.js`)).default;
}

/** The page of a game; one that has begun since this page was opened is loaded and then drawn.
    @param {string} name
    @returns {Partial<GamePage>} */
function pageOf(name) {
  const found = (PAGES[name] ??= load(name).then(redrawPage));
  return found instanceof Promise ? {} : found;
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
  const own = pageOf(snapshot.game.name);
  return {
    ...generic,
    ...(own.playerDetails && { tablePlayer: own.playerDetails }),
    senses: facts.sources ?? [],
    fewestWins: facts.fewest_points_win === true,
    cards: () => facts.cards ?? [],
    ...own,
  };
}
