/* A page without a browser: the DOM of linkedom as the globals that the scripts use. Import it before any script. */

import { parseHTML } from "linkedom";

/** Makes a page in this language with this catalogue of translations. */
export function openPage({ lang = "en", words = {}, boot = {} } = {}) {
  const { document, Node, Element } = parseHTML(`<!doctype html>
    <html lang="${lang}"><body><main id="page"></main><div id="sending"></div><p id="notice" hidden></p>
    <script type="application/json" id="boot"></script></body></html>`);
  document.getElementById("boot").textContent = JSON.stringify(boot);
  Object.defineProperty(document, "activeElement", { get: () => document.body });
  Object.assign(globalThis, { document, Node, Element, window: globalThis, companionWords: words });
  const { prototype } = document.createElement("dialog").constructor;
  prototype.showModal = function showModal() {
    this.open = true;
  };
  prototype.close = function close() {
    this.open = false;
    this.dispatchEvent(new document.defaultView.Event("close"));
  };
  return document;
}

/** The elements below `parent` that match, with their texts. */
export function texts(parent, selector) {
  return [...parent.querySelectorAll(selector)].map((one) => one.textContent);
}

/** Clicks what is called so. */
export function press(parent, text) {
  const found = [...parent.querySelectorAll("button")].find(
    (one) => one.textContent === text || one.getAttribute("aria-label") === text,
  );
  if (!found) throw new Error(`no button "${text}" among ${texts(parent, "button").join(", ")}`);
  found.onclick({ currentTarget: found, detail: 1 });
}
