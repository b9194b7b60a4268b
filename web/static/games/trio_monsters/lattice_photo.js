/* A photographed table of triangles against the one that is known: new cards in their order to be entered, doubtful
   ones to be named, and what differs. Cards are {id, at, label, corners, kind}: known, new, unsure, differs, lost. */

import { byId, h } from "../../lib/dom.js";
import { PICTURES, send, snapshotNow } from "../../lib/requests.js";
import { _, ngettext } from "../../lib/translation.js";
import { artAddress } from "../../ui/card_pictures.js";
import { runCommand } from "../../ui/commands.js";
import { icon } from "../../ui/icons.js";
import { choose, sheet } from "../../ui/sheet.js";
import { COLOURS } from "./lattice.js";

const PHOTO = "table-photo";

/** Takes the picture and shows what it says; `s` is the game as it stands.
    @param {TrioSnapshot} s */
export function photographTable(s) {
  /** @type {LatticeView} */
  const view = { reading: null, progress: null, error: "", busy: false };
  /** @param {File | undefined} file */
  const photograph = async (file) => {
    if (!file) return;
    Object.assign(view, { progress: 0, error: "", reading: null });
    drawn.redraw();
    /** @type {Reply<{ reading: LatticePhoto }>} */
    const reply = await send("/api/lattice", { picture: file }, (part) => {
      view.progress = part;
      drawn.redraw();
    });
    view.progress = null;
    if (reply.ok) view.reading = reply.reading;
    else view.error = reply.text || reply.code;
    drawn.redraw();
  };
  const drawn = sheet(_("Photograph the table"), (close) => [
    view.reading
      ? readingView(s, view, view.reading, () => drawn.redraw(), close)
      : view.progress === null
        ? photoForm(view)
        : h(
            "p",
            { class: "lead", role: "status" },
            view.progress < 1 ? _("The picture is on its way.") : _("I am looking at it."),
          ),
    h("input", {
      id: PHOTO,
      type: "file",
      accept: PICTURES,
      capture: "environment",
      class: "unseen",
      tabindex: "-1",
      "aria-label": _("Photo of the table"),
      onchange: (event) => photograph(event.target.files[0]),
    }),
  ]);
}

/** @param {LatticeView} view */
function photoForm(view) {
  return [
    h("p", { class: "lead" }, _("Hold the phone flat above the table, all triangles in the picture.")),
    view.error && h("p", { class: "wrong-here", role: "alert" }, view.error),
    h("button", { type: "button", class: "primary", onclick: openCamera }, _("Take the picture")),
  ];
}

const openCamera = () => byId(PHOTO).click();
/** @param {LatticePhoto} reading
    @param {TrianglePhoto["kind"]} kind */
const cardsOfKind = (reading, kind) => reading.cards.filter((card) => card.kind === kind);

/** @param {TrioSnapshot} s
    @param {LatticeView} view
    @param {LatticePhoto} reading
    @param {() => void} redraw
    @param {() => void} close */
function readingView(s, view, reading, redraw, close) {
  const newCards = cardsOfKind(reading, "new");
  const message = messageOf(reading);
  return [
    annotatedPhoto(s, reading, redraw),
    h(
      "div",
      { class: message.doubtful ? "verdict unsure" : "lead", role: "status" },
      message.doubtful && icon("unsure"),
      h(
        "div",
        {},
        message.texts.map((text) => h("p", {}, text)),
      ),
    ),
    newCards.length > 1 && orderList(reading, redraw),
    h(
      "div",
      { class: "pair" },
      h("button", { type: "button", class: "secondary", onclick: openCamera }, _("Again")),
      h(
        "button",
        {
          type: "button",
          class: "primary",
          disabled: newCards.length === 0 || view.busy,
          onclick: async () => {
            view.busy = true;
            redraw();
            await enterCards(newCards);
            close();
          },
        },
        newCards.length === 0
          ? _("Nothing to enter")
          : ngettext("Enter %(n)s card", "Enter %(n)s cards", newCards.length),
      ),
    ),
  ];
}

/** What the picture says, the most important first.
    @param {LatticePhoto} reading
    @returns {{ doubtful: boolean, texts: string[] }} */
function messageOf(reading) {
  if (!reading.fits)
    return {
      doubtful: true,
      texts: [_("I cannot find the known cards in this picture. Take it again, from above, with all cards.")],
    };
  if (cardsOfKind(reading, "lost").length > 0)
    return { doubtful: true, texts: [_("The first card must lie alone on the table.")] };
  const unsure = cardsOfKind(reading, "unsure").length;
  const differs = cardsOfKind(reading, "differs").length;
  const texts = [
    unsure > 0 &&
      ngettext(
        "I am not sure of %(n)s card. Tap it to say what it is.",
        "I am not sure of %(n)s cards. Tap them to say what they are.",
        unsure,
      ),
    differs > 0 &&
      ngettext(
        "%(n)s card is not what was entered. Tap it to change the move.",
        "%(n)s cards are not what was entered. Tap them to change the moves.",
        differs,
      ),
    reading.missing.length > 0 &&
      ngettext(
        "%(n)s known card is not in the picture.",
        "%(n)s known cards are not in the picture.",
        reading.missing.length,
      ),
    !reading.ordered && cardsOfKind(reading, "new").length > 1 && _("Put the new cards in the order they were laid."),
  ].filter(Boolean);
  if (texts.length > 0) return { doubtful: true, texts };
  const newCards = cardsOfKind(reading, "new").length;
  return {
    doubtful: false,
    texts: [
      newCards > 0
        ? ngettext("I see %(n)s new card.", "I see %(n)s new cards.", newCards)
        : _("Everything lies as I know it."),
    ],
  };
}

