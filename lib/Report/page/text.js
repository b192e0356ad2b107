// Texts: diagnostics, derivations that unfold, the head of the page, constants.

const withUnit = (d) =>
  !d.text || !d.unit || d.unit === "ratio" || d.text.includes(" ") ? d.text : `${d.text} ${d.unit}`;

function sourceOf(d) {
  if (d.file && !d.formula) return `${d.file}:${d.line}`;
  return d.source || "";
}

// One value: its name and what it is; below, when unfolded, how.
function derivationItem(d) {
  const head = [
    h("span", { class: "name" }, d.name || d.formula || "value"),
    " = ",
    h("span", { class: "value" }, withUnit(d)),
  ];
  const steps = [];
  if (d.name && d.formula) steps.push(h("div", {}, "= ", h("code", {}, d.formula)));
  if (d.substituted && d.substituted !== d.formula) steps.push(h("div", {}, "= ", h("code", {}, d.substituted)));
  const from = sourceOf(d);
  if (!steps.length && !d.terms.length)
    return h("li", { class: "leaf" }, head, from && h("span", { class: "soft" }, `  ${from}`));
  if (from) steps.push(h("div", {}, from));
  return h(
    "li",
    {},
    h(
      "details",
      {},
      h("summary", {}, head),
      steps.length ? h("div", { class: "steps" }, steps) : null,
      d.terms.length ? h("ul", {}, d.terms.map(derivationItem)) : null,
    ),
  );
}
const derivationTree = (trees) => h("ul", { class: "tree" }, trees.map(derivationItem));

function why(...keys) {
  const trees = keys.flatMap((key) => data.derivations[key]);
  return trees.length
    ? h("details", { class: "why" }, h("summary", {}, "How these numbers came about"), derivationTree(trees))
    : null;
}

const trust = { machine: "can be applied as it is", maybe: "probably meant", display: "to be done by hand" };

function fixItem(fix) {
  const effect = Object.entries(fix.effect)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
  return h(
    "li",
    {},
    h("code", {}, fix.title),
    effect && ` → ${effect}`,
    h("span", { class: "soft" }, ` (${trust[fix.applicability]})`),
  );
}

function message(diagnostic, frame) {
  const trees = diagnostic.derivations || (diagnostic.derivation ? [diagnostic.derivation] : []);
  const at = diagnostic.file ? `${diagnostic.file}:${diagnostic.line}:${diagnostic.column}` : "";
  const body = frame.split("\n").slice(1).join("\n").trimEnd();
  return h(
    "article",
    { class: `message ${diagnostic.severity}` },
    h("h3", {}, h("span", { class: "kind" }, `${diagnostic.severity}: `), diagnostic.message),
    h("p", { class: "mono soft" }, at, at && "  ", `${diagnostic.code} ${diagnostic.name}`),
    body &&
      h(
        "pre",
        { tabindex: 0, role: "region", "aria-label": `Lines of the file, ${diagnostic.code}${at && ` at ${at}`}` },
        body,
      ),
    diagnostic.fixes.length ? h("ul", { class: "fixes" }, diagnostic.fixes.map(fixItem)) : null,
    trees.length ? h("details", {}, h("summary", {}, "How it came about"), derivationTree(trees)) : null,
  );
}

function diagnosticsSection() {
  const { diagnostics, summary } = data.check;
  if (!diagnostics.length) return null;
  const hints = diagnostics.filter((d) => d.severity === "hint").length;
  const counts = [
    [summary.errors, "error"],
    [summary.warnings, "warning"],
    [hints, "hint"],
  ];
  const found = counts
    .filter(([number]) => number)
    .map(([number, noun]) => plural(number, noun))
    .join(", ");
  return section(
    "findings",
    "Findings",
    `${found}.`,
    diagnostics.map((diagnostic, i) => message(diagnostic, data.frames[i])),
    summary.suppressed
      ? h("p", { class: "finding" }, `${plural(summary.suppressed, "further error")} not listed.`)
      : null,
  );
}

function tile(name, value, unit, more, classes) {
  return h(
    "div",
    {},
    h("dt", {}, name),
    h(
      "dd",
      {},
      h("div", { class: "value" }, value, unit && h("span", { class: "unit" }, ` ${unit}`)),
      h("div", { class: `more ${classes || ""}` }, more || " "),
    ),
  );
}

