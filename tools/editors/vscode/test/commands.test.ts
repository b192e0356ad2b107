import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, test } from "node:test";
import * as vscode from "vscode";
import { register } from "../src/commands";
import { recorded } from "./recorded";

const editor = recorded;
const folder = mkdtempSync(join(tmpdir(), "parlance-test-"));

/** A program that answers with its own arguments, or as the script says. */
function program(name: string, script: string): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}
const echo = program("echo-arguments", 'echo "$@"');
/** Answers as the program does for a file of several jobs; of one of them, with its own arguments. */
const choose = "parlance: error: j.parl has several jobs; choose one with `--job`: a, b or c";
const several = program("several", `case "$*" in *--job*) echo "$@" ;; *) echo '${choose}' >&2; exit 2 ;; esac`);
const use = (path: string) => void (editor.settings.path = path);

const subscriptions: { dispose(): void }[] = [];
register({ subscriptions } as unknown as vscode.ExtensionContext);

function open(path: string, dirty = false): { saved: boolean } {
  const state = { saved: false };
  const document = {
    uri: vscode.Uri.file(path),
    fileName: path,
    languageId: path.endsWith(".parl") ? "parlance" : "json",
    isDirty: dirty,
    save: async () => (state.saved = true),
    lineAt: () => ({ text: "layout main { tp = 8 }" }),
  };
  (vscode.window as { activeTextEditor: unknown }).activeTextEditor = {
    document,
    selection: { active: { line: 2, character: 14 } },
  };
  return state;
}
const call = (name: string) => editor.commands.get(name)!();

/** The report is written by a process of its own: waits until a page shows what is wanted. */
async function eventually(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 200 && !holds(); i++) await new Promise((r) => setTimeout(r, 10));
  assert.ok(holds());
}

beforeEach(() => {
  editor.messages.length = editor.shown.length = editor.picks.length = editor.executed.length = 0;
  editor.pick = editor.folder = undefined;
  delete editor.settings.cluster;
  use(echo);
  open("/job.parl");
});

test("every command of the manifest that needs no server is registered, and no other", () => {
  const manifest = JSON.parse(readFileSync("package.json", "utf8"));
  const declared = manifest.contributes.commands.map((c: { command: string }) => c.command);
  const ofTheServer = ["parlance.restart", "parlance.showLog"];
  assert.deepEqual([...editor.commands.keys()].sort(), declared.filter((c: string) => !ofTheServer.includes(c)).sort());
});

test("a changed file is saved before the program reads it", async () => {
  const state = open("/job.parl", true);
  await call("parlance.showEstimate");
  assert.ok(state.saved);
  assert.equal(editor.shown[0]?.text, "estimate /job.parl --color never\n");
});

test("what is under the cursor is explained", async () => {
  await call("parlance.explainHere");
  assert.equal(editor.shown[0]?.text, "explain /job.parl:3:15\n");
});

test("an estimate that failed says why", async () => {
  use(program("failing", 'echo "parlance: error: j.parl has no job" >&2; exit 2'));
  await call("parlance.showEstimate");
  assert.deepEqual(editor.messages, ["No estimate: error: j.parl has no job"]);
  assert.equal(editor.shown.length, 0);
});

test("without an open file a command says so", async () => {
  (vscode.window as { activeTextEditor: unknown }).activeTextEditor = undefined;
  await call("parlance.showReport");
  assert.deepEqual(editor.messages, ["Open a file of a job first."]);
});

test("another tool's file is not a job, whatever it says", async () => {
  open("/main.py");
  await call("parlance.showEstimate");
  assert.deepEqual(editor.messages, ["Open a file of a job first."]);
});

test("a missing program is an error message, not a crash", async () => {
  use(join(folder, "absent"));
  await call("parlance.explainHere");
  assert.match(editor.messages[0] ?? "", /was not found/);
});

test("launch files: the first one is opened, and nothing happens when the dialog is left", async () => {
  await call("parlance.lowerTo");
  editor.pick = "deepspeed";
  await call("parlance.lowerTo");
  assert.equal(editor.shown.length, 0);
  editor.folder = folder;
  const written = join(folder, "ds_config.json");
  use(program("lowering", `echo "$@" > ${folder}/arguments; echo ${written}`));
  await call("parlance.lowerTo");
  assert.equal(readFileSync(join(folder, "arguments"), "utf8"), `lower /job.parl --to deepspeed -o ${folder}\n`);
  assert.equal((editor.shown[0] as { path: string }).path, written);
  use(program("refusing", "echo 'parlance: error: 2 errors' >&2; exit 1"));
  await call("parlance.lowerTo");
  assert.deepEqual(editor.messages, ["Nothing was written: error: 2 errors"]);
});

