/* Whether messages of the stream are late: a phone that slept gets everything at once when it wakes. */

const ASLEEP_MS = 6000; // the server beats every two seconds: a longer silence means that the page slept
const WAKING_MS = 1000; // what arrives so soon after waking was sent while the page slept

/** Returns a function that is called with the time of each message, in milliseconds, heartbeats too. It tells
    whether the message comes too late to be spoken. */
export function lateMessages() {
  let last = Number.NaN;
  let wakingUntil = 0;
  /** @param {number} now */
  return (now) => {
    if (now - last > ASLEEP_MS) wakingUntil = now + WAKING_MS;
    last = now;
    return now < wakingUntil;
  };
}
