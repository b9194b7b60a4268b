/* Where the keyboard is once a key has done its work and is gone: at the primary action, not at the page's top. */

const TOO_SOON_MS = 200;

/** Runs `draw`; if that takes away what had the focus, the bar's primary action has it from then on.
    @param {() => void} draw */
export function keepFocus(draw) {
  const held = document.activeElement;
  draw();
  if (lost(held)) toPrimary();
}

/** Whether an element had the focus and is not on the page any more.
    @param {Element | null} held
    @returns {held is Element} */
export function lost(held) {
  return held !== null && held !== document.body && !held.isConnected;
}

/** Moves the focus to the primary action, else to whatever stands in its place. */
export function toPrimary() {
  const place = document.querySelector(".main-actions");
  /** @type {HTMLElement | null | undefined} */
  const key = place?.querySelector(".primary:enabled") ?? place?.querySelector("button:enabled, a");
  key?.focus({ preventScroll: true });
}

/** Handlers of a key that takes over another one's place and its focus: Enter held down, or pressed twice, means
    the one that was there before.
    @param {() => unknown} run
    @returns {Props} */
export function deliberate(run) {
  return {
    onclick: (event) => {
      const came = event.currentTarget.vCame ?? -Infinity;
      if (event.detail > 0 || performance.now() - came > TOO_SOON_MS) run();
    },
    onkeydown: (event) => {
      if (event.repeat) event.preventDefault();
    },
  };
}