test("the report follows the file that it shows", async () => {
  const counter = join(folder, "runs");
  use(program("counting", `echo x >> ${counter}; echo "<p>$2 run $(wc -l < ${counter})</p>"`));
  await call("parlance.showReport");
  const panel = editor.panels[0]!;
  assert.equal(panel.title, "Report: job.parl");
  assert.match(panel.webview.html, /job\.parl run 1/);
  editor.saved.fire({ fileName: "/other.parl" });
  editor.saved.fire({ fileName: "/job.parl" });
  await eventually(() => /run 2/.test(panel.webview.html));
  await call("parlance.showReport");
  assert.equal(editor.panels.length, 1);
  panel.dispose();
  assert.ok(existsSync(counter));
  await call("parlance.showReport");
  assert.equal(editor.panels.length, 2);
});

test("a file without a report keeps the last page", async () => {
  const panel = editor.panels.at(-1)!;
  const before = panel.webview.html;
  use(program("broken", "echo 'job.parl:1:1: error: no' >&2; exit 1"));
  await call("parlance.showReport");
  assert.equal(panel.webview.html, before);
  assert.deepEqual(editor.messages, ["No report: job.parl:1:1: error: no"]);
});

test("a report that cannot be refreshed says why", async () => {
  await call("parlance.showReport");
  use(join(folder, "absent"));
  editor.saved.fire({ fileName: "/job.parl" });
  await eventually(() => editor.messages.length > 0);
  assert.match(editor.messages[0] ?? "", /was not found/);
});

test("a page that is overtaken by the next one is dropped", async () => {
  await call("parlance.showReport");
  use(program("slow", "sleep 0.3; echo old"));
  editor.saved.fire({ fileName: "/job.parl" });
  use(program("fast", "echo new"));
  editor.saved.fire({ fileName: "/job.parl" });
  await new Promise((r) => setTimeout(r, 500));
  assert.equal(editor.panels.at(-1)!.webview.html, "new\n");
});

test("of several jobs one is chosen, or nothing happens", async () => {
  use(several);
  await call("parlance.showEstimate");
  assert.deepEqual(editor.picks, [["a", "b", "c"]]);
  assert.deepEqual([editor.messages, editor.shown], [[], []]);
  editor.pick = "b";
  await call("parlance.showEstimate");
  assert.equal(editor.shown[0]?.text, "estimate /job.parl --job b --color never\n");
});

test("the report stays with the job that was chosen", async () => {
  use(several);
  editor.pick = "c";
  await call("parlance.showReport");
  const panel = editor.panels.at(-1)!;
  assert.equal(panel.title, "Report: job.parl c");
  panel.webview.html = "";
  editor.saved.fire({ fileName: "/job.parl" });
  await eventually(() => panel.webview.html === "report /job.parl --job c -o -\n");
  assert.equal(editor.picks.length, 1);
});

test("launch files are written of the job that was chosen", async () => {
  use(several);
  editor.folder = folder;
  editor.pick = (items) => (items.includes("a") ? "a" : "megatron");
  await call("parlance.lowerTo");
  assert.equal(editor.shown[0]?.path, `lower /job.parl --job a --to megatron -o ${folder}`);
});

test("a framework's own file runs on the cluster of the settings, and the server explains it", async () => {
  editor.settings.cluster = "h100_sxm*8*2@infiniband_ndr";
  await call("parlance.showEstimate");
  assert.equal(editor.shown[0]?.text, "estimate /job.parl --color never\n");
  open("/ds_config.json");
  await call("parlance.showEstimate");
  assert.equal(editor.shown[1]?.text, "estimate /ds_config.json --cluster h100_sxm*8*2@infiniband_ndr --color never\n");
  await call("parlance.explainHere");
  assert.deepEqual(editor.executed, [["parlance.explain", "file:/ds_config.json", { line: 2, character: 14 }]]);
  editor.settings.foreignFiles = false;
  await call("parlance.explainHere");
  delete editor.settings.foreignFiles;
  assert.match(editor.messages[0] ?? "", /foreignFiles/);
});
