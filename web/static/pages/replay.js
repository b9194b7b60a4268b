/* A past game, event by event: the table as it was, the sentence of each event, a link to each step. */

import { boot } from "../lib/boot.js";
import { h } from "../lib/dom.js";
import { _ } from "../lib/translation.js";
import { icon, sign } from "../ui/icons.js";
import { notice } from "../ui/notice.js";
import { shell } from "./parts/page_frame.js";
import { winnerLine } from "../ui/page_parts.js";
import { sheet } from "../ui/sheet.js";
import { remarks } from "./parts/entry_remarks.js";
import { Steps } from "./parts/steps.js";
import { tableScene } from "./parts/table_scene.js";

const LISTED = 40; // entries beside the table: these before the present one, and a quarter as many after it
const ADDRESS_MS = 300; // browsers limit how often a page may change its address

const { game, started } = boot.replay;
const fromFile = game.id === 0; // no game of this table's journal
const steps = new Steps(boot.replay, () => redraw());
let at = clamp(Number(new URLSearchParams(location.search).get("step") ?? 0) || 0);
/** The step that was drawn last: it stays while the wanted one is read.
    @type {GameStep | undefined} */
let shown;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let addressTimer;

/** @param {number} n */
function clamp(n) {
  return Math.min(boot.replay.last, Math.max(0, Math.round(n)));
}

/** @param {number} n */
function go(n) {
  at = clamp(n);
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => history.replaceState(null, "", `?step=${at}`), ADDRESS_MS);
  redraw();
}

function view() {
  const now = steps.get(at);
  shown = now ?? shown;
  return [
    started !== "" && h("p", { class: "quiet" }, day()),
    fromFile && h("p", { class: "quiet" }, _("Opened from a file: %(name)s. Nothing of it is stored.", { name: boot.replay.file })),
    slider(),
    h(
      "div",
      { class: "replay", "aria-busy": now ? null : "true" },
      h(
        "div",
        { class: "then" },
        h("div", { class: "event-now", "aria-live": "polite" }, shown && eventNow(shown)),
        shown && tableScene(steps.snapshot(shown)),
      ),
      entryList(),
    ),
    h(
      "p",
      { class: "row share" },
      !fromFile && h("a", { class: "secondary", href: `/past/${game.id}.jsonl`, download: boot.replay.file }, _("The game as a file")),
      h("button", { type: "button", class: "secondary", onclick: shareLink }, _("Link to this step")),
    ),
    h("p", { class: "quiet" }, _("Past games opens the file again at any table.")),
  ];
}

function day() {
  const spoken = document.documentElement.lang;
  const language = navigator.languages.find((one) => one.split("-")[0] === spoken) ?? spoken;
  return new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short" }).format(new Date(started));
}

function slider() {
  return h(
    "div",
    { class: "steps" },
    stepButton("first", _("First event"), 0),
    h("input", {
      type: "range",
      min: 0,
      max: steps.last,
      step: 1,
      value: String(at),
      "aria-label": _("Event"),
      "aria-valuetext": positionText(),
      oninput: (event) => go(Number(event.target.value)),
    }),
    stepButton("last", _("Last event"), steps.last),
    h("output", { class: "quiet" }, positionText()),
  );
}

function positionText() {
  return _("%(n)s of %(all)s", { n: at, all: steps.last });
}

/** @param {string} glyph
    @param {string} label
    @param {number} to */
function stepButton(glyph, label, to) {
  return h(
    "button",
    { type: "button", class: "icon-button", "aria-label": label, disabled: at === to, onclick: () => go(to) },
    icon(glyph),
  );
}

/** What happened in a step, and what came of it.
    @param {GameStep} step */
function eventNow({ entry, winner }) {
  if (!entry) return h("h2", {}, _("The game begins."));
  const lines = entry.text.split("\n");
  const player = entry.event?.player;
  return [
    h("h2", { key: entry.n }, player && sign(game.players, player), h("span", {}, lines[0])),
    lines.slice(1).map((line) => h("p", {}, line)),
    h("div", { class: "entry" }, h("div", { class: "what" }, remarks(entry))),
    winner.length > 0 && h("p", { class: "winner" }, winnerLine(winner)),
  ];
}

/** The events round the present one, the oldest first; each is a way to its step. */
function entryList() {
  const first = Math.max(1, at - LISTED);
  const last = Math.min(steps.last, at + LISTED / 4);
  const known = [];
  for (let n = first; n <= last; n += 1) {
    const entry = steps.known.get(n)?.entry;
    if (entry) known.push(entry);
  }
  return h(
    "ol",
    { class: "log", "aria-label": _("Events") },
    known.map((entry) =>
      h(
        "li",
        { key: entry.n, class: entry.undone ? "undone" : null },
        h(
          "button",
          {
            type: "button",
            class: "entry",
            "aria-current": entry.n === at ? "step" : null,
            onclick: () => go(entry.n),
          },
          h("span", { class: "n" }, entry.n),
          h("span", { class: "what" }, h("span", {}, entry.text.split("\n")[0])),
        ),
      ),
    ),
  );
}

function shareLink() {
  const link = `${location.origin}${location.pathname}?step=${at}`;
  sheet(_("Link to this step"), () => [
    h("p", { class: "quiet" }, _("It works in this network.")),
    h("input", {
      type: "text",
      class: "step-link",
      readonly: true,
      "aria-label": _("Link to this step"),
      value: link,
      onfocus: (/** @type {ControlEvent} */ event) => event.target.select(),
    }),
    h("button", { type: "button", class: "primary", onclick: () => copy(link) }, _("Copy")),
  ]);
}

/** Over plain HTTP a browser has no clipboard of its own: there the marked text is copied.
    @param {string} link */
async function copy(link) {
  /** @type {HTMLInputElement | null} */
  const field = document.querySelector(".step-link");
  field?.focus();
  field?.select();
  const copied = navigator.clipboard
    ? await navigator.clipboard.writeText(link).then(
        () => true,
        () => false,
      )
    : document.execCommand("copy");
  notice(copied ? _("Copied.") : _("Mark the line and copy it."));
}

/** @type {Record<string, () => number>} */
const KEYS = {
  ArrowLeft: () => at - 1,
  ArrowRight: () => at + 1,
  PageUp: () => at - 10,
  PageDown: () => at + 10,
  Home: () => 0,
  End: () => steps.last,
};

document.addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (event.altKey || event.ctrlKey || event.metaKey || target.closest("input, textarea, select, dialog")) return;
  if (!(event.key in KEYS)) return;
  event.preventDefault();
  go(KEYS[event.key]());
});

/** The list follows the present event. */
function follow() {
  /** @type {HTMLElement | null} */
  const present = document.querySelector('.log [aria-current="step"]');
  const list = present?.closest("ol");
  if (present && list) list.scrollTop = present.offsetTop - (list.clientHeight - present.clientHeight) / 2;
}

const draw = shell(
  game.title,
  view,
  () => [
    { label: _("Back"), quiet: true, disabled: at === 0, run: () => go(at - 1) },
    { label: _("Next"), disabled: at === steps.last, run: () => go(at + 1) },
  ],
);

function redraw() {
  draw();
  follow();
}

setTimeout(follow); // once the page is drawn
