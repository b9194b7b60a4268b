/* What this phone remembers between visits: names that have played, keys shown or hidden. Losing it is harmless. */

/** @template T
    @param {string} key
    @param {T} otherwise what it is before anything was stored
    @returns {T} */
export function remembered(key, otherwise) {
  try {
    const found = localStorage.getItem(`companion.${key}`);
    return found === null ? otherwise : JSON.parse(found);
  } catch {
    return otherwise;
  }
}

/** @param {string} key
    @param {unknown} value */
export function remember(key, value) {
  try {
    localStorage.setItem(`companion.${key}`, JSON.stringify(value));
  } catch {
    // A phone in private mode keeps nothing: so be it.
  }
}
