/* What every page but the board has: a title, the connection, a way back, and the live snapshot. */

import { h, mount, startMoving } from "./dom.js";
import { _ } from "./words.js";
import { keepFocus } from "./focus.js";
import { icon } from "./glyphs.js";
import { live } from "./live.js";
import { connection } from "./parts.js";

export const boot = JSON.parse(document.getElementById("boot")?.textContent ?? "{}");
export const referee = boot.role === "referee";

/** Draws `view(snapshot)` below the title and `actions(snapshot)` into the bar; returns redraw(). */
export function shell(title, view, actions = () => []) {
  const page = document.getElementById("page");
  let snapshot = boot.snapshot;
  let link = "live";
  const redraw = () =>
    keepFocus(() =>
      mount(
        page,
        h("header", { class: "top" }, h("h1", {}, typeof title === "function" ? title(snapshot) : title)),
        connection(link),
        view(snapshot),
        bar(actions(snapshot)),
      ),
    );
  // On the next turn, so that `redraw` is known to the page before it is drawn for the first time.
  queueMicrotask(() => {
    live(snapshot, (now, state) => {
      snapshot = now;
      link = state;
      redraw();
    });
    requestAnimationFrame(startMoving);
  });
  return redraw;
}

/** The bar at the thumb: back to the table, and the page's own actions. */
export function bar(actions) {
  const main = actions.filter(Boolean);
  return h(
    "nav",
    { class: "bar two", "aria-label": _("Actions") },
    h("a", { class: "side", href: "/" }, icon("back"), h("small", {}, _("Table"))),
    h(
      "div",
      { class: "main-actions" },
      h(
        "div",
        { class: "side-by-side" },
        main.map((action) =>
          h(
            "button",
            {
              type: "button",
              class: action.quiet ? "secondary" : "primary",
              disabled: action.disabled === true,
              onclick: action.run,
            },
            action.label,
          ),
        ),
      ),
    ),
  );
}
