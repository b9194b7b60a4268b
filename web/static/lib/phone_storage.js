/* What this phone remembers between visits: names that have played, keys shown or hidden. Losing it is harmless. */

export function remembered(key, otherwise) {
  try {
    const found = localStorage.getItem(`companion.${key}`);
    return found === null ? otherwise : JSON.parse(found);
  } catch {
    return otherwise;
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(`companion.${key}`, JSON.stringify(value));
  } catch {
    // A phone in private mode keeps nothing: so be it.
  }
}
