// Ranks, or the nodes of a large job, coloured by the groups that they are in.

const cellLooks = hatchNames.map((hatch, i) => ({ fill: `c${[0, 1, 5, 3, 6, 4, 2, 7][i]}`, hatch }));

// The largest power of two up to a number, and 1: ranks and nodes come in such numbers.
const powerOfTwo = (most) => 2 ** Math.max(0, Math.floor(Math.log2(most)));

class RankPicture {
  constructor(ranks) {
    this.ranks = ranks;
    this.single = ranks.run === 1;
    const stage = ranks.kinds.find((kind) => kind.name === "pp");
    this.views = [
      ...(stage ? [{ title: "pipeline stage", kind: stage, key: "member" }] : []),
      ...ranks.kinds.map((kind) => ({ title: `${kind.title} group`, kind, key: "group" })),
      ...(ranks.kinds.length ? [] : [{ title: "node", kind: null }]),
    ];
    this.view = this.views[0];
    this.at = -1;
    this.readout = h("output", { class: "readout", "aria-live": "polite" }, this.hint());
    this.canvas = canvas((width) => this.draw(width));
    this.choices = h(
      "div",
      { class: "choices", role: "group", "aria-label": "Colour by" },
      h("span", {}, "Colour by"),
      this.views.map((view) =>
        h(
          "button",
          {
            type: "button",
            "aria-pressed": String(view === this.view),
            onclick: (event) => this.choose(view, event.target),
          },
          view.title,
        ),
      ),
    );
    this.frame = h(
      "div",
      {
        class: "scroll",
        tabindex: 0,
        role: "application",
        "aria-roledescription": "grid of ranks",
        "aria-label": `${this.single ? "Ranks" : "Nodes"} and their groups. Arrow keys move, Home and End go to the first and the last.`,
        onkeydown: (event) => this.key(event),
        onfocus: () => this.select(Math.max(0, this.at)),
        onclick: (event) => this.point(event),
        onmousemove: (event) => this.point(event),
      },
      this.canvas,
    );
  }

  hint() {
    return `Point at a ${this.single ? "rank" : "node"}, or move with the arrow keys, to see its groups; those of its group are framed.`;
  }
  cells() {
    return this.ranks.cells;
  }
  node(cell) {
    return Math.floor((cell * this.ranks.run) / this.ranks.per_node);
  }
  // First and last number of what a cell is coloured by.
  value(cell, view = this.view) {
    if (!view.kind) return [this.node(cell), this.node(cell)];
    return [view.kind[view.key][cell], this.single ? view.kind[view.key][cell] : view.kind[`${view.key}_end`][cell]];
  }
  text(cell) {
    const [from, to] = this.value(cell);
    return from === to ? String(from) : `${from}–${to}`;
  }

  place(cell) {
    const { columns, perNode, cellWidth, nodeWidth, nodeHeight, perLine } = this.grid;
    const node = this.single ? this.node(cell) : 0,
      inside = this.single ? cell - node * this.ranks.per_node : cell;
    if (!this.single) return [(cell % columns) * (cellWidth + 2), Math.floor(cell / columns) * 22];
    const x = (node % columns) * nodeWidth + (inside % perLine) * cellWidth;
    const y = Math.floor(node / columns) * nodeHeight + 15 + Math.floor(inside / perLine) * 18;
    return [x, y, perNode];
  }

  layout(width) {
    const { per_node: perNode, nodes } = this.ranks;
    const longest = Math.max(...[...Array(this.cells()).keys()].map((cell) => this.text(cell).length));
    if (!this.single) {
      const least = Math.max(28, longest * 6.2 + 6),
        columns = powerOfTwo((width - 2) / (least + 2));
      const cellWidth = Math.max(least, Math.min(64, Math.floor((width - 2) / columns) - 2));
      this.grid = { columns, cellWidth, height: Math.ceil(this.cells() / columns) * 22 };
      return;
    }
    const least = Math.max(22, longest * 6.2 + 6),
      fitting = Math.max(1, Math.floor((width - 4) / least));
    const perLine = perNode <= fitting ? perNode : powerOfTwo(fitting);
    const columns = Math.min(nodes, powerOfTwo((width + 10) / (perLine * least + 14)));
    const cellWidth = Math.max(least, Math.min(34, Math.floor(((width + 10) / columns - 14) / perLine)));
    const nodeWidth = perLine * cellWidth + 14,
      nodeHeight = Math.ceil(perNode / perLine) * 18 + 15 + 12;
    this.grid = {
      columns,
      perNode,
      cellWidth,
      perLine,
      nodeWidth,
      nodeHeight,
      height: Math.ceil(nodes / columns) * nodeHeight,
    };
  }

  draw(width) {
    this.layout(width);
    const { cellWidth, nodeWidth, nodeHeight, columns, perLine, height } = this.grid,
      marks = [],
      high = this.single ? 18 : 20;
    this.squares = [];
    if (this.single)
      for (let node = 0; node < this.ranks.nodes; ++node) {
        const x = (node % columns) * nodeWidth,
          y = Math.floor(node / columns) * nodeHeight;
        marks.push(label(x, y + 11, `node ${node}`, "tiny soft"));
      }
    for (let cell = 0; cell < this.cells(); ++cell) {
      const [x, y] = this.place(cell),
        [from] = this.value(cell);
      const square = s(
        "g",
        {},
        box(x, y, cellWidth, high, cellLooks[from % cellLooks.length]),
        label(x + cellWidth / 2, y + high / 2 + 3.5, this.text(cell), "tiny middle"),
      );
      this.squares.push(square);
      marks.push(square);
    }
    this.frames = s("path", { class: "cursor", "stroke-width": 1.6, d: "" });
    this.cursor = s("path", { class: "cursor", d: "" });
    if (this.at >= 0) this.highlight(this.at);
    return s(
      "svg",
      {
        width: Math.max(width, perLine ? perLine * cellWidth : 0),
        height: height + 2,
        viewBox: `-2 -1 ${width} ${height + 2}`,
        "aria-hidden": "true",
      },
      marks,
      this.frames,
      this.cursor,
    );
  }