/** @param {TrioSnapshot} s
    @param {LatticePhoto} reading
    @param {() => void} redraw */
function annotatedPhoto(s, reading, redraw) {
  const newCards = cardsOfKind(reading, "new");
  return h(
    "figure",
    { class: "reading triangles" },
    h("img", { src: reading.picture, alt: _("The photograph with the recognised cards") }),
    h(
      "svg",
      { class: "overlay", viewBox: `0 0 ${reading.size.join(" ")}`, preserveAspectRatio: "none" },
      reading.cards.map((card) => {
        const tapped = () => correct(s, reading, card, redraw);
        const still = card.kind === "known" || card.kind === "lost";
        return h(
          "g",
          {
            key: card.id,
            class: `quad ${card.kind}`,
            ...(!still && {
              role: "button",
              tabindex: "0",
              "aria-label": `${_(card.label)}, ${placeName(card.at)}`,
              onclick: tapped,
              onkeydown: (event) => {
                if (event.key !== "Enter" && event.key !== " ") return;
                event.preventDefault();
                tapped();
              },
            }),
          },
          h("polygon", { points: card.corners.map((corner) => corner.join(",")).join(" ") }),
          cardTag(reading, card, newCards.length > 1 ? newCards.indexOf(card) + 1 : 0),
        );
      }),
    ),
  );
}

/** @param {Place} options */
const placeName = ([row, column]) => _("row %(row)s, place %(column)s", { row, column });

/** The name on a card that is not known yet; `number`: which of several new ones it is.
    @param {LatticePhoto} reading
    @param {TrianglePhoto} card
    @param {number} number */
function cardTag(reading, card, number) {
  if (card.kind === "known") return null;
  const [x, y] = [0, 1].map((axis) => card.corners.reduce((sum, corner) => sum + corner[axis], 0) / 3);
  const text = `${number > 0 ? `${number} ` : ""}${_(card.label)}${card.kind === "unsure" ? "?" : ""}`;
  return h(
    "text",
    {
      x,
      y,
      "text-anchor": "middle",
      "dominant-baseline": "middle",
      "font-size": Math.round(reading.size[0] / 32),
    },
    text,
  );
}

/** The new cards in the order in which they will be entered.
    @param {LatticePhoto} reading
    @param {() => void} redraw */
function orderList(reading, redraw) {
  const newCards = cardsOfKind(reading, "new");
  /** @param {TrianglePhoto} card */
  const moveEarlier = (card) => {
    const rest = reading.cards.filter((one) => one !== card);
    const before = newCards[newCards.indexOf(card) - 1];
    rest.splice(rest.indexOf(before), 0, card);
    reading.cards = rest;
    reading.ordered = true;
    redraw();
  };
  return h(
    "ol",
    { class: "choices laid-order" },
    newCards.map((card, n) =>
      h(
        "li",
        { key: card.id },
        h("span", {}, `${n + 1}. ${_(card.label)} – ${placeName(card.at)}`),
        n > 0 &&
          h(
            "button",
            {
              type: "button",
              class: "secondary",
              "aria-label": _("%(card)s was laid earlier", { card: _(card.label) }),
              onclick: () => moveEarlier(card),
            },
            _("earlier"),
          ),
      ),
    ),
  );
}

/** @param {TrioSnapshot} s
    @param {LatticePhoto} reading
    @param {TrianglePhoto} card
    @param {() => void} redraw */
function correct(s, reading, card, redraw) {
  const labels = [...new Set([card.label, ...reading.labels])];
  /** @param {string} label */
  const setLabel = (label) => {
    if (card.kind === "differs") {
      amend(s, card, label);
      reading.cards = reading.cards.filter((one) => one !== card);
    } else {
      if (card.kind === "unsure") {
        reading.cards = [...reading.cards.filter((one) => one !== card), card];
        reading.ordered = cardsOfKind(reading, "new").length === 0;
      }
      Object.assign(card, { label, kind: "new" });
    }
    redraw();
  };
  choose(_("Which card is it?"), [
    ...labels.map((label) => ({
      label: _(label),
      glyph:
        COLOURS.includes(label) &&
        h("img", { src: artAddress(`trio_monsters/${label}`), alt: "", width: "40", height: "35" }),
      run: () => setLabel(label),
    })),
    {
      label: _("This is no card"),
      run: () => {
        reading.cards = reading.cards.filter((one) => one !== card);
        redraw();
      },
    },
  ]);
}

/** What was entered there before was another card: that move is changed.
    @param {TrioSnapshot} s
    @param {TrianglePhoto} card
    @param {string} label */
function amend(s, card, label) {
  const entry = [...s.log]
    .reverse()
    .find((one) => !one.undone && !one.rejected && `${one.event?.at}` === `${card.at}` && one.event?.card);
  if (entry) runCommand("amend", { n: entry.n, event: { ...entry.event, card: label }, preview: false });
}

/** Enters the cards one after the other, as far as the rules go along; an empty hand ends a turn.
    @param {TrianglePhoto[]} cards */
async function enterCards(cards) {
  for (const card of cards) {
    let now = await snapshotNow();
    if (now?.state.phase === "play" && now.state.hand[now.state.turn] === 0) {
      const ended = await runCommand("event", { event: "turn_ended", player: now.state.turn });
      if (!ended.ok) return;
      now = await snapshotNow();
    }
    if (!now) return;
    const event =
      now.state.phase === "setup"
        ? { event: "card_revealed", card: card.label, at: [0, 0] }
        : { event: "card_played", player: now.state.turn, card: card.label, at: card.at };
    const reply = await runCommand("event", event);
    if (!reply.ok) return;
  }
}
