/* The Nasty 7: pile, count and stacks; cards and calls by tapping where no camera sees and no microphone hears. */

import { boot } from "../../lib/boot.js";
import { cardName } from "../../lib/cards.js";
import { h } from "../../lib/dom.js";
import { offersOf, rightWords, valuesOf } from "../../lib/offers.js";
import { remember, remembered } from "../../lib/phone_storage.js";
import { _, listText, ngettext } from "../../lib/translation.js";
import { card, racketeer } from "../../ui/card_pictures.js";
import { sign } from "../../ui/icons.js";
import { choose, sheet } from "../../ui/sheet.js";
import { practiseSound } from "./sound_practice.js";
import { position } from "./position_form.js";
import { timingKeys } from "./timing.js";

const CARDS = ["racketeer", "twin_racketeer", "phone", "twin_phone", "gun"];
/** Language -> the words for 0 to 10. */
const NUMBERS = boot.games?.find((game) => game.name === "nasty_7")?.number_words ?? {};

/** @param {NastySnapshot} s */
function status(s) {
  return _("Round %(n)s", { n: s.state.round });
}

/** @param {NastySnapshot} s */
function task(s) {
  const name = activePlayer(s);
  return rightWords(s).length > 0
    ? _("%(name)s calls.", { name })
    : _("%(name)s turns over a card.", { name });
}

/** Who is to act: the caller while a call is due, otherwise whoever turns over the next card.
    @param {NastySnapshot} s */
function activePlayer(s) {
  return rightWords(s).length > 0 ? (topCard(s)?.player ?? s.state.turn) : s.state.turn;
}

/** The event of the top card of the pile, null if the pile is empty or the log does not reach back.
    @param {NastySnapshot} s */
function topCard(s) {
  if (s.state.pile === 0) return null;
  const found = [...s.log]
    .reverse()
    .find((entry) => entry.event?.event === "card_played" && !entry.undone && !entry.rejected);
  return found?.event ?? null;
}

/** @param {NastySnapshot} s */
function pileView(s) {
  const top = topCard(s);
  return h(
    "div",
    { class: "heap" },
    top
      ? h("div", { key: `pile-${s.state.pile}`, arrive: true }, card(top.card))
      : h("span", { class: "card empty", "aria-hidden": "true" }),
    h(
      "p",
      {},
      s.state.pile === 0
        ? _("The pile is empty.")
        : ngettext("%(n)s card on the pile", "%(n)s cards on the pile", s.state.pile),
      s.state.skipped && h("strong", { class: "skip" }, _("%(name)s skips.", { name: s.state.skipped })),
    ),
  );
}

/** @param {NastySnapshot} s
    @param {PageContext} ctx */
function centre(s, ctx) {
  return h(
    "section",
    { class: "pile", "aria-label": _("The pile") },
    pileView(s),
    countLine(s, ctx),
    ctx.referee && s.state.phase === "play" && keypad(s, ctx),
  );
}

/** The count is the players' to remember: a guest's phone shows it on request only.
    @param {NastySnapshot} s
    @param {PageContext} ctx */
function countLine(s, ctx) {
  const open = remembered("count", ctx.referee);
  const [wanted] = rightWords(s);
  const shown = wanted ? callText(s, wanted) : s.state.next_number;
  return h(
    "p",
    { class: "count" },
    h(
      "button",
      {
        type: "button",
        class: "plain",
        "aria-expanded": String(open),
        onclick: () => {
          remember("count", !open);
          ctx.redraw();
        },
      },
      open ? (wanted ? _("is the call") : _("next number")) : _("Show the count"),
    ),
    open && h("b", { key: shown, arrive: true }, shown),
    open &&
      !wanted &&
      s.state.sound &&
      h("span", { class: "quiet" }, _("sound: %(words)s", { words: soundName(s.state.sound) })),
  );
}

/** Number words as figures, other words as they are.
    @param {NastySnapshot} s
    @param {string[]} words */
function callText(s, words) {
  const names = numberWords(s);
  return soundName(words.map((word) => (names.includes(word) ? names.indexOf(word) + 1 : word)));
}

/** What the table calls `sound 2` is no word: players invented it. */
const INVENTED = /^sound [0-9]+$/;

/** @param {(string | number)[]} words */
function soundName(words) {
  return words.map((word) => (INVENTED.test(String(word)) ? _("the invented sound") : word)).join(" ");
}

/** @param {NastySnapshot} s
    @returns {string[]} */
const numberWords = (s) => (NUMBERS[s.game.settings.language] ?? NUMBERS.en).slice(1, 8);

/** @param {NastySnapshot} s
    @param {PageContext} ctx */
function keypad(s, ctx) {
  const right = rightWords(s);
  const noCamera = !s.sources?.camera?.up;
  const noMicrophone = !s.sources?.microphone?.up;
  const open = remembered("pad", noCamera || noMicrophone);
  const toggle = h(
    "button",
    {
      type: "button",
      class: "plain",
      "aria-expanded": String(open),
      onclick: () => {
        remember("pad", !open);
        ctx.redraw();
      },
    },
    open ? _("Hide the keys") : _("Enter by hand"),
  );
  if (!open) return toggle;
  return h(
    "div",
    { class: "pad" },
    right.length > 0 ? callKeys(s, ctx) : null,
    cardKeys(s, ctx, right.length > 0),
    timingKeys(s, activePlayer(s), right.length > 0 || s.state.pile > 0),
    toggle,
  );
}

/** @param {NastySnapshot} s
    @param {PageContext} ctx
    @param {boolean} waiting */
