/* Where the keyboard is once a key has done its work and is gone: at the primary action, not at the page's top. */

const GUARD_MS = 200;

/** Runs `draw`; if that takes away what had the focus, the bar's primary action has it from then on.
    @param {() => void} draw */
export function keepFocus(draw) {
  const focused = document.activeElement;
  draw();
  if (isDetached(focused)) focusPrimary();
}

/** Whether an element had the focus and is not on the page any more.
    @param {Element | null} focused
    @returns {held is Element} */
export function isDetached(focused) {
  return focused !== null && focused !== document.body && !focused.isConnected;
}

/** Moves the focus to the primary action, else to whatever stands in its place. */
export function focusPrimary() {
  const place = document.querySelector(".main-actions");
  /** @type {HTMLElement | null | undefined} */
  const button = place?.querySelector(".primary:enabled") ?? place?.querySelector("button:enabled, a");
  button?.focus({ preventScroll: true });
}

/** Handlers of a key that takes over another one's place and its focus: Enter held down, or pressed twice, means
    the one that was there before.
    @param {() => unknown} run
    @returns {Props} */
export function guardedPress(run) {
  return {
    onclick: (event) => {
      const shownAt = event.currentTarget.vShownAt ?? -Infinity;
      if (event.detail > 0 || performance.now() - shownAt > GUARD_MS) run();
    },
    onkeydown: (event) => {
      if (event.repeat) event.preventDefault();
    },
  };
}
