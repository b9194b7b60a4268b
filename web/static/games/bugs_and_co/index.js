/* Bugs & Co: trophies while everybody grabs, the countdown large, then the tiles of each player. */

import { h } from "../../lib/dom.js";
import { offersOf, rightWords, valuesOf } from "../../lib/offers.js";
import { _, listText, ngettext } from "../../lib/translation.js";
import { sign } from "../../ui/icons.js";
import { choose, sheet } from "../../ui/sheet.js";
import { anotherSymbol, knownSymbols, withoutZeros, tileCount, symbolGrid } from "./tiles.js";
import { position } from "./position_form.js";

/** @param {BugsSnapshot} s */
function status(s) {
  /** @type {Record<string, string>} */
  const words = {
    setup: _("before the start"),
    play: _("everybody at once"),
    countdown: _("the countdown"),
    scoring: _("counting"),
  };
  return words[s.state.phase] ?? "";
}

/** @param {BugsSnapshot} s */
function task(s) {
  switch (s.state.phase) {
    case "setup":
      return _("Count to three and start.");
    case "play":
      return _("Who stops takes the highest trophy.");
    case "countdown":
      return s.state.countdown === null ? _("Count down together: ten …") : "";
    default: {
      const left = valuesOf(offersOf(s, "tiles_scored"), "player");
      return left.length > 0 ? _("Count the tiles of %(names)s.", { names: listText(left) }) : "";
    }
  }
}

/** @param {BugsSnapshot} s */
function centre(s) {
  return [
    s.state.countdown !== null &&
      s.state.phase === "countdown" &&
      h("p", { class: "countdown", role: "timer", key: s.state.countdown, arrive: true }, s.state.countdown),
    ["setup", "play"].includes(s.state.phase) &&
      h(
        "p",
        { class: "trophies", "aria-label": _("Trophies on the table") },
        s.state.trophies.map((value, n) => h("b", { key: `${n}-${value}`, class: "trophy" }, value)),
      ),
  ];
}

/** @param {BugsSnapshot} s
    @param {string} player */
function playerDetails(s, player) {
  const trophy = s.state.trophy?.[player];
  const taken = s.state.taken?.[player] ?? 0;
  return [
    trophy && h("b", { class: "trophy own", role: "img", "aria-label": _("trophy %(n)s", { n: trophy }) }, trophy),
    taken > 0 && h("small", { class: "quiet" }, ngettext("%(n)s tile", "%(n)s tiles", taken)),
  ];
}

/** The trophy as it stands before the player, and how many tiles were kept.
    @param {BugsSnapshot} s
    @param {string} player */
function tablePlayer(s, player) {
  const trophy = s.state.trophy?.[player];
  const taken = s.state.taken?.[player] ?? 0;
  return [
    trophy && h("b", { class: "trophy won", key: trophy, arrive: true, "aria-label": _("trophy %(n)s", { n: trophy }), role: "img" }, trophy),
    taken > 0 && h("p", { class: "quiet" }, ngettext("%(n)s tile", "%(n)s tiles", taken)),
  ];
}

/** @param {BugsSnapshot} s
    @param {PageContext} ctx */
function actions(s, ctx) {
  if (!ctx.referee) return countActions(s, ctx).filter((action) => action.player === ctx.me);
  const { phase } = s.state;
  if (phase === "setup") return [{ label: _("Start!"), run: () => ctx.send({ event: "game_started" }) }];
  if (phase === "play")
    return [
      { label: _("A trophy was taken"), run: () => takeTrophy(s, ctx) },
      { label: _("A foul"), quiet: true, run: () => enterFoul(s, ctx) },
    ];
  if (phase === "countdown") {
    const right = rightWords(s);
    return [
      right.length > 0 && {
        label: right[0].join(" "),
        run: () => ctx.send({ event: "heard", words: right[0] }),
      },
      !s.sources?.microphone?.up && {
        label: _("Counted down to stop"),
        run: () => ctx.send({ event: "heard", words: wordsLeft(s) }),
      },
      { label: _("A foul"), quiet: true, run: () => enterFoul(s, ctx) },
    ].filter(Boolean);
  }
  return countActions(s, ctx);
}

