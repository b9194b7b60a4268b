/* What the tests of whole games put into each page: it notes what comes and what is sent, and finds the next thing to
   tap. Everything that is tapped stands on the page; how often each kind of thing is chosen is set here. */

globalThis.watch = { seq: 0, entries: [], logged: new Set(), sent: [], waiting: 0, state: {} };

const Source = globalThis.EventSource;
globalThis.EventSource = class extends Source {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => {
      const { snapshot } = JSON.parse(data);
      watch.seq = Math.max(watch.seq, snapshot.seq);
      watch.state = snapshot.state ?? {};
      if (!snapshot.game) return;
      watch.entries.push(`${snapshot.game.id} ${snapshot.log.at(-1)?.n ?? 0}`);
      for (const { n } of snapshot.log) watch.logged.add(`${snapshot.game.id} ${n}`);
    });
  }
};

const plainFetch = globalThis.fetch;
globalThis.fetch = async (address, options) => {
  if (!String(address).startsWith("/api/command/event")) return plainFetch(address, options);
  watch.waiting += 1;
  try {
    const answer = await plainFetch(address, options);
    const reply = await answer.clone().json();
    watch.sent.push({ key: options.headers["Idempotency-Key"], event: JSON.parse(options.body), reply });
    return answer;
  } finally {
    watch.waiting -= 1;
  }
};

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const shown = (one) => !one.disabled && one.checkVisibility({ visibilityProperty: true });
const all = (parent, selector) => [...parent.querySelectorAll(selector)].filter(shown);
const nameOf = (one) => one.getAttribute("aria-label") ?? one.textContent;
const OPTIONS = ".choice, .card-button, .number:not(.gone), .part-key, .free, [data-at]";
const NOT_NOW = /^(Photograph|Score from|A foul|Doubt|Say it|Play again|Another game|What may I|No timing)/;

// A page that moves between look and tap puts a link under the finger that nobody chose: it would leave the board.
document.addEventListener(
  "click",
  (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link && NOT_NOW.test(nameOf(link).trim())) event.preventDefault();
  },
  true,
);

/** The next thing to tap, with the middle of it; {over: true} when the game is decided.
    @param {{ seq: number, chance: number[], face: string }} now seq: what other phones have entered; chance: numbers
    below 1; face: the part that was turned over last */
globalThis.nextTap = async ({ seq, chance, face }) => {
  const wanted = () => Math.max(seq, ...watch.sent.map((one) => one.reply.seq ?? 0));
  for (const until = performance.now() + 20000; watch.waiting > 0 || watch.seq < wanted(); await sleep(5))
    if (performance.now() > until) throw new Error(`waiting for ${wanted()}, seen ${watch.seq}`);
  await new Promise(requestAnimationFrame);
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  if (!dialog && document.querySelector(".winner")) return { over: true };
  const found = dialog ? inDialog(dialog, chance, face) : onPage(chance);
  if (!found) return null;
  found.scrollIntoView({ block: "center", inline: "center" });
  await Promise.allSettled(found.getAnimations().map((one) => one.finished));
  const shape = found.matches(".free") ? found.firstElementChild : found;
  const box = shape.getBoundingClientRect();
  const at = [box.x + box.width / 2, box.y + box.height / 2];
  if (!found.contains(document.elementFromPoint(...at))) return null;
  return { at, face: found.matches(".part-key") ? nameOf(found) : face };
};

const any = (list, chance) => list[Math.floor(chance * list.length)];

function inDialog(dialog, [first, second], face) {
  const ready = all(dialog, ".primary")[0];
  const dice = all(dialog, ".die-key");
  if (ready && (dice.length === 0 || !ready.disabled) && (first < 0.6 || all(dialog, OPTIONS).length === 0)) return ready;
  if (dice.length > 0) return any(dice, second);
  const tiles = all(dialog, ".tile:not(.some)");
  if (tiles.length > 0 && first > 0.5) return any(tiles, second);
  const options = all(dialog, OPTIONS).filter((one) => one.getAttribute("aria-pressed") !== "true");
  const same = options.find((one) => one.matches(".part-key") && nameOf(one) === face);
  if (same && first < 0.9) return same;
  return any(options, second) ?? ready;
}

function onPage([first, second, third]) {
  const answers = all(document, ".question .answers button");
  if (answers.length > 0) return any(answers, second);
  const calls = all(document, ".keys.seven .key.figure");
  const right = all(document, ".bar .primary").find((one) => nameOf(one) === "It was right");
  if (right) return first < 0.97 ? right : any(calls, second);
  const cards = all(document, ".pad .keys.five .key");
  if (cards.length > 0) return any(cards, second);
  const cells = all(document, ".grid-nine button");
  const keys = all(document, ".main-actions button").filter((one) => !NOT_NOW.test(nameOf(one).trim()));
  if (cells.length > 0 && (first < 0.8 || keys.length === 0)) return oneOfPair(cells) ?? any(cells, second);
  const main = keys.filter((one) => one.matches(".primary"));
  return any(third < 0.75 && main.length > 0 ? main : keys, second);
}

/** 13 Monsters: a place whose card matches one that was seen, as a player with a perfect memory would choose. Places
    chosen at random match so seldom that a game takes thousands of turns. */
function oneOfPair(cells) {
  const { seen = [], revealed = [] } = watch.state;
  const faces = new Map(seen.map((one) => [one.at.join(), JSON.stringify(one.card)]));
  const faceOf = (cell) => faces.get(cell.dataset.at);
  const turned = revealed.map((at) => faces.get(at.join()));
  const known = cells.filter(faceOf);
  const matches = (cell) =>
    turned.length > 0 ? turned.includes(faceOf(cell)) : known.some((one) => one !== cell && faceOf(one) === faceOf(cell));
  return known.find(matches);
}
