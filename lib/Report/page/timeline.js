// The passes of a step on a time axis, stage by stage; where a step's time goes.

const passLooks = [
  {
    name: "forward pass",
    legend: "forward pass, with the number of its micro-batch",
    look: { fill: "forward", hatch: "solid" },
  },
  { name: "backward pass", look: { fill: "backward", hatch: "rising" } },
  { name: "gradient of weights", look: { fill: "weight", hatch: "dots" } },
];
const waitLook = { fill: "wait", hatch: "cross" };
const optimizerLook = { fill: "optimizer", hatch: "posts" };
const idleLook = { fill: "idle", hatch: "solid" };

function pass(event) {
  const [kind, microBatch, chunk, start, end, wait, send, together] = event;
  return { kind, microBatch, chunk, start, end, wait: Math.min(wait, end - start), send, together: together === 1 };
}

// The mark of later chunks.
const underline = (x, y, width, height) =>
  s("path", { class: "axis", "stroke-width": 1.6, d: `M${x},${y + height - 2} h${width}` });

// Where times are on the picture: one part per cut of the step, gaps between, and the end of the step.
class TimeScale {
  constructor(timeline, left, width) {
    this.gap = 34;
    const cuts = timeline.cuts,
      tail = timeline.reduction + timeline.optimizer;
    const shown = cuts.reduce((sum, [from, to]) => sum + to - from, 0);
    const inner = width - left - 6 - this.gap * (cuts.length - 1);
    this.tailCut = tail > 0.3 * shown;
    const tailShown = this.tailCut ? 0.3 * shown : tail;
    this.perSecond = inner / (shown + tailShown);
    this.parts = [];
    let x = left;
    for (const [from, to] of cuts) {
      this.parts.push({ from, to, x, end: x + (to - from) * this.perSecond });
      x += (to - from) * this.perSecond + this.gap;
    }
    this.tailX = x - this.gap;
    this.tailWidth = tailShown * this.perSecond;
  }
  // The visible pieces of a span of time.
  pieces(start, end) {
    return this.parts
      .filter((part) => start < part.to && end > part.from)
      .map((part) => {
        const from = Math.max(start, part.from),
          to = Math.min(end, part.to);
        return [part.x + (from - part.from) * this.perSecond, (to - from) * this.perSecond];
      });
  }
  timeAt(x) {
    const part = this.parts.find((p) => x >= p.x && x <= p.end);
    return part && part.from + (x - part.x) / this.perSecond;
  }
}

// All boxes of one look as one path: thousands of passes stay light.
class Boxes {
  constructor() {
    this.paths = new Map();
  }
  add(look, x, y, width, height) {
    const key = `${look.fill} ${look.hatch}`;
    const found = this.paths.get(key) || { look, d: "" };
    found.d += `M${x.toFixed(2)},${y}h${width.toFixed(2)}v${height}h${(-width).toFixed(2)}z`;
    this.paths.set(key, found);
  }
  elements() {
    return [...this.paths.values()].flatMap(({ look, d }) => [
      s("path", { d, class: look.fill }),
      look.hatch !== "solid" ? s("path", { d, fill: `url(#hatch-${look.hatch})` }) : null,
      s("path", { d, class: "edge", "stroke-width": 0.6 }),
    ]);
  }
}

class TimelinePicture {
  constructor(timeline) {
    this.timeline = timeline;
    this.rows = timeline.rows.map((row) => ({ stage: row.stage, passes: row.events.map(pass) }));
    this.at = { row: 0, pass: 0 };
    this.readout = h(
      "output",
      { class: "readout", "aria-live": "polite" },
      "Point at a pass, or move with the arrow keys, to read what it is.",
    );
    this.canvas = canvas((width) => this.draw(width), 760);
    this.frame = h(
      "div",
      {
        class: "scroll",
        tabindex: 0,
        role: "application",
        "aria-roledescription": "timeline",
        "aria-label":
          "Passes of a step. Left and right: pass by pass. Up and down: stage by stage. Home and End: first and last.",
        onkeydown: (event) => this.key(event),
        onfocus: () => this.select(this.at.row, this.at.pass),
        onmousemove: (event) => this.point(event),
      },
      this.canvas,
    );
  }

  rowHeight() {
    return this.rows.length > 8 ? 24 : 30;
  }
  top(row) {
    return 6 + row * this.rowHeight() + (this.leftOut() && row >= this.rows.length / 2 ? 18 : 0);
  }
  leftOut() {
    return this.timeline.stages - this.rows.length;
  }

