/* This phone speaks: the table's announcements in the phone's own voice, for a table without a loudspeaker.

   Only what is worth a word is said, the latest wins, and nothing is said twice. */

import { remember, remembered } from "./phone_storage.js";
import { _ } from "./translation.js";

const KEY = "speaks";
const NOTE = 1; // see companion.announce.codes.Priority: routine is silent

export const canSpeak = "speechSynthesis" in window;

export function speechIsOn() {
  return canSpeak && Boolean(remembered(KEY, false));
}

/** Safari lets a page speak only after it has spoken in a tap: the first tap on each page speaks nothing. */
function allowSpeech() {
  if (speechIsOn()) speechSynthesis.speak(new SpeechSynthesisUtterance(""));
}
globalThis.addEventListener?.("click", allowSpeech, { once: true, capture: true });

/** Turns it on or off. Turned on it says so at once: phones allow speech only after a tap.
    @param {boolean} on */
export function switchSpeech(on) {
  remember(KEY, on);
  speechSynthesis.cancel();
  if (on) say(_("This phone speaks now."));
}

/** Says what has just been announced.
    @param {Announced[] | undefined} announcements */
export function speakAnnouncement(announcements) {
  if (!speechIsOn()) return;
  const spoken = (announcements ?? []).filter((one) => one.priority >= NOTE && /\p{L}|\d/u.test(one.text));
  if (spoken.length > 0) say(spoken[0].text);
}

/** @param {string} text */
function say(text) {
  speechSynthesis.cancel();
  const words = new SpeechSynthesisUtterance(text);
  words.lang = document.documentElement.lang || "en";
  words.rate = 1.1;
  speechSynthesis.speak(words);
}
