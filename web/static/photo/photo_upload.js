/* Taking a photograph: the phone's camera, a picture that is there already, or no picture at all; and its way. */

import { byId, h } from "../lib/dom.js";
import { PICTURES, upload } from "../lib/requests.js";
import { _ } from "../lib/translation.js";

const hidden = { class: "unseen", type: "file", accept: PICTURES, tabindex: "-1" };

/** Opens the phone's camera; `photoForm` has to be on the page. */
export function openCamera() {
  byId("picture").click();
}

/** What is shown before there is a reading. `view`: {progress, error}; `words`: {advice, photo, picture}.
    @param {UploadView} view
    @param {{ advice: string, photo: string, picture: string }} words
    @param {{ send: (event: FileEvent) => unknown, byHand: () => void }} options */
export function photoForm(view, words, { send, byHand }) {
  if (view.progress !== null) {
    return h(
      "div",
      { class: "busy", role: "status" },
      h(
        "p",
        { class: "lead" },
        view.progress < 1 ? _("The picture is on its way.") : _("I am looking at it."),
      ),
      h("progress", view.progress < 1 ? { value: view.progress, max: "1" } : {}),
    );
  }
  /** @param {string} label
      @param {() => void} onclick */
  const plain = (label, onclick) => h("p", {}, h("button", { type: "button", class: "plain", onclick }, label));
  return [
    h("p", { class: "lead" }, words.advice),
    view.error && h("p", { class: "wrong-here", role: "alert" }, view.error),
    h("input", {
      ...hidden,
      id: "picture",
      capture: "environment",
      "aria-label": words.photo,
      onchange: send,
    }),
    h("input", { ...hidden, id: "gallery", "aria-label": words.picture, onchange: send }),
    plain(_("Take a picture that is there already"), () => byId("gallery").click()),
    plain(_("Count by hand instead"), byHand),
  ];
}

/** Sends the chosen picture of what lies before `view.player`; gives the reading, null if there is none.
    @param {FileEvent} event
    @param {UploadView} view
    @param {() => void} redraw
    @returns {Promise<any>} */
export async function sendPicture(event, view, redraw) {
  const [file] = event.target.files;
  if (!file) return null;
  Object.assign(view, { progress: 0, error: "" });
  redraw();
  const reply = await upload(view.player, file, (part) => {
    view.progress = part;
    redraw();
  });
  view.progress = null;
  if (reply.ok) return reply.reading;
  view.error = reply.text || reply.code;
  redraw();
  return null;
}
