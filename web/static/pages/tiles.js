/* Counting a player's tiles: take their picture, answer what is not sure, put right what was misread, see the
   points, confirm. Or count by hand. While a place of the picture is not sure nothing can be entered. */

import { boot, referee } from "../lib/boot.js";
import { h } from "../lib/dom.js";
import { allows, offered, offersOf } from "../lib/offers.js";
import { post, snapshotNow } from "../lib/requests.js";
import { hasGame } from "../lib/snapshot.js";
import { _, ngettext } from "../lib/translation.js";
import { enterOrAmend } from "../ui/commands.js";
import { icon, sign } from "../ui/icons.js";
import { notice } from "../ui/notice.js";
import { shell } from "./parts/page_frame.js";
import { openCamera, sendPicture, photoForm } from "../photo/photo_upload.js";
import {
  anotherSymbol,
  askSymbol,
  pointsTable,
  knownSymbols,
  TILES_PER_SYMBOL,
  openPlaces,
  annotatedPhoto,
  withoutZeros,
  tileCount,
  symbolGrid,
  symbolName,
  tilesOf,
} from "../games/bugs_and_co/tiles.js";

const entry = Number(new URLSearchParams(location.search).get("entry")) || null;
/** @type {{ player: string | null, reading: TileReading | null, tiles: Tiles | null, more: string[],
           progress: number | null, error: string, worth: TilePoints | null, asked: number }} */
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

/** @param {string} name */
const mayEnter = (name) => referee || boot.me === name;
/** @param {Snapshot} s */
const scoreOffers = (s) => offered(s).filter((offer) => offer.event === "tiles_scored");

/** @param {Snapshot} s */
function page(s) {
  if (!hasGame(s)) return h("p", { class: "lead" }, _("Nobody is playing."));
  if (scoreOffers(s).length === 0 && entry === null)
    return h("p", { class: "lead" }, _("Tiles are counted when everybody has stopped."));
  if (!view.player) return playerChoice(s);
  if (!mayEnter(view.player))
    return h(
      "p",
      { class: "lead" },
      _("Only the referee and %(name)s can do that.", { name: view.player }),
      " ",
      h("a", { href: "/join" }, _("Join")),
    );
  return view.tiles ? countView(s, view.tiles) : photoForm(view, formTexts(), { send, byHand });
}

/** @param {GameSnapshot} s */
function playerChoice(s) {
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
                !scoreOffers(s).some((offer) => allows(offer.fields.player, seat.name)) || !mayEnter(seat.name),
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

const formTexts = () => ({
  advice: _("Lay the tiles side by side, hold the phone flat above them, all of them in the picture."),
  photo: _("Photo of the tiles"),
  picture: _("Picture of the tiles"),
});

/** @param {FileEvent} event */
async function send(event) {
  const reading = await sendPicture(event, view, redraw);
  if (reading === null) return;
  view.reading = reading;
  view.tiles = tilesOf(reading.cards);
  updatePoints();
}

function byHand() {
  view.tiles = {};
  updatePoints();
}

/** @param {GameSnapshot} s
    @param {Tiles} tiles */
function countView(s, tiles) {
  const { reading } = view;
  const known = symbols(s);
  const counted = countedByOthers(s);
  return [
    reading && annotatedPhoto(reading, (place) => askPlace(s, reading, tiles, place)),
    reading && advice(reading),
    pointsTable(tiles, view.worth),
    symbolGrid(known, tiles, counted, (symbol, most) => {
      const n = tiles[symbol] ?? 0;
      tiles[symbol] = n >= most ? 0 : n + 1;
      updatePoints();
    }),
    tooMany(tiles, counted).map((text) => h("p", { class: "wrong-here", role: "alert", key: text }, text)),
    anotherSymbol((symbol) => {
      view.more.push(symbol);
      tiles[symbol] = 1;
      updatePoints();
    }),
  ];
}

/** @param {GameSnapshot} s */
function symbols(s) {
  return knownSymbols(s, countedByOthers(s), [...(view.reading?.labels ?? []), ...view.more]);
}

/** The tiles of the players already counted: there are three of each symbol in all.
    @param {Snapshot} s
    @returns {Tiles} */
function countedByOthers(s) {
  return offersOf(s, "tiles_scored", view.player)[0]?.fields.tiles.counted ?? {};
}

/** @param {Tiles} tiles
    @param {Tiles} counted */
function tooMany(tiles, counted) {
  return Object.entries(tiles)
    .filter(([symbol, n]) => n > TILES_PER_SYMBOL - (counted[symbol] ?? 0))
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

/** @param {TileReading} reading */
function advice(reading) {
  const unsure = openPlaces(reading).length;
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
            reading.cards.length,
          ),
    ),
  );
}

