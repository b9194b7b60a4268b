/* A new game: which one, who sits where, and the house rules. */

import { boot, referee } from "../lib/boot.js";
import { h } from "../lib/dom.js";
import { remember, remembered } from "../lib/phone_storage.js";
import { hasGame } from "../lib/snapshot.js";
import { _, listText, ngettext } from "../lib/translation.js";
import { askTable } from "../ui/commands.js";
import { icon, sign } from "../ui/icons.js";
import { notice } from "../ui/notice.js";
import { shell } from "./parts/page_frame.js";
import { choose } from "../ui/sheet.js";
import { cardsEach, needsCards } from "../forms/cards_each.js";
import { copyGame, pasteGame } from "../forms/game_transfer.js";
import { missingDevices, settingsWithout } from "../forms/missing_devices.js";
import { field, readSettings } from "../forms/setting_fields.js";

const MOST_REMEMBERED = 24;
/** @type {string[]} */
const seated = boot.snapshot.game?.players.map((seat) => seat.name) ?? remembered("players", []);
/** @type {{ game: string, players: string[], settings: Record<string, JsonValue>, errors: Record<string, string>,
           busy: boolean }} */
const form = {
  game: boot.snapshot.game?.name ?? remembered("game", boot.games[0]?.name),
  players: seated,
  settings: {},
  errors: {},
  busy: false,
};

/** A table that counts aloud counts in the language of its phones; without devices other house rules suit it.
    @param {string} name
    @returns {Record<string, JsonValue>} */
function defaultSettings(name) {
  const speaks = document.documentElement.lang;
  const game = boot.games.find((one) => one.name === name) ?? boot.games[0];
  const setting = game.settings.find((one) => one.name === "language");
  const language = setting?.choices?.includes(speaks) && setting.default !== speaks ? { language: speaks } : {};
  return { ...language, ...settingsWithout(game, boot.snapshot.sources ?? {}) };
}

/** The game that was on the table when this page was opened: another one is not replaced unasked. */
const shownGame = boot.snapshot.game?.id ?? null;

const chosen = () => boot.games.find((game) => game.name === form.game) ?? boot.games[0];

form.settings = defaultSettings(chosen().name);

/** @param {Snapshot} s */
function view(s) {
  if (!referee)
    return h(
      "p",
      { class: "lead" },
      _("Only the referee starts a game."),
      " ",
      h("a", { href: "/join" }, _("Enter the code")),
    );
  const game = chosen();
  return [
    s.game &&
      s.winner.length === 0 &&
      h(
        "p",
        { class: "lead" },
        _("%(game)s is still being played. A new game ends it.", { game: s.game.title }),
      ),
    errorLine("game"),
    games(),
    missingDevices(game, boot.snapshot.sources ?? {}, form, () => redraw()),
    players(s, game),
    cardsEach(game, form, () => redraw()),
    errorLine("cards_each"),
    houseRules(game),
    inTheMiddle(s),
  ];
}

/** A game that has begun elsewhere, or without the companion.
    @param {Snapshot} s */
function inTheMiddle(s) {
  return h(
    "section",
    { class: "in-the-middle", "aria-labelledby": "middle-title" },
    h("h2", { id: "middle-title" }, _("A game that has begun")),
    h(
      "div",
      { class: "row" },
      h(
        "button",
        {
          type: "button",
          class: "secondary",
          disabled: form.busy || form.players.length < chosen().seats[0],
          onclick: () => start(shownGame, "/position"),
        },
        _("Take up a game"),
      ),
      h("button", { type: "button", class: "secondary", onclick: () => pasteGame(shownGame) }, _("Paste a game")),
      hasGame(s) &&
        h("button", { type: "button", class: "secondary", onclick: () => copyGame(s) }, _("Copy this game")),
    ),
  );
}

function games() {
  return h(
    "fieldset",
    { class: "games" },
    h("legend", {}, _("Game")),
    boot.games.map((game) =>
      h(
        "label",
        { class: "choice radio" },
        h("input", {
          type: "radio",
          name: "game",
          value: game.name,
          checked: game.name === form.game,
          onchange: () => {
            form.game = game.name;
            form.settings = defaultSettings(game.name);
            form.errors = {};
            redraw();
          },
        }),
        h("span", {}, game.title),
        h("small", {}, _("%(low)s to %(high)s players", { low: game.seats[0], high: game.seats[1] })),
      ),
    ),
  );
}

/** @param {Snapshot} s
    @param {PlayableGame} game */
function players(s, game) {
  const [low, high] = game.seats;
  const known = [
    ...new Set([...(s.night?.standings ?? []).map((row) => row.player), ...remembered("people", /** @type {string[]} */ ([]))]),
  ].filter((name) => !form.players.includes(name));
  return h(
    "section",
    { "aria-labelledby": "players-title" },
    h(
      "h2",
      { id: "players-title" },
      _("Players"),
      h("small", { class: "quiet" }, _("clockwise round the table")),
    ),
    seatList(),
    errorLine("players"),
    form.players.length < high &&
      h(
        "form",
        { class: "add", onsubmit: add },
        h("input", {
          name: "name",
          type: "text",
          maxlength: "24",
          autocomplete: "off",
          autocapitalize: "words",
          enterkeyhint: "done",
          placeholder: _("Name"),
          "aria-label": _("Name of another player"),
        }),
        h("button", { class: "secondary" }, icon("plus"), _("Add")),
      ),
    form.players.length < high &&
      known.length > 0 &&
      h(
        "div",
        { class: "row chips" },
        known
          .slice(0, 12)
          .map((name) => h("button", { type: "button", class: "chip", onclick: () => seat(name) }, name)),
      ),
    form.players.length < low &&
      h(
        "p",
        { class: "quiet" },
        ngettext("%(n)s more is needed.", "%(n)s more are needed.", low - form.players.length),
      ),
  );
}

