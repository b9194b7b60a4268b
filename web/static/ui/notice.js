/* A short sentence above the thumb that goes away by itself; screen readers hear it. */

let timer = 0;

export function notice(text) {
  const place = document.getElementById("notice");
  place.textContent = text;
  place.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(
    () => {
      place.hidden = true;
      place.textContent = "";
    },
    5000 + 40 * text.length,
  );
}
