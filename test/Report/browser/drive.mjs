// Opens reports in headless Chromium as their readers do: light and dark, wide and narrow, by keyboard.
//   node drive.mjs PARLANCE FOLDER FILE...
// Reports and pictures of them go into FOLDER, to be looked at. The first file is seen in all views. A file that
// ends in .html is a report already.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [parlance, folder, ...files] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf-8");
const sizes = { wide: { width: 1280, height: 900 }, narrow: { width: 390, height: 844 } };
const problems = [];
const expect = (holds, what) => holds || problems.push(what);

// Writes a report; returns its address.
function make(file) {
  if (file.endsWith(".html")) return path.resolve(file);
  const page = path.join(folder, `${path.basename(file, path.extname(file))}.html`);
  const { status, stderr } = spawnSync(parlance, ["report", file, "-o", page], { encoding: "utf-8" });
  expect(status === 0 || status === 1, `${file}: exit ${status}: ${stderr}`);
  return page;
}

async function open(browser, page, size, colorScheme) {
  const context = await browser.newContext({ viewport: sizes[size], colorScheme, reducedMotion: "reduce" });
  const tab = await context.newPage(),
    name = `${path.basename(page, ".html")}-${size}-${colorScheme}`;
  tab.on("console", (message) =>
    expect(!["error", "warning"].includes(message.type()), `${name}: console: ${message.text()}`),
  );
  tab.on("pageerror", (error) => problems.push(`${name}: ${error}`));
  const address = pathToFileURL(page).href;
  tab.on("request", (request) => expect(request.url() === address, `${name}: loads ${request.url()}`));
  await tab.goto(address);
  await tab.waitForFunction(() =>
    [...document.querySelectorAll(".canvas")].every((canvas) => canvas.querySelector("svg")),
  );
  return { tab, name, close: () => context.close() };
}

async function checkPage({ tab, name }) {
  await tab.evaluate(axe);
  // Closed parts are looked at too.
  await tab.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
  const { violations } = await tab.evaluate(() => globalThis.axe.run());
  for (const violation of violations)
    problems.push(
      `${name}: axe: ${violation.id}: ${violation.help}: ${violation.nodes
        .slice(0, 3)
        .map((node) => node.html.slice(0, 160))
        .join(" | ")}`,
    );
  await tab.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = false)));
  const overflow = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow <= 0, `${name}: the page is ${overflow} px too wide`);
  const drawn = await tab.evaluate(
    () =>
      [...document.querySelectorAll("svg *")].filter((mark) =>
        [...mark.attributes].some((attribute) => /NaN|undefined|Infinity/.test(attribute.value)),
      ).length,
  );
  expect(drawn === 0, `${name}: ${drawn} marks without a place`);
  const words = await tab.evaluate(() => document.body.innerText.match(/.{0,30}(NaN|undefined|\[object).{0,30}/)?.[0]);
  expect(!words, `${name}: says "${words}"`);
}

// Text of a picture must stay inside it.
async function checkTexts({ tab, name }) {
  const outside = await tab.evaluate(() =>
    [...document.querySelectorAll(".canvas svg text")]
      .filter((text) => {
        const box = text.getBoundingClientRect(),
          frame = text.ownerSVGElement.getBoundingClientRect();
        return (
          box.width > 0 &&
          (box.left < frame.left - 1.5 ||
            box.right > frame.right + 1.5 ||
            box.top < frame.top - 2 ||
            box.bottom > frame.bottom + 2)
        );
      })
      .map((text) => text.textContent),
  );
  expect(!outside.length, `${name}: cut off: ${outside.slice(0, 5).join(", ")}`);
}

