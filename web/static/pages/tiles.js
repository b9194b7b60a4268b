/* Counting a player's tiles: take their picture, answer what is not sure, put right what was misread, see the
   points, confirm. Or count by hand. While a place of the picture is not sure nothing can be entered. */

import { boot, referee } from "../lib/boot.js";
import { h } from "../lib/dom.js";
import { allows, offered, offersOf } from "../lib/offers.js";
import { post, snapshotNow } from "../lib/requests.js";
import { _, ngettext } from "../lib/words.js";
import { enter } from "../ui/commands.js";
import { icon, sign } from "../ui/icons.js";
import { notice } from "../ui/notice.js";
import { shell } from "../ui/page_frame.js";
import { openCamera, sendPicture, take } from "../photo/photo_upload.js";
import {
  anotherSymbol,
  askSymbol,
  explanation,
  knownSymbols,
  MOST,
  open,
  photograph,
  some,
  sumOf,
  symbolGrid,
  symbolName,
  tilesOf,
} from "../games/bugs_and_co/tiles.js";

const entry = Number(new URLSearchParams(location.search).get("entry")) || null;
const view = {
  player: boot.player ?? null,
  reading: null,
  tiles: null,
  more: [],
  progress: null,
  error: "",
  worth: null,
  asked: 0,
};

const mayEnter = (name) => referee || boot.me === name;
const waiting = (s) => offered(s).filter((offer) => offer.event === "tiles_scored");

function page(s) {
  if (!s.game) return h("p", { class: "lead" }, _("Nobody is playing."));
  if (waiting(s).length === 0 && entry === null)
    return h("p", { class: "lead" }, _("Tiles are counted when everybody has stopped."));
  if (!view.player) return whose(s);
  if (!mayEnter(view.player))
    return h(
      "p",
      { class: "lead" },
      _("Only the referee and %(name)s can do that.", { name: view.player }),
      " ",
      h("a", { href: "/join" }, _("Join")),
    );
  return view.tiles ? check(s) : take(view, words(), { send, byHand });
}

function whose(s) {
  return [
    h("p", { class: "lead" }, _("Whose tiles?")),
    h(
      "ul",
      { class: "choices" },
      s.game.players.map((seat) =>
        h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              class: "choice",
              disabled:
                !waiting(s).some((offer) => allows(offer.fields.player, seat.name)) || !mayEnter(seat.name),
              onclick: () => {
                view.player = seat.name;
                redraw();
              },
            },
            sign(s.game.players, seat.name),
            h("span", {}, seat.name),
          ),
        ),
      ),
    ),
  ];
}

const words = () => ({
  advice: _("Lay the tiles side by side, hold the phone flat above them, all of them in the picture."),
  photo: _("Photo of the tiles"),
  picture: _("Picture of the tiles"),
});

async function send(event) {
  const reading = await sendPicture(event, view, redraw);
  if (reading === null) return;
  view.reading = reading;
  view.tiles = tilesOf(reading.cards);
  count();
}

function byHand() {
  view.tiles = {};
  count();
}

function check(s) {
  const known = symbols(s);
  const counted = others(s);
  return [
    view.reading && photograph(view.reading, (place) => question(s, place)),
    view.reading && advice(),
    explanation(view.tiles, view.worth),
    symbolGrid(known, view.tiles, counted, (symbol, most) => {
      const n = view.tiles[symbol] ?? 0;
      view.tiles[symbol] = n >= most ? 0 : n + 1;
      count();
    }),
    tooMany(counted).map((text) => h("p", { class: "wrong-here", role: "alert", key: text }, text)),
    anotherSymbol((symbol) => {
      view.more.push(symbol);
      view.tiles[symbol] = 1;
      count();
    }),
  ];
}

function symbols(s) {
  return knownSymbols(s, others(s), [...(view.reading?.labels ?? []), ...view.more]);
}

/** The tiles of the players already counted: there are three of each symbol in all. */
function others(s) {
  return offersOf(s, "tiles_scored", view.player)[0]?.fields.tiles.counted ?? {};
}