/** The rest of the countdown as one call; digits are understood in every language.
    @param {BugsSnapshot} s */
function wordsLeft(s) {
  const numbers = Array.from({ length: (s.state.countdown ?? 11) - 1 }, (_unused, n) => String(n + 1));
  return [...numbers.reverse(), s.game.settings.language === "de" ? "stopp" : "stop"];
}

/** Counting tiles, which each player's own phone may do as well.
    @param {BugsSnapshot} s
    @param {PageContext} ctx */
function countActions(s, ctx) {
  if (s.state.phase !== "scoring") return [];
  return valuesOf(offersOf(s, "tiles_scored"), "player").map((name) => ({
    player: name,
    label: _("%(name)s's tiles", { name }),
    glyph: sign(s.game.players, name),
    run: () => countTiles(s, ctx, name),
  }));
}

/** @param {BugsSnapshot} s
    @param {PageContext} ctx */
function takeTrophy(s, ctx) {
  const offers = offersOf(s, "trophy_taken");
  const [value] = valuesOf(offers, "value");
  choose(
    _("Who took trophy %(n)s?", { n: value }),
    valuesOf(offers, "player").map((name) => ({
      label: name,
      glyph: sign(s.game.players, name),
      run: () => ctx.send({ event: "trophy_taken", player: name, value }),
    })),
  );
}

/** @param {BugsSnapshot} s
    @param {PageContext} ctx */
function enterFoul(s, ctx) {
  const what = {
    tile_looked_at: _("looked at a kept tile"),
    tile_returned: _("put a kept tile back"),
    tile_taken: _("took a tile after stopping"),
  };
  choose(
    _("What happened?"),
    Object.entries(what)
      .filter(([kind]) => offersOf(s, kind).length > 0)
      .map(([kind, label]) => ({
        label,
        run: () =>
          choose(
            _("Who?"),
            valuesOf(offersOf(s, kind), "player").map((name) => ({
              label: name,
              glyph: sign(s.game.players, name),
              run: () => ctx.send({ event: kind, player: name }),
            })),
          ),
      })),
  );
}

/** The tiles are photographed on a page of their own, or counted here: one tap on a symbol for each such tile; a
    tap too many begins again at none.
    @param {BugsSnapshot} s
    @param {PageContext} ctx
    @param {string} player */
function countTiles(s, ctx, player) {
  const counted = offersOf(s, "tiles_scored", player)[0]?.fields.tiles?.counted ?? {};
  const known = knownSymbols(s, counted);
  /** @type {Tiles} */
  const tiles = {};
  const drawn = sheet(_("%(name)s's tiles", { name: player }), (close) => [
    h(
      "button",
      {
        type: "button",
        class: "secondary wide",
        onclick: () => location.assign(`/photo?player=${encodeURIComponent(player)}`),
      },
      _("Photograph them"),
    ),
    symbolGrid(known, tiles, counted, (symbol, most) => {
      tiles[symbol] = (tiles[symbol] ?? 0) >= most ? 0 : (tiles[symbol] ?? 0) + 1;
      drawn.redraw();
    }),
    anotherSymbol((symbol) => {
      if (!known.includes(symbol)) known.push(symbol);
      tiles[symbol] = 1;
      drawn.redraw();
    }),
    h(
      "button",
      {
        type: "button",
        class: "primary",
        onclick: () => {
          close();
          ctx.send({ event: "tiles_scored", player, tiles: withoutZeros(tiles) });
        },
      },
      ngettext("Enter %(n)s tile", "Enter %(n)s tiles", tileCount(tiles)),
    ),
  ]);
}

export default {
  status,
  task,
  centre,
  playerDetails,
  actions,
  tableView: centre,
  tablePlayer,
  showsDeadline: false,
  position,
};
