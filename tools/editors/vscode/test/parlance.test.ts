import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { explainArguments, firstLine, run } from "../src/parlance";
import { documentSelector } from "../src/selector";

const folder = mkdtempSync(join(tmpdir(), "parlance-test-"));

test("a status of 1 is a result", async () => {
  const outcome = await run("sh", ["-c", "echo found; echo why >&2; exit 1"]);
  assert.deepEqual(outcome, { status: 1, stdout: "found\n", stderr: "why\n" });
});

test("a program that is missing or cannot be run is named", async () => {
  await assert.rejects(run("no-such-parlance", []), /`no-such-parlance` was not found.*parlance\.path/);
  const file = join(folder, "plain");
  writeFileSync(file, "text");
  chmodSync(file, 0o644);
  await assert.rejects(run(file, []), /cannot be executed/);
});

test("arguments are passed as they are, not through a shell", async () => {
  const { stdout } = await run("printf", ["%s|", "a b", "$HOME", "; exit 3"]);
  assert.equal(stdout, "a b|$HOME|; exit 3|");
});

test("places count code points from 1", () => {
  assert.deepEqual(explainArguments("a.parl", 4, "x = 1", 4), ["explain", "a.parl:5:5"]);
  const line = '"😀" x'; // the face is two UTF-16 units and one code point
  assert.deepEqual(explainArguments("a.parl", 0, line, line.indexOf("x")), ["explain", "a.parl:1:5"]);
});

test("a message box gets one line", () => {
  assert.equal(firstLine("\nparlance: error: no job\nmore"), "error: no job");
  assert.equal(firstLine(""), "no output");
});

test("foreign files are left alone where the setting says so", () => {
  assert.deepEqual(documentSelector(false), [{ scheme: "file", language: "parlance" }]);
  assert.ok(documentSelector(true).some((f) => f.language === "shellscript"));
});
