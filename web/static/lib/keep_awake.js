/* Keeps the screen of a page that nobody touches awake, where the browser can: on https and on the companion itself. */

/** Asks the browser for it now and whenever the page is looked at again: a page in the background loses it. */
export function keepAwake() {
  if (!navigator.wakeLock) return;
  const ask = () => {
    // Refused on an empty battery: then the screen goes dark as it would without the page.
    if (!document.hidden) navigator.wakeLock.request("screen").catch(() => {});
  };
  document.addEventListener("visibilitychange", ask);
  ask();
}
