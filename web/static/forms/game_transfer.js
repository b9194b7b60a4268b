/* A game moves to another table as one line of text: copied here, pasted there. */

import { h } from "../lib/dom.js";
import { gameLine, readGameLine } from "../lib/game_line.js";
import { _ } from "../lib/translation.js";
import { askTable } from "../ui/commands.js";
import { notice } from "../ui/notice.js";
import { sheet } from "../ui/sheet.js";

/** Shows the game as one line, and puts it into the phone's clipboard where the browser allows it.
    @param {GameSnapshot} s */
export function copyGame(s) {
  const text = gameLine(s);
  sheet(_("Copy this game"), () => [
    h("p", { class: "quiet" }, _("Send this line to the other table and paste it there under New game.")),
    h("textarea", {
      class: "game-line",
      readonly: true,
      rows: "5",
      "aria-label": _("The game in one line"),
      value: text,
      onfocus: (/** @type {ControlEvent} */ event) => event.target.select(),
    }),
    h("button", { type: "button", class: "primary", onclick: () => copy(text) }, _("Copy")),
  ]);
}

/** Over plain HTTP a browser has no clipboard of its own: there the marked text is copied.
    @param {string} text */
async function copy(text) {
  /** @type {HTMLTextAreaElement | null} */
  const field = document.querySelector(".game-line");
  field?.focus();
  field?.select();
  const copied = navigator.clipboard
    ? await navigator.clipboard.writeText(text).then(
        () => true,
        () => false,
      )
    : document.execCommand("copy");
  notice(copied ? _("Copied.") : _("Mark the line and copy it."));
}

/** Asks for the line of a game and begins there.
    @param {number | null} over the game on the table that is replaced, as this page shows it */
export function pasteGame(over) {
  let text = "";
  let wrong = "";
  const drawn = sheet(_("Paste a game"), () => [
    h("p", { class: "quiet" }, _("The line that another table has copied.")),
    h("textarea", {
      rows: "5",
      autocomplete: "off",
      "aria-label": _("The game in one line"),
      oninput: (event) => (text = event.target.value),
    }),
    wrong && h("p", { class: "wrong-here", role: "alert" }, wrong),
    h(
      "button",
      {
        type: "button",
        class: "primary",
        onclick: async () => {
          wrong = await begin(text, over);
          if (wrong) drawn.redraw();
          else location.assign("/");
        },
      },
      _("Go on with this game"),
    ),
  ]);
}

/** Starts the game of the line; resolves to what is wrong with it, "" if nothing is.
    @param {string} text
    @param {number | null} over
    @returns {Promise<string>} */
async function begin(text, over) {
  const game = readGameLine(text);
  if (game === null) return _("That is not the line of a game.");
  const reply = await askTable("new_game", { ...game, over });
  return reply.ok ? "" : reply.text || reply.code;
}