function tooMany(counted) {
  return Object.entries(view.tiles)
    .filter(([symbol, n]) => n > MOST - (counted[symbol] ?? 0))
    .map(([symbol, n]) =>
      counted[symbol]
        ? _("%(symbol)s: %(n)s here and %(others)s counted before, but there are three.", {
            symbol: symbolName(symbol),
            n,
            others: counted[symbol],
          })
        : _("%(symbol)s: %(n)s tiles, but there are three.", { symbol: symbolName(symbol), n }),
    );
}

function advice() {
  const unsure = open(view.reading).length;
  return h(
    "div",
    { class: unsure > 0 ? "verdict unsure" : "lead", role: "status" },
    unsure > 0 && icon("unsure"),
    h(
      "p",
      {},
      unsure > 0
        ? ngettext(
            "I am not sure of %(n)s place. Tap it to say what lies there.",
            "I am not sure of %(n)s places. Tap them to say what lies there.",
            unsure,
          )
        : ngettext(
            "I see %(n)s tile. Tap it, or a symbol below, to put it right.",
            "I see %(n)s tiles. Tap one, or a symbol below, to put it right.",
            view.reading.cards.length,
          ),
    ),
  );
}

/** One place of the picture is asked about; the counts follow the answer. */
function question(s, place) {
  askSymbol(view.reading, place, symbols(s), (symbol) => {
    const { reading, tiles } = view;
    if (place.label) tiles[place.label] = Math.max(0, (tiles[place.label] ?? 0) - 1);
    if (symbol) tiles[symbol] = (tiles[symbol] ?? 0) + 1;
    reading.doubts = reading.doubts.filter((one) => one !== place);
    reading.cards = reading.cards.filter((one) => one !== place);
    if (symbol) reading.cards.push({ ...place, label: symbol, changed: true });
    count();
  });
}

/** Asks the rules what the tiles as they stand are worth; only the latest answer counts. */
async function count() {
  const mine = ++view.asked;
  redraw();
  const reply = await post("/api/tile_points", { player: view.player, tiles: some(view.tiles) });
  if (mine !== view.asked) return;
  view.worth = reply.ok ? reply : null;
  redraw();
}

async function confirm() {
  const event = { event: "tiles_scored", player: view.player, tiles: some(view.tiles) };
  const reply = await enter(event, entry);
  if (!reply.ok) return;
  if (entry === null && (await uncounted()).length > 0) {
    notice(_("%(name)s is counted.", { name: view.player }));
    view.player = null;
    again();
  } else {
    location.assign("/");
  }
}

/** Whose tiles this phone may still count. */
async function uncounted() {
  const s = await snapshotNow();
  return (s?.game?.players ?? [])
    .map((seat) => seat.name)
    .filter((name) => waiting(s).some((offer) => allows(offer.fields.player, name)) && mayEnter(name));
}

function actions(s) {
  const entered = waiting(s).some((offer) => allows(offer.fields.player, view.player)) || entry !== null;
  if (!s.game || !view.player || !entered || !mayEnter(view.player) || view.progress !== null) return [];
  if (!view.tiles)
    return [{ label: _("Photograph %(name)s's tiles", { name: view.player }), run: () => openCamera() }];
  const [unsure] = view.reading ? open(view.reading) : [];
  const n = sumOf(view.tiles);
  return [
    { label: _("Again"), quiet: true, run: again },
    unsure
      ? { label: _("What is this?"), run: () => question(s, unsure) }
      : {
          label: ngettext("Enter %(n)s tile", "Enter %(n)s tiles", n),
          disabled: tooMany(others(s)).length > 0,
          run: confirm,
        },
  ];
}

function again() {
  Object.assign(view, { reading: null, tiles: null, more: [], worth: null, error: "" });
  redraw();
}

const redraw = shell(
  (s) => (view.player && s.game ? _("%(name)s's tiles", { name: view.player }) : _("Count tiles")),
  page,
  actions,
);
