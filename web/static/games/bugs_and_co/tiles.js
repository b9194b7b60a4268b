/* The tiles of Bugs & Co on a phone: the symbols to be tapped, the photograph with its tiles, and what they count.

   A reading has {picture, size, cards: [{id, label, confidence, corners}], doubts: [{id, like, centre, radius}],
   labels}. What a tap says of a place is kept with it: a card's label changes, a doubt becomes a card or goes. */

import { h, typedText } from "../../lib/dom.js";
import { _, ngettext } from "../../lib/translation.js";
import { artAddress } from "../../ui/card_pictures.js";
import { sheet } from "../../ui/sheet.js";

export const TILES_PER_SYMBOL = 3;
const TWO_EYED = [
  "spiral",
  "antenna",
  "claw",
  "wing",
  "shell",
  "spike",
  "worm",
  "spider",
  "squid",
  "bat",
  "mushroom",
  "flame",
  "crystal",
  "ant",
  "fish",
];
const THREE_AND_ONE = [
  "ring",
  "tadpole",
  "tower",
  "slug",
  "cactus",
  "clover",
  "tripod",
  "crown",
  "caterpillar",
  "gem_bug",
];
const SYMBOLS = [...TWO_EYED, ...THREE_AND_ONE];
const SURE_FROM = 0.6;

/** @param {string} symbol */
export const symbolName = (symbol) => _(symbol.replaceAll("_", " "));

/** The symbols that may be counted: those in play, those counted of other players, and more that are known.
    @param {GameSnapshot} s
    @param {Tiles} [counted]
    @param {string[]} [more]
    @returns {string[]} */
export function knownSymbols(s, counted = {}, more = []) {
  return [...new Set([...SYMBOLS.slice(0, s.state.sets ?? SYMBOLS.length), ...Object.keys(counted), ...more])];
}

/** @param {TileReading["cards"]} cards
    @returns {Tiles} */
export const tilesOf = (cards) =>
  cards.reduce((/** @type {Tiles} */ all, one) => ({ ...all, [one.label]: (all[one.label] ?? 0) + 1 }), {});

/** @param {Tiles} tiles
    @returns {Tiles} */
export const withoutZeros = (tiles) => Object.fromEntries(Object.entries(tiles).filter(([, n]) => n > 0));

/** @param {Tiles} tiles
    @returns {number} */
export const tileCount = (tiles) => Object.values(tiles).reduce((all, n) => all + n, 0);

/** A button a symbol; `tap(symbol, most)` is called with the number of its tiles that can still be there.
    @param {string[]} known
    @param {Tiles} tiles
    @param {Tiles} counted
    @param {(symbol: string, most: number) => void} tap */
export function symbolGrid(known, tiles, counted, tap) {
  return h(
    "div",
    { class: "tiles" },
    known.map((symbol) => {
      const n = tiles[symbol] ?? 0;
      const most = TILES_PER_SYMBOL - (counted[symbol] ?? 0);
      return h(
        "button",
        {
          type: "button",
          key: symbol,
          class: `tile ${n > 0 ? "some" : ""} ${n > most ? "too-many" : ""}`,
          disabled: most === 0 && n === 0,
          "aria-label": ngettext("%(symbol)s: %(n)s tile", "%(symbol)s: %(n)s tiles", n, {
            symbol: symbolName(symbol),
          }),
          onclick: () => tap(symbol, most),
        },
        symbolPicture(symbol),
        n > 0 && h("b", {}, n),
      );
    }),
  );
}

/** @param {string} symbol */
function symbolPicture(symbol) {
  return SYMBOLS.includes(symbol)
    ? h("img", { src: artAddress(`bugs_and_co/${symbol}`), alt: "", width: "52", height: "52" })
    : h("span", {}, symbolName(symbol));
}

/** A field for a symbol that is on no button; `add(symbol)` gets its name.
    @param {(symbol: string) => void} add */
export function anotherSymbol(add) {
  return h(
    "form",
    {
      class: "add",
      onsubmit: (event) => {
        event.preventDefault();
        const symbol = typedText(event.target, "symbol").toLowerCase();
        event.target.reset();
        add(symbol);
      },
    },
    h("input", {
      type: "text",
      name: "symbol",
      required: true,
      autocomplete: "off",
      placeholder: _("Another symbol"),
      "aria-label": _("Another symbol"),
    }),
    h("button", { class: "secondary" }, _("Add")),
  );
}

/** Whether the eyes were in doubt about a tile that nobody has looked at since.
    @param {ShownTile} one */
const doubtful = (one) => !one.changed && (one.confidence ?? 1) < SURE_FROM;

/** Every place that still has to be asked about: doubts first, then tiles that were counted without being sure.
    @param {TileReading} reading
    @returns {ShownTile[]} */