  // The part of a row's height that a pass takes: passes that run together share it.
  lane(passes, index) {
    const height = this.rowHeight() - 6,
      p = passes[index];
    if (!p.together) return [0, height];
    const before = index > 0 && passes[index - 1].together && passes[index - 1].start === p.start;
    return before ? [height / 2, height / 2] : [0, height / 2];
  }

  drawRow(row, index, boxes, texts) {
    const y0 = this.top(index),
      height = this.rowHeight() - 6;
    for (const part of this.scale.parts) boxes.add(idleLook, part.x, y0, part.end - part.x, height);
    row.passes.forEach((p, i) => {
      const [offset, high] = this.lane(row.passes, i),
        y = y0 + offset;
      const computeEnd = p.end - p.wait;
      for (const [x, width] of this.scale.pieces(p.start, computeEnd)) {
        boxes.add(passLooks[p.kind].look, x, y, width, high);
        const text = String(p.microBatch);
        if (high > 12 && width > textWidth(text, 10) + 3)
          texts.push(label(x + width / 2, y + high / 2 + 3.5, text, "tiny middle"));
        if (p.chunk > 0 && this.timeline.chunks > 1) texts.push(underline(x, y, width, high));
      }
      for (const [x, width] of this.scale.pieces(computeEnd, p.end + p.send)) boxes.add(waitLook, x, y, width, high);
    });
  }

  drawTail(boxes, texts) {
    const { reduction, optimizer } = this.timeline,
      { tailX, tailWidth } = this.scale;
    const share = tailWidth / (reduction + optimizer || 1);
    this.rows.forEach((_, i) => {
      const height = this.rowHeight() - 6,
        y = this.top(i);
      if (reduction > 0) boxes.add(waitLook, tailX, y, Math.max(reduction * share, 1.5), height);
      if (optimizer > 0)
        boxes.add(optimizerLook, tailX + reduction * share, y, Math.max(optimizer * share, 1.5), height);
    });
    if (this.scale.tailCut)
      texts.push(
        label(
          tailX + tailWidth / 2,
          this.bottom + 16,
          `${seconds(reduction + optimizer)}, shortened`,
          "soft small middle",
        ),
      );
  }

  drawAxis(texts) {
    const { parts } = this.scale;
    const shown = parts.reduce((sum, part) => sum + part.to - part.from, 0);
    const step = niceStep(shown, 10);
    const unit = withPrefix(this.timeline.makespan, timePrefixes);
    const factor = this.timeline.makespan / unit[0];
    const places = Math.max(0, Math.ceil(-Math.log10(step / factor) - 1e-9));
    for (const part of parts) {
      texts.push(s("path", { class: "axis", d: `M${part.x},${this.bottom} H${part.end}` }));
      for (const time of ticks(part.from, part.to, step)) {
        const x = part.x + (time - part.from) * this.scale.perSecond;
        texts.push(s("path", { class: "axis", d: `M${x},${this.bottom} v4` }));
        if (x < part.end - 8 || part === parts[parts.length - 1])
          texts.push(label(x, this.bottom + 16, (time / factor).toFixed(places), "soft small middle"));
      }
    }
    texts.push(label(0, this.bottom + 16, `time, ${unit[1]}`, "soft small"));
    if (parts.length > 1) {
      const middle = (parts[0].end + parts[1].x) / 2,
        height = this.bottom - 6;
      texts.push(s("path", { class: "axis", "stroke-dasharray": "2 3", d: `M${middle},6 v${height}` }));
      texts.push(
        label(middle, this.bottom + 32, `${seconds(parts[1].from - parts[0].to)} alike left out`, "soft small middle"),
      );
    }
  }

