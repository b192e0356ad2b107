// Memory by stage and part against the capacity.

const memoryParts = [
  ["weights", { fill: "c0", hatch: "solid" }],
  ["gradients", { fill: "c5", hatch: "rising" }],
  ["optimizer", { fill: "c3", hatch: "dots" }],
  ["activations", { fill: "c1", hatch: "lines" }],
  ["logits", { fill: "c4", hatch: "cross" }],
  ["buffers", { fill: "c2", hatch: "posts" }],
  ["overhead", { fill: "c7", hatch: "falling" }],
];

// Both ends of a long pipeline, where stages differ, and the fullest stage.
function stagesToDraw(stages, worst, most = 24) {
  if (stages.length <= most) return stages;
  return stages.filter((_, i) => i < most / 2 || i >= stages.length - most / 2 || i === worst);
}

function memoryFinding(memory) {
  const free = memory.usable_bytes - memory.peak_bytes;
  const stage = memory.stages.length > 1 ? ` on stage ${memory.worst_stage}` : "";
  if (memory.usable_bytes === undefined)
    return ["A GPU needs ", bold(`${gib(memory.peak_bytes)} GiB`), ` at its peak${stage}.`];
  return [
    "A GPU needs ",
    bold(`${gib(memory.peak_bytes)} of ${gib(memory.usable_bytes)} GiB`),
    ` at its peak${stage}: `,
    free >= 0 ? `${gib(free)} GiB stay free.` : bold(`${gib(-free)} GiB too much.`, "bad"),
  ];
}

function memorySection() {
  const memory = estimate.memory;
  if (!memory) return section("memory", "Memory", `Not known: ${data.memory_missing}.`);
  const used = memoryParts.filter(([name]) => memory.stages.some((stage) => stage[name] > 0));
  const shown = stagesToDraw(memory.stages, memory.worst_stage);
  const limit = memory.usable_bytes && { value: memory.usable_bytes, text: `${gib(memory.usable_bytes)} GiB usable` };
  const rows = shown.map((stage) => {
    const sum = memoryParts.reduce((bytes, [name]) => bytes + (stage[name] || 0), 0);
    return {
      name: memory.stages.length > 1 ? `stage ${stage.stage}` : "each GPU",
      strong: memory.stages.length > 1 && stage.stage === memory.worst_stage,
      parts: used.map(([name, look]) => ({ look, value: stage[name] || 0, text: gib(stage[name] || 0) })),
      end: `${gib(stage.peak)} GiB`,
      bad: memory.usable_bytes !== undefined && stage.peak > memory.usable_bytes,
      mark: Math.abs(sum - stage.peak) > 0.01 * sum ? stage.peak : undefined,
    };
  });
  const left = memory.stages.length - shown.length;
  const marked = rows.some((row) => row.mark !== undefined);
  const bars = { scale: 2 ** 30, format: (bytes) => digits(bytes / 2 ** 30), unit: "GiB", left: 128 };
  const phases = memory.phases.filter((phase) => phase.bytes !== undefined);
  return section(
    "memory",
    "Memory",
    memoryFinding(memory),
    h(
      "figure",
      {},
      h("figcaption", {}, "Peak of a GPU by part"),
      legend(used.map(([name, look]) => [swatch(look), name])),
      stackedBars(rows, { ...bars, limit, name: "Memory of each pipeline stage by part, as in the table below." }),
      (left > 0 || marked) &&
        h(
          "p",
          { class: "soft" },
          left > 0 ? `${plural(left, "stage")} in between are left out here and stand in the table. ` : "",
          marked ? "The upright mark is the peak: the parts are not all there at once." : "",
        ),
      tableBehind(
        "Bytes of a GPU in GiB, by pipeline stage",
        ["stage", "layers", ...used.map(([name]) => name), "peak", "in", "micro-batches in flight"],
        memory.stages.map((stage) => [
          stage.stage,
          digits(stage.layers, 4),
          ...used.map(([name]) => gib(stage[name] || 0)),
          gib(stage.peak),
          words(stage.peak_phase || ""),
          stage.in_flight === undefined ? "" : digits(stage.in_flight),
        ]),
      ),
    ),
    h(
      "figure",
      {},
      h("figcaption", {}, `Over a step${memory.stages.length > 1 ? `, on stage ${memory.worst_stage}` : ""}`),
      stackedBars(
        phases.map((phase) => ({
          name: words(phase.phase),
          parts: [{ look: { fill: "c7", hatch: "solid" }, value: phase.bytes }],
          end: `${gib(phase.bytes)} GiB`,
          strong: phase.bytes === memory.peak_bytes,
          bad: memory.usable_bytes !== undefined && phase.bytes > memory.usable_bytes,
        })),
        { ...bars, limit, name: phases.map((phase) => `${words(phase.phase)} ${gib(phase.bytes)} GiB`).join(", ") },
      ),
    ),
    why("memory"),
  );
}
