/* The steps of a past game, read page by page as they are looked at. */

const MARGIN = 10; // steps that are read before the page that is missing one

export class Steps {
  /** @param {GameSteps} first the steps that the page was opened with
      @param {() => void} arrived called when more steps are there */
  constructor(first, arrived) {
    this.facts = first;
    this.last = first.last;
    this.arrived = arrived;
    /** @type {Map<number, GameStep>} */
    this.known = new Map();
    /** @type {Set<number>} */
    this.wanted = new Set();
    this.keep(first.steps);
  }

  /** @param {GameStep[]} steps */
  keep(steps) {
    for (const step of steps) this.known.set(step.n, step);
  }

  /** The step, undefined while it is read; those after and before it are read as well.
      @param {number} n
      @returns {GameStep | undefined} */
  get(n) {
    const near = [n, Math.min(this.last, n + MARGIN), Math.max(0, n - MARGIN)];
    const missing = near.find((one) => !this.known.has(one));
    if (missing !== undefined) this.read(missing < n ? Math.max(0, missing - 3 * MARGIN) : Math.max(0, missing - MARGIN));
    return this.known.get(n);
  }

  /** @param {number} first */
  async read(first) {
    if (this.wanted.has(first)) return;
    this.wanted.add(first);
    try {
      const reply = await fetch(`/api${location.pathname}/steps?first=${first}`);
      if (reply.ok) this.keep((await reply.json()).steps);
      this.arrived();
    } catch {
      setTimeout(() => this.wanted.delete(first), 1000); // asked again with the next step
    }
  }

  /** The known entries up to step `n`, the oldest first, with what had been taken back by then.
      @param {number} n
      @param {number} most
      @returns {LogEntry[]} */
  entries(n, most) {
    const found = [];
    const gone = new Set();
    for (let at = n; at > Math.max(0, n - most); at -= 1) {
      const step = this.known.get(at);
      if (!step?.entry) break;
      found.push({ ...step.entry, undone: gone.has(at) });
      for (const one of step.taken_back) gone.add(one);
    }
    return found.reverse();
  }

  /** The table after a step, as the pages of the games draw it.
      @param {GameStep} step
      @returns {GameSnapshot} */
  snapshot(step) {
    return {
      seq: 0,
      game: this.facts.game,
      state: step.state,
      scores: step.scores,
      winner: step.winner,
      phase: step.phase,
      turn: step.turn,
      log: this.entries(step.n, 60),
      sums: [],
      offers: [],
      paused: null,
      deadline: null,
      questions: [],
      sources: {},
      announcement: null,
      night: { games: [], standings: [] },
      recording: false,
      seating: null,
      worth: step.worth,
    };
  }
}