/** One place of the picture is asked about; the counts follow the answer.
    @param {GameSnapshot} s
    @param {TileReading} reading
    @param {Tiles} tiles
    @param {ShownTile} place */
function askPlace(s, reading, tiles, place) {
  askSymbol(reading, place, symbols(s), (symbol) => {
    if (place.label) tiles[place.label] = Math.max(0, (tiles[place.label] ?? 0) - 1);
    if (symbol) tiles[symbol] = (tiles[symbol] ?? 0) + 1;
    reading.doubts = reading.doubts.filter((one) => one !== place);
    reading.cards = reading.cards.filter((one) => one !== place);
    if (symbol) reading.cards.push({ confidence: 1, ...place, label: symbol, changed: true });
    updatePoints();
  });
}

/** Asks the rules what the tiles as they stand are worth; only the latest answer counts. */
async function updatePoints() {
  const request = ++view.asked;
  redraw();
  /** @type {Reply<TilePoints>} */
  const reply = await post("/api/tile_points", { player: view.player, tiles: withoutZeros(view.tiles ?? {}) });
  if (request !== view.asked) return;
  view.worth = reply.ok ? reply : null;
  redraw();
}

async function confirm() {
  const event = { event: "tiles_scored", player: view.player ?? undefined, tiles: withoutZeros(view.tiles ?? {}) };
  const reply = await enterOrAmend(event, entry);
  if (!reply.ok) return;
  if (entry === null && (await uncountedPlayers()).length > 0) {
    notice(_("%(name)s is counted.", { name: view.player }));
    view.player = null;
    restart();
  } else {
    location.assign("/");
  }
}

/** Whose tiles this phone may still count. */
async function uncountedPlayers() {
  const s = await snapshotNow();
  if (s === null) return [];
  return (s.game?.players ?? [])
    .map((seat) => seat.name)
    .filter((name) => scoreOffers(s).some((offer) => allows(offer.fields.player, name)) && mayEnter(name));
}

/** @param {Snapshot} s
    @returns {Action[]} */
function actions(s) {
  const { player, tiles, reading } = view;
  const mayBeEntered = scoreOffers(s).some((offer) => allows(offer.fields.player, player)) || entry !== null;
  if (!hasGame(s) || !player || !mayBeEntered || !mayEnter(player) || view.progress !== null) return [];
  if (!tiles)
    return [{ label: _("Photograph %(name)s's tiles", { name: player }), run: () => openCamera() }];
  const [unsure] = reading ? openPlaces(reading) : [];
  const n = tileCount(tiles);
  return [
    { label: _("Again"), quiet: true, run: restart },
    reading && unsure
      ? { label: _("What is this?"), run: () => askPlace(s, reading, tiles, unsure) }
      : {
          label: ngettext("Enter %(n)s tile", "Enter %(n)s tiles", n),
          disabled: tooMany(tiles, countedByOthers(s)).length > 0,
          run: confirm,
        },
  ];
}

function restart() {
  Object.assign(view, { reading: null, tiles: null, more: [], worth: null, error: "" });
  redraw();
}

const redraw = shell(
  (s) => (view.player && s.game ? _("%(name)s's tiles", { name: view.player }) : _("Count tiles")),
  page,
  actions,
);
