// What communication hides behind compute.

const computeLook = { fill: "c0", hatch: "solid" },
  commLook = { fill: "c1", hatch: "lines" },
  exposedLook = { fill: "wait", hatch: "cross" };

function ranksOf(kind) {
  if (!kind.group) return "";
  const where = kind.group.nodes === 1 ? "in one node" : `on ${kind.group.nodes} nodes`;
  return `${count(kind.group.size)} GPUs ${where}${kind.link ? `, ${kind.link}` : ""}`;
}

// The window in which each kind competes with compute: both as bars from the same start.
function overlapWindows(kinds) {
  return canvas((width) => {
    const left = 132,
      right = width < 560 ? 128 : 200,
      rowHeight = 58,
      inner = width - left - right,
      marks = [];
    kinds.forEach(([name, kind], i) => {
      const y = i * rowHeight + 6,
        most = Math.max(kind.comm, kind.compute),
        hidden = Math.min(kind.comm, kind.compute);
      const x = (value) => left + (value / most) * inner;
      marks.push(label(0, y + 14, data.titles[name], "strong"));
      marks.push(label(0, y + 31, `ratio ${digits(kind.ratio)}`, kind.ratio > 1 ? "bad strong" : "soft"));
      marks.push(box(left, y + 2, x(kind.compute) - left, 17, computeLook));
      marks.push(box(left, y + 22, x(hidden) - left, 17, commLook));
      if (kind.comm > hidden) marks.push(box(x(hidden), y + 22, x(kind.comm) - x(hidden), 17, exposedLook));
      marks.push(label(left + inner + 10, y + 15, `${width < 560 ? "" : "compute "}${seconds(kind.compute)}`));
      marks.push(label(left + inner + 10, y + 35, `${width < 560 ? "" : "communication "}${seconds(kind.comm)}`));
      if (i) marks.push(s("path", { class: "grid", d: `M0,${y - 4} H${width}` }));
    });
    return picture(
      width,
      kinds.length * rowHeight,
      "Compute and communication of each window, as in the table below.",
      marks,
    );
  });
}

function overlapSection() {
  const kinds = Object.entries(estimate.overlap);
  if (!kinds.length)
    return section(
      "overlap",
      "Communication",
      estimate.time ? "Nothing is sent between GPUs." : "Not known without the GPUs and the shape of the model.",
    );
  const { time } = estimate,
    exposed = kinds.filter(([, kind]) => kind.exposed > 0);
  const [, unit] = withPrefix(Math.max(...kinds.map(([, kind]) => kind.hidden + kind.exposed)), timePrefixes);
  const factor = timePrefixes.find(([, name]) => name === unit)[0];
  const worst = exposed.reduce((best, entry) => (!best || entry[1].exposed > best[1].exposed ? entry : best), null);
  return section(
    "overlap",
    "Communication",
    worst && time
      ? [
          "Compute waits ",
          bold(seconds(time.exposed_comm)),
          ` of a step (${percent(time.exposed_comm / time.step)}) for communication, most of it for `,
          bold(data.titles[worst[0]]),
          ".",
        ]
      : "All of it hides behind compute.",
    h(
      "figure",
      {},
      h("figcaption", {}, "Can it hide? Communication against the compute of the same window"),
      legend([
        [swatch(computeLook), "compute"],
        [swatch(commLook), "communication"],
        [swatch(exposedLook), "longer than the compute"],
      ]),
      overlapWindows(kinds),
    ),
    h(
      "figure",
      {},
      h("figcaption", {}, "Does it hide? Communication of a whole step"),
      legend([
        [swatch(commLook), "beside compute"],
        [swatch(exposedLook), "exposed: compute waits"],
      ]),
      stackedBars(
        kinds.map(([name, kind]) => ({
          name: data.titles[name],
          parts: [
            { look: commLook, value: kind.hidden },
            { look: exposedLook, value: kind.exposed },
          ],
          end: kind.exposed > 0 ? `exposed ${seconds(kind.exposed)}` : "hidden",
        })),
        {
          scale: factor,
          format: (value) => digits(value / factor),
          unit,
          name: "Hidden and exposed communication of a step, as in the table below.",
        },
      ),
      tableBehind(
        "Communication by kind of parallelism",
        [
          "kind",
          "ranks",
          "sent in the window",
          "bandwidth",
          "communication",
          "compute",
          "ratio",
          "hidden per step",
          "exposed per step",
        ],
        kinds.map(([name, kind]) => [
          data.titles[name],
          ranksOf(kind),
          transfer(kind.bytes),
          `${transfer(kind.bandwidth)}/s`,
          seconds(kind.comm),
          seconds(kind.compute),
          digits(kind.ratio),
          seconds(kind.hidden),
          seconds(kind.exposed),
        ]),
        2,
      ),
    ),
    why("overlap"),
  );
}
