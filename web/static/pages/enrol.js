/* Learning a deck: cards on the table are found, shown, and named by tapping. */

import { boot, referee } from "../lib/boot.js";
import { h } from "../lib/dom.js";
import { post, send } from "../lib/requests.js";
import { _, list, ngettext } from "../lib/words.js";
import { notice } from "../ui/notice.js";
import { shell } from "../ui/page_frame.js";
import { choose, sheet } from "../ui/sheet.js";
import { lookAgain, seen } from "../photo/live_picture.js";

const view = { desk: boot.desk, busy: false, check: null };
let naming = null;

function page() {
  if (!referee)
    return h(
      "p",
      { class: "lead" },
      _("Only the referee can do that. Enter the PIN on the join page."),
      " ",
      h("a", { href: "/join" }, _("Join")),
    );
  if (view.desk.deck === null) return decks();
  return [progress(), table(), view.desk.cards.length > 0 && cards(), view.check && findings(), known()];
}

function decks() {
  return [
    h("p", { class: "lead" }, _("Which game's cards? What was begun before is gone on with.")),
    h(
      "ul",
      { class: "choices" },
      view.desk.decks.map((deck) =>
        h(
          "li",
          { key: deck.name },
          h(
            "button",
            { type: "button", class: "choice", onclick: () => act("open", { deck: deck.name }) },
            h(
              "span",
              {},
              deck.title,
              deck.cards > 0 &&
                h(
                  "small",
                  {},
                  deck.of === null
                    ? ngettext("%(n)s card", "%(n)s cards", deck.cards)
                    : _("%(n)s of %(of)s cards", { n: deck.cards, of: deck.of }),
                ),
            ),
          ),
        ),
      ),
    ),
    h(
      "form",
      { class: "word", onsubmit: another },
      h("label", { for: "other" }, _("Another deck")),
      h("input", { id: "other", name: "deck", maxlength: "64", autocomplete: "off" }),
      h("button", { type: "submit", class: "secondary" }, _("Begin")),
    ),
  ];
}

function another(event) {
  event.preventDefault();
  const name = new FormData(event.target).get("deck").trim();
  if (name) act("open", { deck: name });
}

function progress() {
  const { labels, missing } = view.desk;
  const learned = labels.filter((one) => one.looks > 0).length;
  return h(
    "p",
    { class: "lead", role: "status" },
    labels.length > 0 && missing.length > 0
      ? _("%(n)s of %(of)s cards learned.", { n: learned, of: labels.length })
      : ngettext("%(n)s card learned.", "%(n)s cards learned.", learned),
    missing.length > 0 && missing.length <= 6 && ` ${_("Missing: %(names)s.", { names: list(missing) })}`,
  );
}

function table() {
  if (view.busy) return h("p", { class: "lead", role: "status" }, _("I am looking at it."));
  const { picture, cards: found, camera } = view.desk;
  if (picture)
    return [
      seen(picture, found.map((card) => ({ ...card, kind: kind(card), text: String(card.id + 1) })), {
        label: (card) => card.label ?? _("Card %(n)s", { n: card.id + 1 }),
        tap: (card) => name(card.id),
      }),
      h("p", { class: "quiet" }, advice(found)),
    ];
  return [
    camera && seen(null, []),
    h(
      "p",
      { class: "lead" },
      _("Lay some cards apart on a plain ground of another colour, all of them face up. Then let me look."),
    ),
  ];
}

function kind(card) {
  if (card.label) return "right";
  return card.guess ? "known" : card.blurred || card.small ? "unsure" : "open";
}

function advice(found) {
  if (found.length === 0)
    return _("I see no card. They must lie apart, wholly in the picture, on a ground of another colour.");
  const open = found.filter((card) => !card.label && !card.guess).length;
  if (found.some((card) => card.small))
    return _("The cards are too small in the picture. Bring the camera nearer, or take a photo with the phone.");
  if (open > 0) return ngettext("Tap the card to name it.", "Tap a card to name it: %(n)s to go.", open);
  if (found.some((card) => card.guess && card.new && !card.label))
    return _("I know these. Another look in other light makes me surer.");
  return _("All of them are learned. Lay down the next ones.");
}

function cards() {
  return h(
    "ul",
    { class: "thumbs" },
    view.desk.cards.map((card) =>
      h(
        "li",
        { key: card.thumb },
        h(
          "button",
          { type: "button", class: `thumb ${kind(card)}`, onclick: () => name(card.id) },
          h("img", { src: card.thumb, alt: "" }),
          h("span", {}, card.label ?? (card.guess ? `${card.guess}?` : _("Name it"))),
          (card.blurred || card.small) && h("small", {}, card.small ? _("too small") : _("blurred")),
        ),
      ),
    ),
  );
}

/* ---- naming ------------------------------------------------------------------------------------------- */

function name(id) {
  const card = view.desk.cards[id];
  if (card.label) return learned(card.label);
  naming = id;
  const open = sheet(_("Which card is this?"), (close) => naming !== null && picker(close), () => {
    naming = null;
    redraw();
  });
  name.redraw = open.redraw;
  name.close = open.close;
}

