// The page put together.

const root = document.documentElement;
const dark = () =>
  root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;

function themeButton() {
  const button = h("button", { type: "button" });
  const show = () => {
    button.textContent = dark() ? "Light colours" : "Dark colours";
  };
  button.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    show();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  show();
  return button;
}

// Beside an editor the page has the editor's colours.
const editor = document.body.dataset.vscodeThemeKind;
if (editor) root.dataset.theme = editor.includes("light") ? "light" : "dark";

const parts = [
  diagnosticsSection(),
  memorySection(),
  stepSection(),
  timelineSection(),
  overlapSection(),
  rooflineSection(),
  ranksSection(),
  assumptionsSection(),
];
const { machine } = data,
  { layout } = estimate;
const where = [
  estimate.model !== "model" && estimate.model, // a configuration without a name
  machine.device &&
    `${plural(layout.nodes, "node")} of ${count(machine.gpus_per_node)} ${machine.device}${machine.network ? ` with ${machine.network}` : ""}`,
  layout.world && plural(layout.world, "GPU"),
  estimate.framework,
]
  .filter(Boolean)
  .join(", ");
document.title = `${estimate.job}: Parlance report`;
document.body.prepend(hatchDefinitions());
document.getElementById("top").append(
  h(
    "div",
    { class: "head" },
    h("div", {}, h("h1", {}, estimate.job), h("p", { class: "machine" }, where), h("p", { class: "mono" }, data.file)),
    themeButton(),
  ),
  h(
    "nav",
    { "aria-label": "Sections" },
    h(
      "ul",
      {},
      sections.map(({ id, title }) => h("li", {}, h("a", { href: `#${id}` }, title))),
    ),
  ),
);
const main = document.getElementById("main");
main.append(...[tiles(), facts(), ...parts].filter(Boolean));
document
  .getElementById("end")
  .append(
    `Made by parlance ${data.parlance} from ${data.file}. Every number is an estimate of its formulas; none is computed on this page.`,
  );
