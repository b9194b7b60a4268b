/* A sheet that slides up under the thumb: one question, answered or dismissed. */

import { h, mount } from "../lib/dom.js";
import { _ } from "../lib/translation.js";
import { moveByArrow } from "./arrow_keys.js";
import { isDetached, focusPrimary } from "./focus.js";

document.addEventListener("keydown", moveByArrow);

/** Opens a sheet. `body(close)` describes its content and is called again by the returned `redraw`.
    `onClose` is called however it closes.
    @param {string} title
    @param {(close: () => void) => Child} body
    @param {() => void} [onClose]
    @returns {Sheet} */
export function sheet(title, body, onClose) {
  const dialog = document.createElement("dialog");
  const opener = document.activeElement;
  dialog.className = "sheet";
  dialog.tabIndex = -1;
  dialog.setAttribute("aria-label", title);
  const close = () => dialog.close();
  const redraw = () => {
    const focused = document.activeElement;
    mount(
      dialog,
      h(
        "header",
        {},
        h("h2", {}, title),
        h("button", { type: "button", class: "plain", onclick: close, "aria-label": _("Close") }, "✕"),
      ),
      h("div", { class: "sheet-body" }, body(close)),
    );
    if (dialog.open && isDetached(focused)) dialog.focus();
  };
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (isDetached(opener)) focusPrimary();
    onClose?.();
  });
  dialog.addEventListener("click", (event) => event.target === dialog && close());
  redraw();
  document.body.append(dialog);
  dialog.showModal();
  return { close, redraw };
}

/** A sheet of large choices: [{label, note?, glyph?, run}]; choosing closes it.
    @param {string} title
    @param {Action[]} choices
    @param {() => void} [onClose]
    @param {Child} [above] what stands above the choices
    @returns {Sheet} */
export function choose(title, choices, onClose, above = null) {
  return sheet(
    title,
    (close) => [
      above,
      h(
        "ul",
        { class: "choices" },
        choices.map((choice) =>
          h(
            "li",
            {},
            h(
              "button",
              {
                type: "button",
                class: "choice",
                onclick: () => {
                  close();
                  choice.run();
                },
              },
              choice.glyph,
              h("span", {}, choice.label, choice.note && h("small", {}, choice.note)),
            ),
          ),
        ),
      ),
    ],
    onClose,
  );
}
