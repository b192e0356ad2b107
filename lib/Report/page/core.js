// What every part of the page uses: the data, elements, numbers as text.

const data = JSON.parse(document.getElementById("data").textContent);
const estimate = data.estimate;
const svgNamespace = "http://www.w3.org/2000/svg";

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}
// An HTML element; texts become text nodes, never markup.
const h = (tag, attributes, ...children) => filled(document.createElement(tag), attributes, children);
// An SVG element.
const s = (tag, attributes, ...children) => filled(document.createElementNS(svgNamespace, tag), attributes, children);

const digits = (value, most) => value.toLocaleString("en-US", { maximumSignificantDigits: most || 3 });
const count = (value) => value.toLocaleString("en-US", { maximumFractionDigits: 0 });
const gib = (bytes) => (bytes / 2 ** 30).toFixed(1);
const percent = (ratio) => `${digits(100 * ratio)} %`;
const words = (name) => name.replaceAll("_", " ");
const plural = (number, noun, many = `${noun}s`) => `${count(number)} ${number === 1 ? noun : many}`;

function withPrefix(value, prefixes) {
  const fitting = prefixes.find(([factor]) => value >= factor * 0.9995) || prefixes[prefixes.length - 1];
  return [value / fitting[0], fitting[1]];
}
const timePrefixes = [
  [1, "s"],
  [1e-3, "ms"],
  [1e-6, "µs"],
];
function seconds(value, most) {
  if (value === 0) return "0 s";
  const [scaled, unit] = withPrefix(value, timePrefixes);
  return `${digits(scaled, most)} ${unit}`;
}
function transfer(bytes) {
  const [scaled, unit] = withPrefix(bytes, [
    [1e9, "GB"],
    [1e6, "MB"],
    [1e3, "kB"],
    [1, "B"],
  ]);
  return `${digits(scaled)} ${unit}`;
}
function large(value) {
  const [scaled, unit] = withPrefix(value, [
    [1e12, " T"],
    [1e9, " G"],
    [1e6, " M"],
    [1, ""],
  ]);
  return `${digits(scaled)}${unit}`;
}
// A number in base units with its unit.
function quantity(value, unit) {
  if (unit === "s") return seconds(value, 4);
  if (/^B(\/|$)/.test(unit)) return transfer(value) + unit.slice(1);
  return unit === "ratio" ? digits(value, 4) : `${digits(value, 4)} ${unit}`;
}
const teraflops = (rate) => digits(rate / 1e12);

const bold = (text, classes) => h("strong", { class: classes }, text);

// Parts of the page in the order in which they register.
const sections = [];
function section(id, title, finding, ...children) {
  sections.push({ id, title });
  return h(
    "section",
    { id, "aria-labelledby": `${id}-title` },
    h("h2", { id: `${id}-title` }, title),
    finding && h("p", { class: "finding" }, finding),
    children,
  );
}

// `columns`: names, `rows`: lists of cells; a cell of text stands left.
function table(caption, columns, rows, leftColumns = 1) {
  const side = (index) => (index < leftColumns ? "left" : undefined);
  return h(
    "div",
    { class: "table", tabindex: 0, role: "region", "aria-label": caption },
    h(
      "table",
      {},
      h("caption", {}, caption),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          columns.map((name, i) => h("th", { scope: "col", class: side(i) }, name)),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((cells) =>
          h(
            "tr",
            {},
            cells.map((cell, i) =>
              i === 0 ? h("th", { scope: "row", class: side(i) }, cell) : h("td", { class: side(i) }, cell),
            ),
          ),
        ),
      ),
    ),
  );
}
const tableBehind = (...words) => h("details", {}, h("summary", {}, "Numbers as a table"), table(...words));