export const openPlaces = (reading) => [...reading.doubts, ...reading.cards.filter(doubtful)];

/** The annotated photograph; every tile and every doubt is a button on it, run by `ask(place)`.
    @param {TileReading} reading
    @param {(place: ShownTile) => void} ask */
export function annotatedPhoto(reading, ask) {
  return h(
    "figure",
    { class: "reading" },
    h("img", { src: reading.picture, alt: _("The photograph with the counted tiles") }),
    h(
      "svg",
      { class: "overlay", viewBox: `0 0 ${reading.size.join(" ")}`, preserveAspectRatio: "none" },
      reading.cards
        .filter((one) => one.corners || one.centre)
        .map((one) =>
          placeButton(
            one,
            one.changed ? "changed" : doubtful(one) ? "doubtful" : "",
            _("%(symbol)s: correct it", { symbol: symbolName(one.label) }),
            ask,
          ),
        ),
      reading.doubts.map((one) => placeButton(one, "doubtful", _("What is this?"), ask)),
    ),
  );
}

/** @param {ShownTile} one
    @param {string} mark
    @param {string} label
    @param {(place: ShownTile) => void} ask */
function placeButton(one, mark, label, ask) {
  const [x, y, radius] = circleOf(one);
  return h(
    "g",
    {
      key: `ring-${one.id}`,
      class: `quad ${mark}`,
      role: "button",
      tabindex: "0",
      "aria-label": label,
      onclick: () => ask(one),
      onkeydown: (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        ask(one);
      },
    },
    h("circle", { cx: x, cy: y, r: radius }),
  );
}

/** @param {ShownTile} one
    @returns {[number, number, number]} */
function circleOf(one) {
  if (one.centre) return [...one.centre, (one.radius ?? 0) * 1.1];
  const corners = one.corners ?? [];
  const [x, y] = [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / 4);
  return [x, y, Math.hypot(corners[0][0] - x, corners[0][1] - y) * 0.8];
}

/** The part of the photograph round a place, large enough to see what is there.
    @param {TileReading} reading
    @param {ShownTile} one */
function closeUp(reading, one) {
  const [x, y, radius] = circleOf(one);
  const side = 4 * radius;
  return h(
    "svg",
    {
      class: "close-up",
      viewBox: `${x - side / 2} ${y - side / 2} ${side} ${side}`,
      role: "img",
      "aria-label": _("This place in the photograph"),
    },
    h("image", { href: reading.picture, width: reading.size[0], height: reading.size[1] }),
  );
}

/** Asks which symbol lies in a place, the likeliest first; `answered(symbol)` gets it, null for no tile.
    @param {TileReading} reading
    @param {ShownTile} one
    @param {string[]} known
    @param {(symbol: string | null) => void} answered */
export function askSymbol(reading, one, known, answered) {
  const like = one.label ?? one.like;
  const order = like ? [like, ...known.filter((symbol) => symbol !== like)] : known;
  sheet(_("Which symbol is it?"), (close) => {
    /** @param {string | null} symbol */
    const pick = (symbol) => {
      close();
      answered(symbol);
    };
    return [
      closeUp(reading, one),
      h(
        "button",
        { type: "button", class: "secondary wide", onclick: () => pick(null) },
        _("This is no tile"),
      ),
      h(
        "div",
        { class: "tiles" },
        order.map((symbol) =>
          h(
            "button",
            {
              type: "button",
              class: "tile some",
              "aria-label": symbolName(symbol),
              onclick: () => pick(symbol),
            },
            symbolPicture(symbol),
            symbol === like && h("b", { "aria-hidden": "true" }, "?"),
          ),
        ),
      ),
    ];
  });
}

/** Where the points come from, one line each; `worth` is {points, trophy, symbols}.
    @param {Tiles} tiles
    @param {TilePoints | null} worth */
export function pointsTable(tiles, worth) {
  if (!worth) return null;
  const sets = Object.values(tiles).filter((n) => n === TILES_PER_SYMBOL).length;
  const others = tileCount(tiles) - TILES_PER_SYMBOL * sets;
  /** @type {([string, number] | false)[]} */
  const lines = [
    [ngettext("%(n)s set of three", "%(n)s sets of three", sets), 3 * sets],
    [ngettext("%(n)s other tile", "%(n)s other tiles", others), -others],
    worth.trophy > 0 && [_("Trophy"), worth.trophy],
  ];
  return [
    h(
      "dl",
      { class: "sum" },
      lines
        .filter(Boolean)
        .map(([what, n]) => h("div", {}, h("dt", {}, what), h("dd", {}, n < 0 ? `−${-n}` : `${n}`))),
    ),
    h(
      "p",
      { class: "total", role: "status" },
      h("b", {}, worth.points < 0 ? `−${-worth.points}` : worth.points),
      ngettext("point", "points", worth.points),
    ),
  ];
}
