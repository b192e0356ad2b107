import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import * as vscode from "vscode";
import { activate, deactivate } from "../src/extension";
import { recorded as editor } from "./recorded";

const folder = mkdtempSync(join(tmpdir(), "parlance-test-"));
const good = join(folder, "parlance");
writeFileSync(good, "#!/bin/sh\necho parlance 1.2.3\n");
chmodSync(good, 0o755);

const document = (path: string, languageId: string) => ({ uri: vscode.Uri.file(path), languageId });
const json = document("/w/ds_config.json", "json");
const job = document("/w/job.parl", "parlance");
const documents = vscode.workspace.textDocuments as unknown[];

let context: { subscriptions: { dispose(): void }[]; extension: unknown };
async function start(...open: unknown[]): Promise<void> {
  documents.splice(0, documents.length, ...open);
  context = { subscriptions: [], extension: { packageJSON: { version: "1.2.0" } } };
  await activate(context as unknown as vscode.ExtensionContext);
}

async function eventually(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 200 && !holds(); i++) await new Promise((r) => setTimeout(r, 10));
  assert.ok(holds());
}
const running = () => editor.clients.filter((c) => c.state === "running").length;
const configure = (name: string, value: unknown) => {
  editor.settings[name] = value;
  editor.configured.fire({ affectsConfiguration: (n: string) => n === `parlance.${name}` });
};

beforeEach(() => {
  for (const list of [editor.clients, editor.messages, editor.log, editor.files]) list.length = 0;
  for (const name of Object.keys(editor.settings)) delete editor.settings[name];
  editor.settings.path = good;
  editor.answer = editor.starting = undefined;
  (vscode.window as { activeTextEditor: unknown }).activeTextEditor = undefined;
});

afterEach(async () => {
  await deactivate();
  for (const part of context.subscriptions) part.dispose();
});

test("the server starts with the first document that it is for", async () => {
  await start(document("/w/main.py", "python"));
  assert.equal(editor.clients.length, 0);
  documents.push(document("/w/train.toml", "plaintext"));
  editor.opened.fire(documents.at(-1));
  await eventually(() => running() === 1);
  assert.deepEqual(editor.clients[0]?.server, { command: good, args: ["lsp"] });
  documents.push(job);
  editor.opened.fire(job);
  await deactivate();
  assert.equal(editor.clients.length, 1);
});

test("a workspace with files of ours has its server before one is open", async () => {
  editor.files.push("/w/job.parl");
  await start();
  assert.equal(running(), 1);
});

test("foreign files start nothing where the setting leaves them alone", async () => {
  editor.settings.foreignFiles = false;
  await start(json);
  assert.equal(editor.clients.length, 0);
  configure("foreignFiles", true);
  await eventually(() => running() === 1);
});

test("a program that is missing is a message for our files, and a line of the log for others", async () => {
  editor.settings.path = join(folder, "absent");
  await start(json);
  assert.deepEqual(editor.messages, []);
  assert.match(editor.log[0] ?? "", /was not found/);
  documents.push(job);
  editor.opened.fire(job);
  editor.opened.fire(job);
  await eventually(() => editor.log.length === 3);
  assert.equal(editor.messages.length, 1);
  configure("path", good);
  await eventually(() => running() === 1);
});

test("a program that is too old is not started", async () => {
  const old = join(folder, "old");
  writeFileSync(old, "#!/bin/sh\necho parlance 1.1.9\n");
  chmodSync(old, 0o755);
  editor.settings.path = old;
  await start(job);
  assert.equal(editor.clients.length, 0);
  assert.match(editor.messages[0] ?? "", /version 1\.1\.9, and the extension needs 1\.2\.0/);
});

test("restarts follow each other and leave one server", async () => {
  await start(job);
  const slow = () => new Promise<void>((r) => setTimeout(r, 20));
  editor.starting = slow;
  configure("cluster", "h100_sxm*8*2@infiniband_ndr");
  await editor.commands.get("parlance.restart")!();
  assert.deepEqual(editor.clients.map((c) => c.state), ["disposed", "disposed", "running"]);
  assert.deepEqual(editor.clients[2]?.options.initializationOptions, { cluster: "h100_sxm*8*2@infiniband_ndr" });
});

test("a server that does not start is in the log, and a restart tries again", async () => {
  editor.starting = async () => {
    throw new Error("broken pipe");
  };
  await start(job);
  assert.match(editor.log[0] ?? "", /parlance lsp`: broken pipe/);
  editor.starting = undefined;
  await editor.commands.get("parlance.restart")!();
  assert.equal(running(), 1);
});

test("the status bar shows the first job's outcome, after an edit too", async () => {
  const lens = (title: string, command = "parlance.estimate") => ({ command: { title, command } });
  let shown = "fits: 61.2 of 79.6 GiB · step 4.1 s · MFU 41.2 %";
  editor.answer = () => [lens("2 authors", "other.blame"), lens(shown)];
  (vscode.window as { activeTextEditor: unknown }).activeTextEditor = { document: job };
  await start(job);
  await eventually(() => editor.item.text === "$(pulse) fits: 61.2 of 79.6 GiB · step 4.1 s");
  shown = "fits: 50 of 79.6 GiB · step 5 s";
  editor.edited.fire({ document: json });
  editor.edited.fire({ document: job });
  await eventually(() => editor.item.text === "$(pulse) fits: 50 of 79.6 GiB · step 5 s");
  (vscode.window as { activeTextEditor: unknown }).activeTextEditor = { document: json };
  editor.activated.fire(undefined);
  await eventually(() => !editor.item.visible);
});

test("the manifest is of the program's version, and the README's commands install what is packaged", () => {
  const { name, version } = JSON.parse(readFileSync("package.json", "utf8"));
  assert.match(readFileSync("../../../CMakeLists.txt", "utf8"), new RegExp(`project\\(Parlance VERSION ${version} `));
  for (const page of ["README.md", "docs/editors.md"])
    assert.match(readFileSync(`../../../${page}`, "utf8"), new RegExp(`vscode/${name}-${version}\\.vsix\n`));
});
