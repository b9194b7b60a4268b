/* The board: what is true now, and the one thing to do next at the thumb. */

import { boot } from "../lib/boot.js";
import { byId, h, mount, startMoving } from "../lib/dom.js";
import { subscribe } from "../lib/live.js";
import { hasGame } from "../lib/snapshot.js";
import { _ } from "../lib/translation.js";
import { artAddress } from "../ui/card_pictures.js";
import { runCommand } from "../ui/commands.js";
import { guardedPress, keepFocus } from "../ui/focus.js";
import { icon, sign } from "../ui/icons.js";
import { menu } from "../ui/menu.js";
import {
  connectionLine,
  deadline,
  notStored,
  pauseLine,
  questionList,
  recordingBadge,
  scoreList,
  sourcesDown,
  standings,
  sumsButton,
  drawCountdown,
  verdictLine,
  whyLink,
  winnerLine,
} from "../ui/page_parts.js";
import { choose } from "../ui/sheet.js";
import { confirmUndo, entryText, undoable } from "../ui/undo.js";
import { gameOf } from "../games/index.js";
import { seatingOffer } from "./parts/seating_offer.js";
import { askFields } from "../forms/event_form.js";
import { playItSo, refusedMove } from "../forms/position_preview.js";

const page = byId("page");
let snapshot = boot.snapshot;
/** @type {Connection} */
let link = "live";

/** How long the page may take to show a move that was entered. */
const SHOW_TIMEOUT_MS = 2000;
/** Moves that were sent and are not on the page yet.
    @type {Set<Promise<unknown>>} */
const sending = new Set();
/** Who waits for a snapshot: [its seq, resolve].
    @type {[number, () => void][]} */
let waitingForSnapshot = [];
/** What the bar offers now: label -> run.
    @type {Map<string, () => unknown>} */
let barActions = new Map();

/** @type {PageContext} */
const ctx = {
  me: boot.me,
  role: boot.role,
  referee: boot.role === "referee",
  send,
  answer: (question, option) => runCommand("answer", { question, option }),
  resume: () => runCommand("go_on"),
  askFields: (kind, fixed) => hasGame(snapshot) && askFields(snapshot, kind, fixed, ctx.send),
  redraw: () => draw(snapshot, link),
};

/** @param {Snapshot} now
    @param {Connection} state */
function draw(now, state) {
  snapshot = now;
  link = state;
  keepFocus(() => mount(page, hasGame(now) ? board(now) : welcome(now)));
  drawCountdown();
  for (const [seq, resolve] of waitingForSnapshot) if (seq <= now.seq) resolve();
  waitingForSnapshot = waitingForSnapshot.filter(([seq]) => seq > now.seq);
}

/** Enters an event. Until the page shows it, what is pressed in the bar waits (see `barButton`).
    @param {GameEvent} event
    @returns {Promise<Reply<{ seq: number }>>} */
function send(event) {
  /** @type {Promise<Reply<{ seq: number }>>} */
  const replied = runCommand("event", event);
  const sent = replied.then(async (reply) => {
    if (reply.ok && reply.seq > snapshot.seq) await untilShown(reply.seq);
    sending.delete(sent);
    return reply;
  });
  sending.add(sent);
  return sent;
}

/** Resolves when the page shows a snapshot, or when it has not come for so long that the stream must be cut.
    @param {number} seq
    @returns {Promise<void>} */
function untilShown(seq) {
  return new Promise((resolve) => {
    waitingForSnapshot.push([seq, resolve]);
    setTimeout(resolve, SHOW_TIMEOUT_MS);
  });
}

/** @param {GameSnapshot} s */
function board(s) {
  const game = gameOf(s);
  const over = s.winner.length > 0;
  return [
    h(
      "header",
      { class: "top" },
      h("h1", {}, s.game.title),
      h("p", {}, over ? _("The game is over.") : game.status(s)),
    ),
    connectionLine(link),
    recordingBadge(s),
    h(
      "div",
      { class: "columns-wide" },
      h(
        "div",
        { class: "here" },
        over ? h("p", { class: "winner" }, winnerLine(s.winner)) : taskView(s, game),
        verdictLine(s, true),
        whyLink(s),
        refusal(s),
        pauseLine(s, ctx),
        questionList(s, ctx),
        !over && game.centre(s, ctx),
        !over && sourcesDown(s, game.senses),
        notStored(s),
      ),
      h("div", { class: "there" }, scoreList(s, game, ctx), game.belowScores(s, ctx), sumsButton(s), over && standings(s)),
    ),
    over && seatingOffer(s, ctx.referee),
    bar(over ? finished(s) : game.actions(s, ctx), s),
  ];
}

