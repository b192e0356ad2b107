import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, test } from "node:test";
import * as vscode from "vscode";
import { register } from "../src/commands";

interface Recorded {
  saved: { fire(document: unknown): void };
  messages: string[];
  panels: { title: string; webview: { html: string }; dispose(): void }[];
  shown: { uri?: { path: string }; text?: string; path?: string }[];
  commands: Map<string, () => Promise<void>>;
  pick?: string;
  folder?: string;
}
const editor = (vscode as unknown as { test: Recorded }).test;
const folder = mkdtempSync(join(tmpdir(), "parlance-test-"));

/** A program that answers with its own arguments, or as the script says. */
function program(name: string, script: string): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}
const echo = program("echo-arguments", 'echo "$@"');
let current = echo;

const subscriptions: { dispose(): void }[] = [];
register({ subscriptions } as unknown as vscode.ExtensionContext, () => current);

function open(path: string, dirty = false): { saved: boolean } {
  const state = { saved: false };
  const document = {
    uri: vscode.Uri.file(path),
    fileName: path,
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
  editor.messages.length = editor.shown.length = 0;
  current = echo;
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
  current = program("failing", 'echo "parlance: error: j.parl has no job" >&2; exit 2');
  await call("parlance.showEstimate");
  assert.deepEqual(editor.messages, ["No estimate: error: j.parl has no job"]);
  assert.equal(editor.shown.length, 0);
});

test("without an open file a command says so", async () => {
  (vscode.window as { activeTextEditor: unknown }).activeTextEditor = undefined;
  await call("parlance.showReport");
  assert.deepEqual(editor.messages, ["Open a file of a job first."]);
});

test("a missing program is an error message, not a crash", async () => {
  current = join(folder, "absent");
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
  current = program("lowering", `echo "$@" > ${folder}/arguments; echo ${written}`);
  await call("parlance.lowerTo");
  assert.equal(readFileSync(join(folder, "arguments"), "utf8"), `lower /job.parl --to deepspeed -o ${folder}\n`);
  assert.equal((editor.shown[0] as { path: string }).path, written);
  current = program("refusing", "echo 'parlance: error: 2 errors' >&2; exit 1");
  await call("parlance.lowerTo");
  assert.deepEqual(editor.messages, ["Nothing was written: error: 2 errors"]);
});

test("the report follows the file that it shows", async () => {
  const counter = join(folder, "runs");
  current = program("counting", `echo x >> ${counter}; echo "<p>$2 run $(wc -l < ${counter})</p>"`);
  await call("parlance.showReport");
  const panel = editor.panels[0]!;
  assert.equal(panel.title, "Report: job.parl");
  assert.match(panel.webview.html, /job\.parl run 1/);
  editor.saved.fire({ uri: vscode.Uri.file("/other.parl") });
  editor.saved.fire({ uri: vscode.Uri.file("/job.parl") });
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
  current = program("broken", "echo 'job.parl:1:1: error: no' >&2; exit 1");
  await call("parlance.showReport");
  assert.equal(panel.webview.html, before);
  assert.deepEqual(editor.messages, ["No report: job.parl:1:1: error: no"]);
});