  choose(view, button) {
    this.view = view;
    for (const other of this.choices.querySelectorAll("button"))
      other.setAttribute("aria-pressed", String(other === button));
    this.canvas.replaceChildren(this.draw(Math.max(320, this.canvas.clientWidth)));
    if (this.at >= 0) this.select(this.at);
  }

  // Cells that share a group with one: of the kind that is shown, or a pipeline for its stages.
  fellows(cell) {
    const view = this.view.kind && { kind: this.view.kind, key: "group" };
    const [from, to] = this.value(cell, view || this.view);
    return [...Array(this.cells()).keys()].filter((other) => {
      const [low, high] = this.value(other, view || this.view);
      return low <= to && high >= from;
    });
  }
  outline(cell) {
    const [x, y] = this.place(cell),
      { cellWidth } = this.grid,
      high = this.single ? 18 : 20;
    return `M${x},${y}h${cellWidth}v${high}h${-cellWidth}z`;
  }
  highlight(cell) {
    const fellows = new Set(this.fellows(cell));
    this.squares.forEach((square, i) => square.setAttribute("class", fellows.has(i) ? "" : "dim"));
    this.frames.setAttribute("d", [...fellows].map((other) => this.outline(other)).join(""));
    this.cursor.setAttribute("d", this.outline(cell));
  }

  select(cell) {
    if (!this.grid || cell < 0 || cell >= this.cells()) return;
    this.at = cell;
    this.highlight(cell);
    const { run, world } = this.ranks,
      first = cell * run,
      last = Math.min(first + run, world) - 1;
    const who = this.single ? `Rank ${first} on node ${this.node(cell)}` : `Node ${cell}, ranks ${first} to ${last}`;
    const groups = this.ranks.kinds.map((kind) => {
      const [group, groupEnd] = this.value(cell, { kind, key: "group" }),
        [member, memberEnd] = this.value(cell, { kind, key: "member" });
      const range = (from, to) => (from === to ? from : `${from} to ${to}`);
      return `${kind.title} member ${range(member, memberEnd)} of ${kind.size} in group ${range(group, groupEnd)}`;
    });
    const fellows = this.fellows(cell),
      shown = fellows.slice(0, 16).join(", ") + (fellows.length > 16 ? ", …" : "");
    this.readout.textContent =
      `${who}${groups.length ? `: ${groups.join("; ")}` : ""}.` +
      (this.view.kind ? ` Its ${this.view.kind.title} group: ${this.single ? "ranks" : "nodes"} ${shown}.` : "");
  }

  point(event) {
    const place = this.canvas.getBoundingClientRect(),
      x = event.clientX - place.left - 2,
      y = event.clientY - place.top - 1;
    const { cellWidth } = this.grid,
      high = this.single ? 18 : 20;
    for (let cell = 0; cell < this.cells(); ++cell) {
      const [left, top] = this.place(cell);
      if (x >= left && x < left + cellWidth && y >= top && y < top + high) {
        if (cell !== this.at) this.select(cell);
        return;
      }
    }
  }

  key(event) {
    const last = this.cells() - 1,
      { columns, perLine } = this.grid;
    const line = this.single ? Math.min(perLine, this.ranks.per_node) : columns;
    const moves = {
      ArrowLeft: this.at - 1,
      ArrowRight: this.at + 1,
      ArrowUp: this.at - line,
      ArrowDown: this.at + line,
      Home: 0,
      End: last,
    };
    if (!(event.key in moves)) return;
    event.preventDefault();
    this.select(Math.min(last, Math.max(0, moves[event.key])));
  }
}

function ranksSection() {
  const ranks = data.ranks;
  if (!ranks) return null;
  const drawn = new RankPicture(ranks),
    shown = ranks.cells * ranks.run;
  const crossing = ranks.kinds.filter((kind) => kind.nodes > 1).map((kind) => kind.title);
  return section(
    "ranks",
    "Ranks and groups",
    [
      bold(count(ranks.world)),
      ` ranks on ${plural(ranks.nodes, "node")} of ${ranks.per_node}, numbered in the order `,
      h("code", {}, ranks.order),
      ". ",
      crossing.length ? `Groups that cross nodes: ${crossing.join(", ")}.` : "No group crosses nodes.",
    ],
    h(
      "figure",
      {},
      h("figcaption", {}, drawn.single ? "Ranks by node" : "Nodes"),
      drawn.choices,
      drawn.frame,
      drawn.readout,
      shown < ranks.world
        ? h("p", { class: "soft" }, `The first ${count(ranks.cells)} of ${count(ranks.nodes)} nodes are drawn.`)
        : null,
      ranks.kinds.length
        ? tableBehind(
            "Groups",
            ["groups", "number", "ranks", "stride", "ranks on a node", "nodes"],
            ranks.kinds.map((kind) => [
              kind.title,
              count(ranks.world / kind.size),
              kind.size,
              kind.stride,
              kind.per_node,
              kind.nodes,
            ]),
          )
        : null,
    ),
  );
}
