/* Learning a deck: cards on the table are found, shown, and named by tapping. */

import { boot, referee } from "../lib/boot.js";
import { h, typedText } from "../lib/dom.js";
import { PICTURES, post, send } from "../lib/requests.js";
import { _, ngettext } from "../lib/translation.js";
import { notice } from "../ui/notice.js";
import { shell } from "./parts/page_frame.js";
import { choose, sheet } from "../ui/sheet.js";
import { refreshPicture, cameraPicture } from "../photo/live_picture.js";
import {
  advice,
  cardState,
  findings,
  isLearnable,
  isOpen,
  isRefining,
  problemText,
  problemWord,
  progress,
  refinement,
} from "./parts/deck_report.js";
import { deckChoice, nextInList, offerOrder } from "./parts/deck_order.js";

/** Milliseconds between two looks at how far a deck is refined. */
const REFRESH_MS = 3000;

/** @type {{ enrolment: EnrolmentState, busy: boolean, check: DeckProblems | null }} */
const view = { enrolment: boot.enrolment, busy: false, check: null };
/** The id of the card that is being named, and the sheet that asks for its name.
    @type {number | null} */
let naming = null;
/** @type {Sheet | null} */
let namingSheet = null;

function page() {
  if (!referee)
    return h(
      "p",
      { class: "lead" },
      _("Only the referee can do that. Enter the code on the join page."),
      " ",
      h("a", { href: "/join" }, _("Join")),
    );
  if (view.enrolment.deck === null)
    return [deckChoice(view.enrolment.decks, (deck) => request("open", { deck })), refinement(view.enrolment)];
  return [progress(view.enrolment), refinement(view.enrolment), pictureView(), view.enrolment.cards.length > 0 && cards(), view.check && findings(view.check), allLabels()];
}

function pictureView() {
  if (view.busy) return h("p", { class: "lead", role: "status" }, _("I am looking at it."));
  const { picture, cards: found, camera } = view.enrolment;
  if (picture)
    return [
      cameraPicture(picture, found.map((card) => ({ ...card, kind: cardState(card), text: String(card.id + 1) })), {
        label: (card) => card.label ?? _("Card %(n)s", { n: card.id + 1 }),
        tap: (card) => openNaming(card.id),
      }),
      h("p", { class: "quiet" }, advice(found)),
    ];
  return [
    camera && cameraPicture(null, []),
    h(
      "p",
      { class: "lead" },
      _("Lay some cards apart on a plain ground of another colour, all of them face up. Then let me look."),
    ),
    nextInList(view.enrolment.labels),
  ];
}

function cards() {
  return h(
    "ul",
    { class: "thumbs" },
    view.enrolment.cards.map((card) =>
      h(
        "li",
        { key: card.thumb },
        h(
          "button",
          { type: "button", class: `thumb ${cardState(card)}`, onclick: () => openNaming(card.id) },
          h("img", { src: card.thumb, alt: "" }),
          h("span", {}, card.label ?? (card.guess ? `${card.guess}?` : isLearnable(card) ? _("Name it") : "–")),
          card.problem && h("small", {}, problemWord(card)),
        ),
      ),
    ),
  );
}

/* ---- naming ------------------------------------------------------------------------------------------- */

/** @param {number} id */
function openNaming(id) {
  const card = view.enrolment.cards[id];
  if (card.label) return labelMenu(card.label);
  if (!isLearnable(card)) return notice(problemText(card) ?? "");
  naming = id;
  namingSheet = sheet(
    _("Which card is this?"),
    () => naming !== null && picker(naming),
    () => {
      naming = null;
      redraw();
    },
  );
}

/** @param {number} id */
function picker(id) {
  const card = view.enrolment.cards[id];
  const { labels } = view.enrolment;
  const missing = labels.filter((one) => one.looks === 0);
  const there = labels.filter((one) => one.looks > 0);
  return h(
    "div",
    { class: "naming" },
    h(
      "div",
      { class: "naming-card" },
      h("img", { src: card.thumb, alt: _("The card in question") }),
      h(
        "div",
        {},
        card.problem && h("p", { class: "note" }, problemText(card)),
        h(
          "button",
          { type: "button", class: "secondary", onclick: () => request("turn", { card: id }).then(redrawSheet) },
          _("Turn it round"),
        ),
        h("button", { type: "button", class: "secondary", onclick: nextUnnamed }, _("Leave it out")),
      ),
    ),
    card.guess && labelGroup(_("I think it is"), [{ label: card.guess, looks: 1 }]),
    missing.length > 0 && labelGroup(_("Not learned yet"), missing),
    there.length > 0 && labelGroup(_("One more look of"), there),
    h(
      "form",
      { class: "word", onsubmit: nameTyped },
      h("label", { for: "label" }, _("Another name")),
      h("input", { id: "label", name: "label", maxlength: "64", autocomplete: "off" }),
      h("button", { type: "submit", class: "secondary" }, _("Name it")),
    ),
  );
}

/** @param {string} title
    @param {DeckLabel[]} labels */
function labelGroup(title, labels) {
  return h(
    "section",
    { key: title },
    h("h3", {}, title),
    h(
      "div",
      { class: "labels" },
      labels.map(({ label }) =>
        h("button", { key: label, type: "button", class: "label", onclick: () => nameCard(label) }, label),
      ),
    ),
  );
}

/** @param {FormEvent} event */
function nameTyped(event) {
  event.preventDefault();
  const label = typedText(event.target, "label");
  if (label) nameCard(label);
}

/** @param {string} label */
async function nameCard(label) {
  if (!(await request("name", { card: naming, label }))) return;
  nextUnnamed();
}

