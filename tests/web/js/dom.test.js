import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { openPage } from "./browser.js";

openPage();
const { byId, h, mount } = await import("../../../web/static/lib/dom.js");
let page;

beforeEach(() => {
  openPage();
  page = byId("page");
});

test("text is text and nothing else, and empty children draw nothing", () => {
  mount(page, h("p", { class: "quiet" }, "<b>", 0, null, undefined, false, "", ["a", ["b"]]));
  assert.equal(page.innerHTML, '<p class="quiet">&lt;b&gt;0ab</p>');
});

test("drawing again changes what differs and keeps the element", () => {
  mount(page, h("p", { class: "a", title: "x" }, "one"));
  const [p] = page.children;
  const [text] = p.childNodes;
  mount(page, h("p", { class: "b" }, "two"));
  assert.equal(page.firstElementChild, p);
  assert.equal(p.firstChild, text);
  assert.equal(page.innerHTML, '<p class="b">two</p>');
});

test("another tag is another element", () => {
  mount(page, h("p", {}, "x"));
  const [p] = page.children;
  mount(page, h("h2", {}, "x"));
  assert.notEqual(page.firstElementChild, p);
  assert.equal(page.innerHTML, "<h2>x</h2>");
});

test("an element with a key moves with its neighbours", () => {
  const rows = (...names) => names.map((name) => h("li", { key: name }, name));
  mount(page, rows("a", "b", "c"));
  const before = Object.fromEntries([...page.children].map((one) => [one.textContent, one]));
  mount(page, rows("c", "d", "a"));
  assert.deepEqual(
    [...page.children].map((one) => one.textContent),
    ["c", "d", "a"],
  );
  assert.equal(page.children[0], before.c);
  assert.equal(page.children[2], before.a);
  assert.equal(before.b.isConnected, false);
});

test("false, null and undefined leave an attribute out, true sets it empty", () => {
  mount(page, h("button", { "aria-hidden": null, required: false, hidden: true, title: undefined }));
  assert.equal(page.innerHTML, "<button hidden></button>");
  mount(page, h("button", { hidden: false }));
  assert.equal(page.innerHTML, "<button></button>");
});

test("what was typed stays until the page says otherwise", () => {
  mount(page, h("input", { value: "a" }));
  const [input] = page.children;
  input.value = "typed";
  mount(page, h("input", {}));
  assert.equal(input.value, "typed");
  mount(page, h("input", { value: "b" }));
  assert.equal(input.value, "b");
});

test("a handler is replaced, and removed with its property", () => {
  const calls = [];
  mount(page, h("button", { onclick: () => calls.push(1) }));
  mount(page, h("button", { onclick: () => calls.push(2) }));
  page.firstElementChild.onclick();
  assert.deepEqual(calls, [2]);
  mount(page, h("button", {}));
  assert.equal(page.firstElementChild.onclick, null);
});

test("what stands in an svg is of its namespace", () => {
  mount(page, h("svg", { viewBox: "0 0 1 1" }, h("g", {}, h("path", { d: "M0 0" }))));
  assert.equal(page.querySelector("path").namespaceURI, "http://www.w3.org/2000/svg");
});

test("an element that the page lacks is an error with its id", () => {
  assert.throws(() => byId("nowhere"), /#nowhere/);
});
