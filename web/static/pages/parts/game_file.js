/* Opening a game from a file that a companion has handed out, to step through it. Nothing of it is stored. */

import { h } from "../../lib/dom.js";
import { post } from "../../lib/requests.js";
import { _ } from "../../lib/translation.js";

const MOST_BYTES = 900 * 1024; // as JSON it is a little longer; the table takes one megabyte

let wrong = "";

/** The key that opens a file, and what was wrong with the last one.
    @param {() => void} redraw */
export function openGameFile(redraw) {
  return h(
    "section",
    { class: "open-file" },
    h("input", {
      id: "game-file",
      type: "file",
      class: "unseen",
      tabindex: "-1",
      "aria-label": _("A game as a file"),
      onchange: async (/** @type {FileEvent} */ event) => {
        const [file] = event.target.files;
        event.target.value = "";
        if (!file) return;
        wrong = await open(file);
        redraw();
      },
    }),
    h(
      "button",
      { type: "button", class: "secondary", onclick: () => document.getElementById("game-file")?.click() },
      _("Open a game from a file"),
    ),
    wrong && h("p", { class: "wrong-here", role: "alert" }, wrong),
  );
}

/** Sends the file and goes to the page with its steps; what is wrong with it otherwise.
    @param {File} file
    @returns {Promise<string>} */
async function open(file) {
  if (file.size > MOST_BYTES) return _("%(name)s is too large to be a game.", { name: file.name });
  /** @type {Reply<{ key: string }>} */
  const reply = await post("/api/past/file", { name: file.name.slice(-200), text: await file.text() });
  if (!reply.ok) return _("%(name)s was not opened: %(why)s", { name: file.name, why: reply.text });
  location.assign(`/past/file/${reply.key}`);
  return "";
}