function redrawSheet() {
  if (naming !== null) namingSheet?.redraw();
}

/** On to the next card without a name; back to the first one, and out when there is none. */
function nextUnnamed() {
  const open = view.enrolment.cards.filter((card) => isOpen(card) && card.id !== naming);
  const after = open.find((card) => card.id > (naming ?? -1));
  if (!after) return namingSheet?.close();
  naming = after.id;
  namingSheet?.redraw();
}

/* ---- the deck so far ------------------------------------------------------------------------------------ */

function allLabels() {
  const { labels } = view.enrolment;
  if (labels.length === 0) return null;
  return h(
    "details",
    { class: "all-cards" },
    h("summary", {}, _("All cards")),
    h(
      "ul",
      { class: "labels" },
      labels.map((one) =>
        h(
          "li",
          { key: one.label },
          one.looks > 0
            ? h(
                "button",
                { type: "button", class: "label there", onclick: () => labelMenu(one.label) },
                one.label,
                one.looks > 1 && h("small", {}, ` × ${one.looks}`),
              )
            : h("span", { class: "label absent" }, one.label),
        ),
      ),
    ),
    h(
      "p",
      { class: "side-by-side" },
      h("button", { type: "button", class: "secondary", onclick: check }, _("Check the deck")),
      h("button", { type: "button", class: "secondary", onclick: () => request("close") }, _("Another deck")),
    ),
  );
}

/** @param {string} label */
function labelMenu(label) {
  choose(label, [
    { label: _("Call it otherwise"), run: () => rename(label) },
    { label: _("Forget it"), note: _("all its looks; learn it anew"), run: () => request("drop", { label }) },
  ]);
}

/** @param {string} old */
function rename(old) {
  const open = sheet(_("What is %(name)s called?", { name: old }), (close) =>
    h(
      "form",
      {
        class: "word",
        onsubmit: async (event) => {
          event.preventDefault();
          const label = typedText(event.target, "label");
          if (label && (await request("rename", { old, new: label }))) close();
        },
      },
      h("label", { for: "label" }, _("Name")),
      h("input", { id: "label", name: "label", maxlength: "64", value: old, autocomplete: "off" }),
      h("button", { type: "submit", class: "primary" }, _("Call it so")),
    ),
  );
  return open;
}

async function check() {
  /** @type {Reply<{ check: DeckProblems }>} */
  const reply = await post("/api/enrol/check", {});
  if (!reply.ok) return notice(reply.text || reply.code);
  view.check = reply.check;
  redraw();
}

/* ---- asking --------------------------------------------------------------------------------------------- */

/** @param {string} step
    @param {object} [data] */
async function request(step, data = {}) {
  /** @type {Reply<{ enrolment: EnrolmentState }>} */
  const reply = await post(`/api/enrol/${step}`, data);
  if (reply.ok) {
    view.enrolment = reply.enrolment;
    view.check = null;
  } else {
    notice(reply.text || reply.code);
  }
  redraw();
  return reply.ok;
}

/** @param {File | null} file */
async function look(file) {
  view.busy = true;
  redraw();
  /** @type {Reply<{ enrolment: EnrolmentState }>} */
  const reply = await send("/api/enrol/look", file ? { picture: file } : {}, () => {});
  view.busy = false;
  if (reply.ok) view.enrolment = reply.enrolment;
  else notice(reply.text || reply.code);
  redraw();
  if (!reply.ok) return;
  const open = view.enrolment.cards.filter(isOpen);
  if (open.length === 0) return;
  if (open.length > 1 && view.enrolment.next.length === open.length)
    offerOrder(open, view.enrolment.next, { all: () => request("order"), each: () => openNaming(open[0].id) });
  else openNaming(open[0].id);
}

const photo = document.createElement("input");
Object.assign(photo, { type: "file", accept: PICTURES, id: "picture", hidden: true });
photo.setAttribute("capture", "environment");
photo.setAttribute("aria-label", _("Photo of the cards"));
photo.onchange = () => {
  const [file] = photo.files ?? [];
  if (file) look(file);
  photo.value = "";
};
document.body.append(photo);

function actions() {
  if (!referee || view.enrolment.deck === null || view.busy) return [];
  const more = view.enrolment.cards.filter((card) => card.guess && card.new && !card.label).length;
  const shoot = { label: _("Take a photo"), quiet: view.enrolment.camera, run: () => photo.click() };
  const lookLabel = view.enrolment.picture ? _("Look again") : _("Look");
  return [
    more > 0
      ? { label: ngettext("Learn %(n)s look", "Learn %(n)s looks", more), quiet: true, run: () => request("more") }
      : shoot,
    view.enrolment.camera ? { label: lookLabel, run: () => look(null) } : more > 0 && shoot,
  ].filter(Boolean);
}

const redraw = shell(
  () => (view.enrolment?.deck ? view.enrolment.title : _("Learn cards")),
  page,
  actions,
);
refreshPicture(() => view.enrolment?.deck && !view.enrolment.picture && view.enrolment.camera && !document.hidden, redraw);

/** While a deck is refined in the background, how far it is. */
async function refreshRefinement() {
  if (!isRefining(view.enrolment) || view.busy || naming !== null || document.hidden) return;
  /** @type {Reply<{ enrolment: EnrolmentState }>} */
  const reply = await post("/api/enrol/state", {});
  if (!reply.ok || view.busy || naming !== null) return;
  view.enrolment = { ...view.enrolment, refinement: reply.enrolment.refinement };
  redraw();
}
setInterval(refreshRefinement, REFRESH_MS);