/** The players in the order of their seats. */
function seatList() {
  const seats = form.players.map((name) => ({ name }));
  return h(
    "ol",
    { class: "seats" },
    form.players.map((name, n) =>
      h(
        "li",
        { key: name },
        sign(seats, name),
        h("span", { class: "name" }, name),
        iconButton("up", _("%(name)s one seat up", { name }), n === 0, () => move(n, -1)),
        iconButton("down", _("%(name)s one seat down", { name }), n === form.players.length - 1, () =>
          move(n, 1),
        ),
        iconButton("wrong", _("%(name)s does not play", { name }), false, () => remove(name)),
      ),
    ),
  );
}

/** @param {string} name
    @param {string} label
    @param {boolean} disabled
    @param {() => void} run */
function iconButton(name, label, disabled, run) {
  return h(
    "button",
    { type: "button", class: "icon-button", "aria-label": label, disabled, onclick: run },
    icon(name),
  );
}

/** @param {number} n
    @param {number} by */
function move(n, by) {
  const [name] = form.players.splice(n, 1);
  form.players.splice(n + by, 0, name);
  redraw();
}

/** @param {string} name */
function remove(name) {
  form.players = form.players.filter((one) => one !== name);
  redraw();
}

/** @param {string} name */
function seat(name) {
  if (form.players.includes(name)) form.errors.players = _("%(name)s is at the table already.", { name });
  else {
    form.players.push(name);
    delete form.errors.players;
  }
  redraw();
}

/** @param {FormEvent} event */
function add(event) {
  event.preventDefault();
  const input = /** @type {HTMLInputElement} */ (event.target.elements.namedItem("name"));
  const name = input.value.trim().replace(/\s+/g, " ");
  if (name) {
    input.value = "";
    seat(name);
  }
  input.focus();
}

/** @param {PlayableGame} game */
function houseRules(game) {
  const changed = Object.keys(form.settings).length;
  return h(
    "details",
    {
      class: "options rules",
      key: `rules-${game.name}`,
      open: Object.keys(form.errors).some((name) => !["game", "players", "cards_each"].includes(name)) || undefined,
    },
    h(
      "summary",
      {},
      _("House rules"),
      changed > 0 && h("small", {}, ngettext("%(n)s changed", "%(n)s changed", changed)),
    ),
    errorLine("settings"),
    game.settings.map((setting) =>
      field(setting, {
        value: form.settings[setting.name],
        error: form.errors[setting.name],
        players: form.players,
        change: (value) => {
          if (value === undefined) delete form.settings[setting.name];
          else form.settings[setting.name] = value;
          delete form.errors[setting.name];
          redraw();
        },
      }),
    ),
  );
}

/** @param {string} name */
function errorLine(name) {
  return (
    form.errors[name] &&
    h("p", { class: "wrong-here", role: "alert", id: `error-${name}` }, form.errors[name])
  );
}

/** @param {number | null} [over]
    @param {string} [then] the page that is opened */
async function start(over = shownGame, then = "/") {
  const game = chosen();
  const { settings, errors } = readSettings(game.settings, form.settings);
  form.errors = errors;
  const [low, high] = game.seats;
  if (form.players.length < low || form.players.length > high)
    form.errors.players = _("%(title)s is for %(low)s to %(high)s players.", {
      title: game.title,
      low,
      high,
    });
  if (needsCards(game, form)) form.errors.cards_each = _("Without the twins I have to know how many cards there are.");
  if (Object.keys(form.errors).length === 0) {
    form.busy = true;
    redraw();
    const reply = await askTable("new_game", { game: game.name, players: form.players, settings, over });
    form.busy = false;
    if (reply.ok) {
      remember("players", form.players);
      remember("game", game.name);
      remember(
        "people",
        [...new Set([...form.players, ...remembered("people", [])])].slice(0, MOST_REMEMBERED),
      );
      location.assign(then);
      return;
    }
    if (reply.code === "game_is_on") {
      redraw();
      startedMeanwhile(reply, then);
      return;
    }
    form.errors = errorsByField(reply, game);
    if (reply.code === "no_answer") notice(reply.text);
  }
  redraw();
  document.querySelector(".wrong-here")?.scrollIntoView({ block: "center" });
}

/** Somebody else was faster: join, or begin all the same.
    @param {Failure} reply
    @param {string} then */
function startedMeanwhile(reply, then) {
  choose(reply.text, [
    { label: _("Join that game"), run: () => location.assign("/") },
    {
      label: _("End it and start mine"),
      note: _("it stays in the night's history"),
      run: () => start(reply.params?.game, then),
    },
  ]);
}

/** Which field a refusal belongs to: by its code, and for settings by the setting that the sentence names.
    @param {Failure} reply
    @param {PlayableGame} game
    @returns {Record<string, string>} */
function errorsByField(reply, game) {
  const text = reply.text || reply.code;
  if (reply.code === "bad_players") return { players: text };
  if (reply.code === "bad_game") return { game: text };
  const named = game.settings.find((setting) => new RegExp(`\\b${setting.name}\\b`).test(text));
  if (reply.code === "bad_settings" && named) return { [named.name]: text };
  return { [reply.code === "bad_settings" ? "settings" : "game"]: text };
}

const redraw = shell(_("New game"), view, () =>
  referee
    ? [
        {
          label:
            form.players.length > 0 ? _("Start with %(names)s", { names: listText(form.players) }) : _("Start"),
          disabled: form.busy || form.players.length < chosen().seats[0],
          run: () => start(),
        },
      ]
    : [],
);