function tiles() {
  const { memory, time } = estimate,
    all = [];
  if (memory)
    all.push(
      tile(
        "Peak memory",
        gib(memory.peak_bytes),
        "GiB",
        memory.fits === undefined
          ? ""
          : `${memory.fits ? "fits" : "does not fit"}: ${percent(memory.peak_bytes / memory.usable_bytes)} of ${gib(memory.usable_bytes)}`,
        memory.fits === undefined ? "" : memory.fits ? "good" : "bad",
      ),
    );
  if (time) {
    const [step, unit] = withPrefix(time.step, timePrefixes);
    all.push(tile("Step", digits(step), unit, `${count(estimate.batch.global_tokens)} tokens`));
    all.push(
      tile(
        "Throughput",
        count(time.tokens_per_second_per_gpu),
        "tok/s per GPU",
        `${count(time.tokens_per_second)} tok/s`,
      ),
    );
  }
  if (estimate.mfu !== undefined)
    all.push(
      tile(
        // Of the measured step time where there is one: the tile of the step shows the predicted one.
        estimate.measured?.mfu === undefined ? "MFU" : "Measured MFU",
        digits(100 * estimate.mfu),
        "%",
        estimate.hfu > estimate.mfu ? `HFU ${percent(estimate.hfu)}` : `${words(estimate.flops.convention)} FLOPs`,
      ),
    );
  if (time && estimate.layout.pp > 1)
    all.push(tile("Bubble", digits(100 * estimate.bubble), "%", `${seconds(time.bubble)} of a step`));
  if (time && time.usd_per_billion_tokens !== undefined)
    all.push(tile("Cost", digits(time.usd_per_billion_tokens), "USD", "per billion tokens"));
  return all.length ? h("dl", { class: "tiles" }, all) : null;
}

const wideNames = { cp: "context parallel", ep: "expert parallel", etp: "expert tensor parallel" };

function facts() {
  const { layout, batch, params, measured } = estimate;
  const as = (value, format) => (value === undefined ? undefined : format(value));
  const entries = [
    ["tensor parallel", `${layout.tp}${layout.sp && layout.tp > 1 ? " with sequence parallel" : ""}`],
    [
      "pipeline",
      layout.pp > 1
        ? `${layout.pp}${layout.vpp > 1 ? ` × ${layout.vpp} virtual` : ""}, ${words(layout.schedule)}`
        : "1",
    ],
    ["data parallel", as(layout.dp, count)],
    ...Object.entries(wideNames)
      .filter(([key]) => layout[key] > 1)
      .map(([key, name]) => [name, count(layout[key])]),
    ["ZeRO", as(layout.zero, (zero) => zero + (layout.shard !== layout.dp ? ` over ${layout.shard}` : ""))],
    ["recompute", words(layout.recompute || "")],
    ["micro-batches", as(layout.micro_batches, (number) => digits(number, 6))],
    ["sequence", as(batch.seq_len, (length) => `${count(length)} tok`)],
    [
      "parameters",
      as(params.total, (total) => large(total) + (params.active !== total ? `, ${large(params.active)} active` : "")),
    ],
    ...Object.entries(measured || {}).map(([key, ratio]) => [`${words(key)}, measured`, percent(ratio)]),
  ].filter(([, value]) => value);
  return h(
    "dl",
    { class: "facts" },
    entries.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
  );
}

function assumptionsSection() {
  const constants = estimate.assumptions;
  if (!constants.length) return null;
  const list = table(
    "Constants that no formula gives",
    ["name", "value", "source"],
    constants.map((c) => [
      c.name,
      quantity(c.value, c.unit) + (c.overridden ? ` (assumed; library ${quantity(c.library_value, c.unit)})` : ""),
      c.source,
    ]),
    3,
  );
  for (const row of list.querySelectorAll("tbody tr")) row.lastChild.classList.add("text");
  return section(
    "assumptions",
    "Assumptions",
    "Numbers behind these figures that no formula gives, and where they are from.",
    list,
  );
}
