// What the pictures share: hatches, bars, axes, legends, drawing anew when the width changes.

const hatches = {
  solid: [],
  rising: [["path", { d: "M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2", class: "hatch" }]],
  dots: [
    ["circle", { cx: 1.5, cy: 1.5, r: 0.9, class: "hatch-fill" }],
    ["circle", { cx: 4.5, cy: 4.5, r: 0.9, class: "hatch-fill" }],
  ],
  lines: [["path", { d: "M0,2 H6 M0,5 H6", class: "hatch" }]],
  cross: [["path", { d: "M0,0 l6,6 M6,0 l-6,6", class: "hatch" }]],
  posts: [["path", { d: "M1.5,0 V6 M4.5,0 V6", class: "hatch" }]],
  falling: [["path", { d: "M-1,5 l2,2 M0,0 l6,6 M5,-1 l2,2", class: "hatch" }]],
  steep: [["path", { d: "M0,6 L3,0 M3,6 L6,0", class: "hatch" }]],
};
const hatchNames = Object.keys(hatches);
const hatchDefinitions = () =>
  s(
    "svg",
    { class: "defs", width: 0, height: 0, "aria-hidden": "true", focusable: "false" },
    s(
      "defs",
      {},
      Object.entries(hatches).map(([name, marks]) =>
        s(
          "pattern",
          { id: `hatch-${name}`, width: 6, height: 6, patternUnits: "userSpaceOnUse" },
          marks.map(([tag, attributes]) => s(tag, attributes)),
        ),
      ),
    ),
  );

// A box with fill, hatch and edge. `look` is { fill: class, hatch: name }.
function box(x, y, width, height, look) {
  const place = { x, y, width: Math.max(width, 0), height };
  return [
    s("rect", { ...place, class: look.fill }),
    look.hatch !== "solid" && s("rect", { ...place, fill: `url(#hatch-${look.hatch})` }),
    s("rect", { ...place, class: "edge", "stroke-width": 0.8 }),
  ];
}
const label = (x, y, text, classes) => s("text", { x, y, class: classes }, text);

function legend(entries) {
  return h(
    "ul",
    { class: "legend" },
    entries.map(([look, text]) =>
      h("li", {}, s("svg", { width: 22, height: 14, "aria-hidden": "true" }, look(1, 1, 20, 12)), text),
    ),
  );
}
const swatch = (look) => (x, y, width, height) => box(x, y, width, height, look);

// About how wide a text is, in pixels of the usual size.
const textWidth = (text, size = 12) => text.length * size * 0.6;

// Round steps for an axis: at most `most` of them up to `end`.
function niceStep(end, most) {
  const raw = end / Math.max(1, most),
    power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((m) => m * power).find((step) => step >= raw * 0.999);
}
function ticks(from, to, step) {
  const found = [];
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to * (1 + 1e-9) + 1e-12; ++i) found.push(i * step || 0);
  return found;
}

// A picture that is drawn for the width it has: `draw(width)` gives its SVG.
function canvas(draw, least = 320) {
  const place = h("div", { class: "canvas" });
  let drawn = 0;
  new ResizeObserver(() => {
    const width = Math.max(least, Math.floor(place.clientWidth));
    if (width !== drawn) place.replaceChildren(draw((drawn = width)));
  }).observe(place);
  return place;
}
const picture = (width, height, name, ...children) =>
  s("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": name }, children);

// Rows of stacked bars over one axis.
//   rows: [{ name, parts: [{ look, value, text }], end: text behind the bar, bad, mark: a value with a tick }]
//   options: { name, scale: the axis' unit, format(value), unit, limit: { value, text }, left: where bars start at least }
function stackedBars(rows, options) {
  return canvas((width) => {
    const left = Math.max(
      width > 560 ? options.left || 0 : 0,
      12 + Math.max(...rows.map((row) => textWidth(row.name, row.strong ? 13 : 12))),
    );
    const right = Math.max(...rows.map((row) => textWidth(row.end))) + 16;
    const top = options.limit ? 24 : 6,
      rowHeight = 30,
      barHeight = 20,
      inner = width - left - right;
    const sums = rows.map((row) => row.parts.reduce((sum, part) => sum + part.value, 0));
    const most = Math.max(...sums, options.limit ? options.limit.value : 0) || 1;
    const x = (value) => left + (value / most) * inner;
    const bottom = top + rows.length * rowHeight;
    const marks = [];
    const step = niceStep(most / options.scale, Math.max(2, Math.floor(inner / 90))) * options.scale;
    for (const tick of ticks(0, most, step)) {
      marks.push(s("path", { class: "grid", d: `M${x(tick)},${top} V${bottom}` }));
      marks.push(label(x(tick), bottom + 15, options.format(tick), "soft small middle"));
    }
    marks.push(label(width - 2, bottom + 15, options.unit, "soft small end"));
    rows.forEach((row, i) => {
      const y = top + i * rowHeight + 5;
      marks.push(label(0, y + 14.5, row.name, row.strong ? "strong" : undefined));
      let sum = 0;
      for (const part of row.parts) {
        const from = x(sum),
          to = x((sum += part.value));
        if (to - from < 0.4) continue;
        marks.push(box(from, y, to - from, barHeight, part.look));
        if (part.text && to - from > textWidth(part.text, 11) + 8)
          marks.push(label((from + to) / 2, y + 14, part.text, "small middle"));
      }
      if (row.mark !== undefined)
        marks.push(s("path", { class: "limit", d: `M${x(row.mark)},${y - 3} V${y + barHeight + 3}` }));
      if (row.bad && options.limit)
        marks.push(
          s("rect", {
            class: "over",
            x: x(options.limit.value),
            y,
            width: x(sum) - x(options.limit.value),
            height: barHeight,
          }),
        );
      marks.push(label(width - 2, y + 14.5, row.end, row.bad ? "end strong bad" : "end"));
    });
    if (options.limit) {
      const at = x(options.limit.value);
      marks.push(s("path", { class: "limit", d: `M${at},${top - 4} V${bottom}` }));
      const anchor = at + textWidth(options.limit.text) / 2 > width ? "end" : "middle";
      marks.push(label(anchor === "end" ? at + 4 : at, top - 9, options.limit.text, `${anchor} small strong`));
    }
    return picture(width, bottom + 20, options.name, marks);
  });
}