  draw(width) {
    const left = 66;
    this.scale = new TimeScale(this.timeline, left, width);
    this.bottom = this.top(this.rows.length - 1) + this.rowHeight();
    const boxes = new Boxes(),
      texts = [];
    this.rows.forEach((row, i) => {
      texts.push(label(0, this.top(i) + this.rowHeight() / 2 + 1, `stage ${row.stage}`));
      this.drawRow(row, i, boxes, texts);
    });
    if (this.leftOut())
      texts.push(
        label(
          left,
          this.top(this.rows.length / 2) - 6,
          `${plural(this.leftOut(), "stage")} in between left out`,
          "soft small",
        ),
      );
    this.drawTail(boxes, texts);
    this.drawAxis(texts);
    this.cursor = s("rect", { class: "cursor", width: 0, height: 0, rx: 1.5, visibility: "hidden" });
    const height = this.bottom + (this.scale.parts.length > 1 ? 40 : 22);
    return s(
      "svg",
      { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
      boxes.elements(),
      texts,
      this.cursor,
    );
  }

  select(rowIndex, passIndex) {
    const row = this.rows[rowIndex],
      p = row.passes[passIndex];
    if (!p || !this.scale) return;
    this.at = { row: rowIndex, pass: passIndex };
    const [piece] = this.scale.pieces(p.start, p.end);
    const [offset, high] = this.lane(row.passes, passIndex);
    if (piece) {
      for (const [name, value] of Object.entries({
        x: piece[0],
        y: this.top(rowIndex) + offset,
        width: Math.max(piece[1], 2),
        height: high,
        visibility: "visible",
      }))
        this.cursor.setAttribute(name, value);
      if (document.activeElement === this.frame) {
        const { scrollLeft, clientWidth } = this.frame;
        if (piece[0] < scrollLeft + 70 || piece[0] + piece[1] > scrollLeft + clientWidth)
          this.frame.scrollLeft = piece[0] - clientWidth / 2;
      }
    }
    const chunk = this.timeline.chunks > 1 ? `, chunk ${p.chunk}` : "";
    const waits = p.wait + p.send;
    this.readout.textContent =
      `Stage ${row.stage}, micro-batch ${p.microBatch}${chunk}: ${passLooks[p.kind].name}, ` +
      `${seconds(p.start, 5)} to ${seconds(p.end, 5)}, ${seconds(p.end - p.start)}` +
      (p.together ? " together with another pass" : "") +
      (waits > 0 ? `; ${seconds(waits)} of waiting for communication` : "") +
      ".";
  }

  point(event) {
    const place = this.canvas.getBoundingClientRect();
    const x = event.clientX - place.left,
      y = event.clientY - place.top,
      time = this.scale && this.scale.timeAt(x);
    const rowIndex = this.rows.findIndex((_, i) => y >= this.top(i) && y < this.top(i) + this.rowHeight());
    if (time === undefined || rowIndex < 0) return;
    const passes = this.rows[rowIndex].passes;
    const half = y - this.top(rowIndex) > (this.rowHeight() - 6) / 2;
    const hits = passes
      .map((p, i) => i)
      .filter((i) => passes[i].start <= time && time <= passes[i].end + passes[i].send);
    if (hits.length) this.select(rowIndex, hits[half ? hits.length - 1 : 0]);
  }

  key(event) {
    const { row, pass: index } = this.at,
      passes = this.rows[row].passes;
    const nearest = (target) => {
      const middle = (passes[index].start + passes[index].end) / 2,
        there = this.rows[target].passes;
      const distance = (p) => Math.abs((p.start + p.end) / 2 - middle);
      return there.reduce((best, p, i) => (distance(p) < distance(there[best]) ? i : best), 0);
    };
    const moves = {
      ArrowLeft: () => [row, Math.max(0, index - 1)],
      ArrowRight: () => [row, Math.min(passes.length - 1, index + 1)],
      ArrowUp: () => (row > 0 ? [row - 1, nearest(row - 1)] : [row, index]),
      ArrowDown: () => (row + 1 < this.rows.length ? [row + 1, nearest(row + 1)] : [row, index]),
      Home: () => [row, 0],
      End: () => [row, passes.length - 1],
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    this.select(...moves[event.key]());
  }
}

function timelineFinding(timeline) {
  const one = timeline.stages === 1;
  const all = timeline.makespan + timeline.reduction + timeline.optimizer;
  const cut = timeline.simulated_micro_batches < timeline.micro_batches;
  return [
    "Run pass by pass, the schedule takes ",
    bold(seconds(all)),
    cut ? ` with ${count(timeline.simulated_micro_batches)} of the ${count(timeline.micro_batches)} micro-batches` : "",
    one
      ? "."
      : ["; a stage stands idle ", bold(percent(timeline.bubble)), " of the time on average, waiting for others."],
    cut ? "" : ` The formulas of the estimate say ${seconds(estimate.time.step)}.`,
  ];
}

function timelineSection() {
  const timeline = data.timeline;
  if (timeline.missing) return section("timeline", "Timeline", `No timeline: ${timeline.missing}.`);
  const drawn = new TimelinePicture(timeline);
  const kinds = new Set(drawn.rows.flatMap((row) => row.passes.map((p) => p.kind)));
  const waits = drawn.rows.some((row) => row.passes.some((p) => p.wait + p.send > 0)) || timeline.reduction > 0;
  const totals = (row) => passLooks.map((_, kind) => row.passes.filter((p) => p.kind === kind));
  return section(
    "timeline",
    "Timeline",
    timelineFinding(timeline),
    h(
      "figure",
      {},
      h(
        "figcaption",
        {},
        `${words(estimate.layout.schedule)} schedule, ${plural(timeline.stages, "stage")}, ${plural(timeline.micro_batches, "micro-batch", "micro-batches")}`,
      ),
      legend([
        ...passLooks
          .filter((_, kind) => kinds.has(kind))
          .map(({ name, legend, look }) => [swatch(look), legend || name]),
        ...(timeline.chunks > 1
          ? [[(...place) => [box(...place, passLooks[0].look), underline(...place)], "underlined: a later chunk"]]
          : []),
        ...(waits ? [[swatch(waitLook), "exposed communication"]] : []),
        ...(timeline.stages > 1 ? [[swatch(idleLook), "bubble"]] : []),
        [swatch(optimizerLook), "optimizer step"],
      ]),
      drawn.frame,
      drawn.readout,
      tableBehind(
        "Passes that are drawn, by stage",
        ["stage", "forward", "backward", "of weights", "first from", "last until", "one forward", "one backward"],
        drawn.rows.map((row) => {
          const [forward, backward, weights] = totals(row),
            length = (list) => (list.length ? seconds(list[0].end - list[0].start) : "");
          return [
            row.stage,
            forward.length,
            backward.length,
            weights.length,
            seconds(row.passes[0].start, 4),
            seconds(row.passes[row.passes.length - 1].end, 4),
            length(forward),
            length(backward),
          ];
        }),
      ),
    ),
  );
}

// --- Where a step's time goes

function stepSection() {
  const { time, overlap } = estimate;
  if (!time) return null;
  const kinds = Object.entries(overlap).filter(([, kind]) => kind.exposed > 0.0005 * time.step);
  const small = time.exposed_comm - kinds.reduce((sum, [, kind]) => sum + kind.exposed, 0);
  const waits = [
    { fill: "c1", hatch: "cross" },
    { fill: "c4", hatch: "rising" },
    { fill: "c6", hatch: "dots" },
    { fill: "c2", hatch: "lines" },
  ];
  const parts = [
    ["compute", time.compute, { fill: "c0", hatch: "solid" }],
    ["bubble", time.bubble, { fill: "idle", hatch: "falling" }],
    ...kinds.map(([name, kind], i) => [`exposed: ${data.titles[name]}`, kind.exposed, waits[i % waits.length]]),
    [
      "exposed: other",
      kinds.length && small > 1e-9 * time.step ? small : kinds.length ? 0 : time.exposed_comm,
      { fill: "c7", hatch: "steep" },
    ],
    ["optimizer", time.optimizer, { fill: "c3", hatch: "posts" }],
  ].filter(([, value]) => value > 0);
  const [, unit] = withPrefix(time.step, timePrefixes),
    factor = timePrefixes.find(([, name]) => name === unit)[0];
  const largest = parts.slice(1).reduce((best, part) => (part[1] > best[1] ? part : best), ["", 0]);
  return section(
    "step",
    "Step time",
    [
      "A step takes ",
      bold(seconds(time.step)),
      ", of which ",
      bold(percent(time.compute / time.step)),
      " is compute",
      largest[0]
        ? [
            "; most of the rest is ",
            bold(largest[0].replace("exposed: ", "exposed communication, ")),
            ` (${seconds(largest[1])}).`,
          ]
        : ".",
    ],
    h(
      "figure",
      {},
      h("figcaption", {}, "Where the time of a step goes"),
      legend(parts.map(([name, value, look]) => [swatch(look), `${name} ${seconds(value)}`])),
      stackedBars(
        [
          {
            name: "step",
            parts: parts.map(([, value, look]) => ({ look, value, text: percent(value / time.step) })),
            end: seconds(time.step),
          },
        ],
        {
          scale: factor,
          format: (value) => digits(value / factor),
          unit,
          name: parts.map(([name, value]) => `${name} ${seconds(value)}`).join(", "),
        },
      ),
      tableBehind(
        "Time of a step by part",
        ["part", "time", "share"],
        parts.map(([name, value]) => [name, seconds(value), percent(value / time.step)]),
      ),
    ),
    why("time", "rate"),
  );
}