/** After a refused move: the table may count it all the same.
    @param {GameSnapshot} s */
function refusal(s) {
  const last = s.log.at(-1);
  if (!ctx.referee || !last || !refusedMove(s, last)) return null;
  return h(
    "button",
    { type: "button", class: "plain", key: `refused-${last.n}`, onclick: () => playItSo(s, last.n) },
    _("We play it so"),
  );
}

/** @param {GameSnapshot} s
    @param {GamePage} game */
function taskView(s, game) {
  const name = game.activePlayer(s);
  const text = game.task(s, ctx);
  return h(
    "div",
    { class: "task" },
    text && h("h2", { key: text, arrive: true }, name && sign(s.game.players, name), h("span", {}, text)),
    game.showsDeadline && deadline(s),
  );
}

/** @param {Snapshot} s */
function welcome(s) {
  return [
    h(
      "header",
      { class: "top" },
      h(
        "h1",
        {},
        s.night?.games?.some((game) => game.ended) ? _("Between two games") : _("Nobody is playing yet."),
      ),
    ),
    connectionLine(link),
    recordingBadge(s),
    h(
      "p",
      { class: "lead" },
      ctx.referee
        ? _("Choose a game and who sits where. The companion keeps the score.")
        : _("The referee starts a game. As soon as it runs, its score appears here."),
    ),
    seatingOffer(s, ctx.referee),
    verdictLine(s),
    standings(s) ?? h("img", { class: "parade", src: artAddress("parade"), alt: "", width: "336", height: "48" }),
    bar(
      [
        ctx.referee
          ? { label: _("New game"), run: () => location.assign("/new") }
          : { label: _("Start a game"), run: () => location.assign("/join?new") },
      ],
      s,
    ),
  ];
}

/** @param {GameSnapshot} s */
function finished(s) {
  if (!ctx.referee) return [];
  return [
    { label: _("Play again"), run: () => runCommand("next_game", { over: s.game.id }) },
    { label: _("Another game"), quiet: true, run: () => location.assign("/new") },
  ];
}

/** The bar at the thumb: menu, the primary action, undo.
    @param {Action[]} actions
    @param {Snapshot} s */
function bar(actions, s) {
  const main = actions.filter((action) => !action.quiet);
  const quiet = actions.filter((action) => action.quiet);
  /** @type {Action} */
  const others = { label: _("Others"), run: () => choose(_("What happened?"), main.slice(1)) };
  const last = undoable(s);
  const primary = main.length > 2 ? [main[0], others] : main;
  barActions = new Map([...quiet, ...primary].map((action) => [action.label, action.run]));
  return h(
    "nav",
    { class: "bar", "aria-label": _("Actions") },
    h(
      "button",
      { type: "button", class: "side", onclick: () => menu(s, ctx) },
      icon("menu"),
      h("small", {}, _("Menu")),
    ),
    h(
      "div",
      { class: "main-actions" },
      quiet.map((action) =>
        h("button", { ...barButton(action), class: "secondary" }, action.label),
      ),
      h(
        "div",
        { class: "side-by-side" },
        primary.map((action) =>
          h(
            "button",
            { ...barButton(action), class: action === others ? "secondary" : "primary" },
            action.glyph,
            action.label,
          ),
        ),
        primary.length === 0 &&
          quiet.length === 0 &&
          h("a", { class: "secondary", href: "/help" }, _("What may I do now?")),
      ),
    ),
    ctx.referee
      ? h(
          "button",
          {
            type: "button",
            class: "side",
            disabled: last === null,
            onclick: () => last && confirmUndo(last),
            "aria-label": last ? _("Undo: %(what)s", { what: entryText(last) }) : _("Nothing to undo"),
          },
          icon("undo"),
          h("small", {}, _("Undo")),
        )
      : h("a", { class: "side", href: "/join" }, icon("whistle"), h("small", {}, _("Join"))),
  );
}

/** What another label says is another button: a press is never taken for what has just come in its place. A
    press while a move is on its way means what the label stands for after it: a sheet of places that was opened
    too soon lacked those beside the card just laid.
    @param {Action} action */
function barButton(action) {
  const run = async () => {
    if (sending.size === 0) return action.run();
    await Promise.all(sending);
    return barActions.get(action.label)?.();
  };
  return { type: "button", key: action.label, guard: true, ...guardedPress(run) };
}

subscribe(boot.snapshot, draw);
requestAnimationFrame(startMoving);
setInterval(drawCountdown, 100);
