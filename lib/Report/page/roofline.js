// The matrix products of a rank under the roofline of its device.

const passShapes = {
  forward: (x, y, r) => s("circle", { cx: x, cy: y, r }),
  input_gradient: (x, y, r) => s("path", { d: `M${x},${y - r * 1.2} l${r * 1.15},${r * 2.05} h${-2.3 * r} z` }),
  weight_gradient: (x, y, r) => s("rect", { x: x - r * 0.92, y: y - r * 0.92, width: r * 1.84, height: r * 1.84 }),
};
const passTitles = {
  forward: "forward",
  input_gradient: "gradient of the input",
  weight_gradient: "gradient of the weights",
};

function pointMark(product, x, y, layers) {
  const mark = passShapes[product.pass](x, y, 5);
  mark.setAttribute("class", `c${layers.indexOf(product.layer) % 8}`);
  mark.setAttribute("stroke", "var(--edge)");
  return mark;
}

// Labels in the order of their points' height, each at least a line below the one above.
function spread(wanted, height, least, most) {
  const placed = wanted.map((entry) => ({ ...entry })).sort((a, b) => a.y - b.y);
  let free = least;
  for (const entry of placed) free = (entry.to = Math.max(entry.y, free)) + height;
  const excess = free - height - most;
  if (excess > 0)
    for (let i = placed.length - 1, limit = most; i >= 0; --i, limit -= height)
      placed[i].to = Math.min(placed[i].to, limit);
  return placed;
}

function rooflinePicture(roof) {
  const products = roof.products,
    layers = [...new Set(products.map((p) => p.layer))];
  return canvas((width) => {
    const height = 330,
      left = 50,
      narrow = width < 560,
      right = narrow ? 112 : 150,
      top = 16,
      bottom = height - 40;
    const xs = products.map((p) => p.intensity),
      ys = products.map((p) => p.rate);
    const span = [Math.min(...xs, roof.ridge) / 3, Math.max(...xs, roof.ridge) * 3];
    const rates = [Math.min(...ys, span[0] * roof.bandwidth) / 1.2, roof.peak * 1.6];
    const log = (value, [from, to]) => Math.log(value / from) / Math.log(to / from);
    const x = (value) => left + log(value, span) * (width - left - right);
    const y = (value) => bottom - log(value, rates) * (bottom - top);
    const marks = [];
    const decades = ([from, to]) => {
      const steps = to / from < 20 ? [1, 2, 3, 4, 5, 7] : to / from < 2000 ? [1, 2, 5] : [1];
      return [-3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7]
        .flatMap((d) => steps.map((m) => m * 10 ** d))
        .filter((v) => v >= from && v <= to);
    };
    let taken = -Infinity;
    for (const v of decades(span)) {
      marks.push(s("path", { class: "grid", d: `M${x(v)},${top} V${bottom}` }));
      if (x(v) - taken > 40) marks.push(label((taken = x(v)), bottom + 15, digits(v), "soft small middle"));
    }
    for (const v of decades(rates.map((r) => r / 1e12))) {
      marks.push(s("path", { class: "grid", d: `M${left},${y(v * 1e12)} H${width - right}` }));
      if (y(v * 1e12) > top + 6) marks.push(label(left - 6, y(v * 1e12) + 4, digits(v), "soft small end"));
    }
    marks.push(
      label(
        (left + width - right) / 2,
        height - 6,
        "operations per byte of memory traffic, FLOP/B",
        "soft small middle",
      ),
    );
    marks.push(label(0, top - 5, "TFLOP/s", "soft small"));
    marks.push(label(width - right + 14, top - 5, narrow ? "forward" : "forward, TFLOP/s", "soft small"));
    const start = Math.max(span[0], rates[0] / roof.bandwidth);
    marks.push(
      s("path", {
        class: "roof",
        d: `M${x(start)},${y(start * roof.bandwidth)} L${x(roof.ridge)},${y(roof.peak)} H${width - right}`,
      }),
    );
    marks.push(
      label(width - right - 4, y(roof.peak) - 7, `peak ${teraflops(roof.peak)} TFLOP/s`, "small end strong halo"),
    );
    marks.push(
      s("path", { class: "axis", "stroke-dasharray": "3 4", d: `M${x(roof.ridge)},${y(roof.peak)} V${bottom}` }),
    );
    marks.push(label(x(roof.ridge) + 5, bottom - 7, `ridge ${digits(roof.ridge)} FLOP/B`, "small soft halo"));
    marks.push(
      label(x(start) + 8, y(start * roof.bandwidth) + 4, `memory ${transfer(roof.bandwidth)}/s`, "small strong halo"),
    );
    for (const p of [...products].reverse()) marks.push(pointMark(p, x(p.intensity), y(p.rate), layers));
    const named = products.filter((p) => p.pass === "forward").map((p) => ({ p, y: y(p.rate), x: x(p.intensity) }));
    for (const { p, y: from, x: at, to } of spread(named, 15, top + 8, bottom)) {
      const end = width - right + 14;
      marks.push(s("path", { class: "lead", d: `M${at + 6},${from} L${end - 10},${to} H${end - 3}` }));
      marks.push(label(end, to + 4, narrow ? words(p.layer) : `${words(p.layer)} ${teraflops(p.rate)}`, "small"));
    }
    return picture(width, height, "Roofline with the job's matrix products, as in the table below.", marks);
  });
}

function rooflineSection() {
  const roof = data.roofline;
  if (!roof || !roof.products.length) return null;
  const bound = roof.products.filter((p) => p.intensity < roof.ridge);
  const best = Math.max(...roof.products.map((p) => p.rate / p.roof)),
    least = roof.products.reduce((a, b) => (b.rate / b.roof < a.rate / a.roof ? b : a));
  const passes = [...new Set(roof.products.map((p) => p.pass))];
  return section(
    "roofline",
    "Matrix products",
    [
      "Products of one micro-batch on one GPU reach up to ",
      bold(percent(best)),
      ` of what the roofline of ${roof.device} allows; `,
      bold(words(least.layer)),
      ` (${passTitles[least.pass]}) reaches least, ${percent(least.rate / least.roof)}. `,
      bound.length
        ? [
            bold(bound.length === roof.products.length ? "All" : `${bound.length} of ${roof.products.length}`),
            " are bound by memory.",
          ]
        : "None is bound by memory.",
    ],
    h(
      "figure",
      {},
      h("figcaption", {}, `Roofline of ${roof.device}`),
      legend(
        passes.map((name) => [
          (x, y, w, hh) => {
            const mark = passShapes[name](x + w / 2, y + hh / 2, 5);
            mark.setAttribute("class", "c0");
            mark.setAttribute("stroke", "var(--edge)");
            return mark;
          },
          passTitles[name],
        ]),
      ),
      rooflinePicture(roof),
      tableBehind(
        "Matrix products of one micro-batch on one GPU",
        ["layer", "pass", "type", "groups", "rows", "columns", "inner", "FLOP/B", "time", "TFLOP/s", "of the roof"],
        roof.products.map((p) => [
          words(p.layer),
          passTitles[p.pass],
          p.type,
          digits(p.groups, 4),
          digits(p.rows, 6),
          digits(p.columns, 6),
          digits(p.inner, 6),
          digits(p.intensity),
          seconds(p.time),
          teraflops(p.rate),
          percent(p.rate / p.roof),
        ]),
        3,
      ),
    ),
    why("products"),
  );
}
