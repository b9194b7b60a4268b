/* What every page but the board has: a title, whose turn it is, the connection, a way back, and the live snapshot. */

import { boot } from "../../lib/boot.js";
import { byId, h, mount, startMoving } from "../../lib/dom.js";
import { subscribe } from "../../lib/live.js";
import { _ } from "../../lib/translation.js";
import { keepFocus } from "../../ui/focus.js";
import { icon } from "../../ui/icons.js";
import { connectionLine, recordingBadge } from "../../ui/page_parts.js";
import { turnLine } from "./turn_line.js";

/** Draws `view(snapshot)` below the title and `actions(snapshot)` into the bar; returns redraw().
    @param {string | ((s: Snapshot) => string)} title
    @param {(s: Snapshot) => Child} view
    @param {(s: Snapshot) => (Action | false)[]} [actions] */
export function shell(title, view, actions = () => []) {
  const page = byId("page");
  let snapshot = boot.snapshot;
  /** @type {Connection} */
  let link = "live";
  const redraw = () =>
    keepFocus(() =>
      mount(
        page,
        h("header", { class: "top" }, h("h1", {}, typeof title === "function" ? title(snapshot) : title)),
        turnLine(snapshot),
        connectionLine(link),
        recordingBadge(snapshot),
        view(snapshot),
        bar(actions(snapshot)),
      ),
    );
  // On the next turn, so that `redraw` is known to the page before it is drawn for the first time.
  queueMicrotask(() => {
    subscribe(snapshot, (now, state) => {
      snapshot = now;
      link = state;
      redraw();
    });
    requestAnimationFrame(startMoving);
  });
  return redraw;
}

/** The bar at the thumb: back to the table, and the page's own actions.
    @param {(Action | false | null | undefined)[]} actions */
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
