const box = document.getElementById("search"), rows = [...document.querySelectorAll("details")];
const texts = rows.map(r => r.textContent.toLowerCase());
function filter() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  rows.forEach((r, i) => shown += !(r.hidden = !words.every(w => texts[i].includes(w))));
  for (const s of document.querySelectorAll("section")) s.hidden = !s.querySelector("details:not([hidden])");
  document.getElementById("count").textContent = shown + " of " + rows.length;
  history.replaceState(null, "", "#" + encodeURIComponent(box.value.trim()));
}
box.addEventListener("input", filter);
document.addEventListener("keydown", e => {
  if (e.key === "/" && document.activeElement !== box) { e.preventDefault(); box.focus(); }
  else if (e.key === "Escape") { box.value = ""; filter(); box.focus(); }
  else if (e.key === "ArrowDown" || e.key === "ArrowUp") {
    const all = rows.filter(r => !r.hidden).map(r => r.firstElementChild);
    const next = all.indexOf(document.activeElement) + (e.key === "ArrowDown" ? 1 : -1);
    e.preventDefault();
    (next < 0 ? box : all[Math.min(next, all.length - 1)] ?? box).focus();
  }
});
box.value = decodeURIComponent(location.hash.slice(1));
filter();