function cardKeys(s, ctx, waiting) {
  const player = s.state.turn;
  return [
    h(
      "h3",
      {},
      waiting
        ? _("Or the next card has come: %(name)s", { name: player })
        : _("%(name)s's card", { name: player }),
    ),
    h(
      "div",
      // Time moves the game on while a thumb is in the air: another player's keys are other keys.
      { class: "keys five", key: `cards ${s.state.round} ${player}` },
      CARDS.filter((label) => s.game.settings.twins !== false || !label.startsWith("twin")).map((label) =>
        h(
          "button",
          {
            type: "button",
            class: "key",
            guard: true,
            onclick: () => ctx.send({ event: "card_played", player, card: label }),
          },
          racketeer(label),
          h("small", {}, cardName(label)),
        ),
      ),
    ),
    h(
      "button",
      { type: "button", class: "plain", onclick: () => otherPlayerPlayed(s, ctx) },
      _("Somebody else played"),
    ),
  ];
}

/** @param {NastySnapshot} s
    @param {PageContext} ctx */
function otherPlayerPlayed(s, ctx) {
  choose(
    _("Who played a card?"),
    s.game.players
      .filter((seat) => seat.name !== s.state.turn)
      .map((seat) => ({
        label: seat.name,
        note: seat.name === s.state.skipped ? _("should skip") : null,
        glyph: sign(s.game.players, seat.name),
        run: () =>
          choose(
            _("Which card did %(name)s play?", { name: seat.name }),
            CARDS.map((label) => ({
              label: cardName(label),
              glyph: racketeer(label),
              run: () => ctx.send({ event: "card_played", player: seat.name, card: label }),
            })),
          ),
      })),
  );
}

/** @param {NastySnapshot} s
    @param {PageContext} ctx */
function callKeys(s, ctx) {
  const caller = topCard(s)?.player;
  /** @param {string[]} words */
  const say = (words) => ctx.send({ event: "heard", words });
  const numbers = numberWords(s);
  return [
    h("h3", {}, caller ? _("What did %(name)s say?", { name: caller }) : _("What was said?")),
    h(
      "div",
      { class: "keys seven", key: `calls ${s.state.round} ${caller}` },
      numbers.map((word, n) =>
        h(
          "button",
          {
            type: "button",
            class: "key figure",
            guard: true,
            onclick: () => say([word]),
            "aria-label": word,
          },
          n + 1,
        ),
      ),
      h(
        "button",
        {
          type: "button",
          class: "key wide",
          guard: true,
          onclick: () => say(s.state.sound ?? s.game.settings.sound ?? ["hmmrrr"]),
        },
        soundName(s.state.sound ?? s.game.settings.sound ?? ["hmmrrr"]),
      ),
      h(
        "button",
        { type: "button", class: "key wide", guard: true, onclick: () => say(["[unk]"]) },
        _("something else"),
      ),
    ),
  ];
}

/** @param {NastySnapshot} s
    @param {string} player */
function playerScore(s, player) {
  const left = s.state.stack?.[player] ?? s.scores[player] ?? 0;
  return { value: left, unit: ngettext("card left", "cards left", left) };
}

/** @param {NastySnapshot} s
    @param {string} player */
function playerDetails(s, player) {
  return s.state.skipped === player ? h("small", { class: "quiet" }, _("skips")) : null;
}

/** @param {NastySnapshot} s
    @param {PageContext} ctx
    @returns {Action[]} */
function actions(s, ctx) {
  if (!ctx.referee) return [];
  const right = rightWords(s);
  return [
    right.length > 0 && {
      label: _("It was right"),
      run: () => ctx.send({ event: "heard", words: right[0] }),
    },
    right.length === 0 &&
      soundIsInvented(s) && { label: _("Say it three times"), quiet: true, run: practiseSound },
    offersOf(s, "accused").length > 0 && {
      label: _("Doubt the call"),
      quiet: true,
      run: () => doubtCall(s, ctx),
    },
  ].filter(Boolean);
}

/** Whether the top card is a phone whose sound is no word and was learnt just now.
    @param {NastySnapshot} s */
function soundIsInvented(s) {
  const phone = ["phone", "twin_phone"].includes(topCard(s)?.card);
  return phone && s.sources?.microphone?.up && INVENTED.test(s.state.sound?.[0] ?? "");
}

/** @param {NastySnapshot} s
    @param {PageContext} ctx */
function doubtCall(s, ctx) {
  const offers = offersOf(s, "accused");
  const accused = valuesOf(offers, "player")[0] ?? topCard(s)?.player;
  const mayDoubt = valuesOf(offers, "by");
  const doubters = new Set();
  const drawn = sheet(
    accused ? _("Who doubts %(name)s's call?", { name: accused }) : _("Who doubts the call?"),
    (close) => [
      h(
        "ul",
        { class: "choices" },
        s.game.players
          .filter((seat) => mayDoubt.includes(seat.name))
          .map((seat) =>
            h(
              "li",
              {},
              h(
                "button",
                {
                  type: "button",
                  class: "choice",
                  "aria-pressed": String(doubters.has(seat.name)),
                  onclick: () => {
                    if (!doubters.delete(seat.name)) doubters.add(seat.name);
                    drawn.redraw();
                  },
                },
                sign(s.game.players, seat.name),
                h("span", {}, seat.name),
              ),
            ),
          ),
      ),
      h(
        "button",
        {
          type: "button",
          class: "primary",
          disabled: doubters.size === 0,
          onclick: () => {
            close();
            ctx.send({ event: "accused", by: [...doubters] });
          },
        },
        doubters.size > 0
          ? ngettext("%(names)s doubts it", "%(names)s doubt it", doubters.size, {
              names: listText([...doubters]),
            })
          : _("Choose who doubts it"),
      ),
    ],
  );
}

export default {
  status,
  task,
  activePlayer,
  centre,
  tableView: pileView,
  middleBeside: true,
  playerScore,
  playerDetails,
  actions,
  position,
};