function picker() {
  const card = view.desk.cards[naming];
  const { labels } = view.desk;
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
        (card.blurred || card.small) &&
          h("p", { class: "note" }, card.small ? _("It is too small in the picture.") : _("It is blurred.")),
        h(
          "button",
          { type: "button", class: "secondary", onclick: () => act("turn", { card: naming }).then(again) },
          _("Turn it round"),
        ),
        h("button", { type: "button", class: "secondary", onclick: next }, _("Leave it out")),
      ),
    ),
    card.guess && labelGroup(_("I think it is"), [{ label: card.guess, looks: 1 }]),
    missing.length > 0 && labelGroup(_("Not learned yet"), missing),
    there.length > 0 && labelGroup(_("One more look of"), there),
    h(
      "form",
      { class: "word", onsubmit: typed },
      h("label", { for: "label" }, _("Another name")),
      h("input", { id: "label", name: "label", maxlength: "64", autocomplete: "off" }),
      h("button", { type: "submit", class: "secondary" }, _("Name it")),
    ),
  );
}

function labelGroup(title, labels) {
  return h(
    "section",
    { key: title },
    h("h3", {}, title),
    h(
      "div",
      { class: "labels" },
      labels.map(({ label }) =>
        h("button", { key: label, type: "button", class: "label", onclick: () => call(label) }, label),
      ),
    ),
  );
}

function typed(event) {
  event.preventDefault();
  const label = new FormData(event.target).get("label").trim();
  if (label) call(label);
}

async function call(label) {
  if (!(await act("name", { card: naming, label }))) return;
  next();
}

function again() {
  if (naming !== null) name.redraw();
}

/** On to the next card without a name; back to the first one, and out when there is none. */
function next() {
  const open = view.desk.cards.filter((card) => !card.label && !card.guess && card.id !== naming);
  const after = open.find((card) => card.id > naming);
  if (!after) return name.close();
  naming = after.id;
  name.redraw();
}

/* ---- the deck so far ------------------------------------------------------------------------------------ */

function known() {
  const { labels } = view.desk;
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
                { type: "button", class: "label there", onclick: () => learned(one.label) },
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
      h("button", { type: "button", class: "secondary", onclick: () => act("close") }, _("Another deck")),
    ),
  );
}

function learned(label) {
  choose(label, [
    { label: _("Call it otherwise"), run: () => rename(label) },
    { label: _("Forget it"), note: _("all its looks; learn it anew"), run: () => act("drop", { label }) },
  ]);
}

function rename(old) {
  const open = sheet(_("What is %(name)s called?", { name: old }), (close) =>
    h(
      "form",
      {
        class: "word",
        onsubmit: async (event) => {
          event.preventDefault();
          const label = new FormData(event.target).get("label").trim();
          if (label && (await act("rename", { old, new: label }))) close();
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
  const reply = await post("/api/enrol/check", {});
  if (!reply.ok) return notice(reply.text || reply.code);
  view.check = reply.check;
  redraw();
}

function findings() {
  const { alike, misread, plain, missing, weak } = view.check;
  const notes = [
    missing.length > 8
      ? ngettext("%(n)s card is missing.", "%(n)s cards are missing.", missing.length)
      : missing.length > 0 && _("Missing: %(names)s.", { names: list(missing) }),
    ...alike.map(([one, other]) => _("%(one)s and %(other)s look too much alike.", { one, other })),
    ...misread.map(([label, , other]) =>
      _("A look of %(label)s looks more like %(other)s. Forget it and learn it anew.", { label, other }),
    ),
    plain.length > 0 && _("Too plain to be known once covered: %(names)s.", { names: list(plain) }),
    weak.length > 0 && _("Learned from poor pictures: %(names)s.", { names: list(weak) }),
  ].filter(Boolean);
  return h(
    "div",
    { class: notes.length ? "verdict unsure" : "verdict right", role: "status" },
    h("div", {}, notes.length ? notes.map((text) => h("p", {}, text)) : h("p", {}, _("The deck is sound."))),
  );
}

/* ---- asking --------------------------------------------------------------------------------------------- */

async function act(step, data = {}) {
  const reply = await post(`/api/enrol/${step}`, data);
  if (reply.ok) {
    view.desk = reply.desk;
    view.check = null;
  } else {
    notice(reply.text || reply.code);
  }
  redraw();
  return reply.ok;
}

async function look(file) {
  view.busy = true;
  redraw();
  const reply = await send("/api/enrol/look", file ? { picture: file } : {}, () => {});
  view.busy = false;
  if (reply.ok) view.desk = reply.desk;
  else notice(reply.text || reply.code);
  redraw();
  const first = reply.ok ? view.desk.cards.find((card) => !card.label && !card.guess) : null;
  if (first) name(first.id);
}

const photo = document.createElement("input");
Object.assign(photo, { type: "file", accept: "image/*", id: "picture", className: "unseen", tabIndex: -1 });
photo.setAttribute("capture", "environment");
photo.setAttribute("aria-label", _("Photo of the cards"));
photo.onchange = () => {
  const [file] = photo.files;
  if (file) look(file);
  photo.value = "";
};
document.body.append(photo);

function actions() {
  if (!referee || view.desk.deck === null || view.busy) return [];
  const more = view.desk.cards.filter((card) => card.guess && card.new && !card.label).length;
  const shoot = { label: _("Take a photo"), quiet: view.desk.camera, run: () => photo.click() };
  const again = view.desk.picture ? _("Look again") : _("Look");
  return [
    more > 0
      ? { label: ngettext("Learn %(n)s look", "Learn %(n)s looks", more), quiet: true, run: () => act("more") }
      : shoot,
    view.desk.camera ? { label: again, run: () => look(null) } : more > 0 && shoot,
  ].filter(Boolean);
}

const redraw = shell(
  () => (view.desk?.deck ? view.desk.title : _("Learn cards")),
  page,
  actions,
);
lookAgain(() => view.desk?.deck && !view.desk.picture && view.desk.camera && !document.hidden, redraw);