// Everything that can be used is reached with Tab, shows its focus, and answers to keys.
async function walk({ tab, name }) {
  const stops = await tab.evaluate(
    () =>
      [...document.querySelectorAll("a[href], button, summary, [tabindex='0']")].filter((element) =>
        element.checkVisibility(),
      ).length,
  );
  const seen = [];
  for (let i = 0; i < stops; ++i) {
    await tab.keyboard.press("Tab");
    seen.push(
      await tab.evaluate(() => {
        const element = document.activeElement,
          style = getComputedStyle(element);
        return {
          what: element.getAttribute("aria-label") || element.textContent.slice(0, 40),
          frame: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
        };
      }),
    );
  }
  expect(seen[0].what === "Skip to the report", `${name}: Tab begins at ${seen[0].what}`);
  for (const stop of seen) expect(stop.frame, `${name}: no focus shown on ${stop.what}`);
  expect(new Set(seen.map((stop) => stop.what)).size > 5, `${name}: Tab reaches ${seen.length} things only`);
  for (const kind of ["timeline", "grid of ranks"]) {
    const place = tab.locator(`[aria-roledescription="${kind}"]`);
    if (!(await place.count())) continue;
    const readout = () => place.evaluate((element) => element.parentElement.querySelector(".readout").textContent);
    await place.focus();
    const said = [await readout()];
    for (const key of ["ArrowRight", "ArrowRight", "End", "ArrowDown", "ArrowUp", "Home"]) {
      await tab.keyboard.press(key);
      said.push(await readout());
    }
    expect(said[0] === said.at(-1), `${name}: ${kind}: Home does not lead back: ${said.at(-1)}`);
    expect(
      new Set(said).size >= 4 || said[0] === said[3],
      `${name}: ${kind}: keys change nothing: ${said.join(" / ")}`,
    );
  }
  const summary = tab.locator("section summary").first();
  if (await summary.count()) {
    await summary.focus();
    await tab.keyboard.press("Enter");
    expect(await summary.evaluate((element) => element.parentElement.open), `${name}: Enter does not unfold`);
    await tab.keyboard.press("Enter");
  }
  const before = await tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await tab.locator("header button").focus();
  await tab.keyboard.press("Space");
  expect(
    before !== (await tab.evaluate(() => getComputedStyle(document.body).backgroundColor)),
    `${name}: the colours do not change`,
  );
}

// The tile of the step is predicted: an MFU that was measured says so.
async function checkMeasured({ tab, name }) {
  const tiles = await tab.evaluate(() => document.querySelector("dl.tiles")?.textContent ?? "");
  expect(/Measured MFU/.test(tiles) === name.startsWith("measured-"), `${name}: which MFU: ${tiles}`);
}

async function shoot({ tab, name }) {
  await tab.evaluate(() => scrollTo(0, 0));
  await tab.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
}

// The two pictures of docs/report.md, to be copied to docs/images when the page looks different.
async function shootForDocs({ tab }, size, scheme) {
  if (size !== "wide") return;
  if (scheme === "light")
    await tab.screenshot({
      path: path.join(folder, "report.png"),
      clip: { x: 50, y: 0, width: 1180, height: 716 },
      fullPage: true,
    });
  else await tab.locator("#timeline").screenshot({ path: path.join(folder, "report-timeline.png") });
}

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: execFileSync("which", ["chromium"], { encoding: "utf-8" }).trim(),
  args: ["--no-sandbox"],
});
for (const [index, file] of files.entries()) {
  const page = make(file);
  for (const size of Object.keys(sizes))
    for (const scheme of ["light", "dark"]) {
      if (index > 0 && (size === "wide") !== (scheme === "light")) continue; // two views of four show the rest
      const opened = await open(browser, page, size, scheme);
      await checkPage(opened);
      await checkTexts(opened);
      await checkMeasured(opened);
      await shoot(opened);
      if (index === 0) await shootForDocs(opened, size, scheme);
      if (index === 0 || size === "wide") await walk(opened);
      await opened.close();
      console.log(`${opened.name}: looked at`);
    }
}
await browser.close();
for (const problem of problems) console.log(problem);
console.log(`${problems.length} problems`);
process.exit(problems.length ? 1 : 0);
