import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { explainArguments, firstLine, jobsToChooseFrom, programPath, run, TARGETS, whyUnfit } from "../src/parlance";
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

test("the program is that of the setting, else that of the checkout, else that of the path", () => {
  const built = join(folder, "built");
  writeFileSync(built, "");
  assert.equal(programPath("", built, "/w"), built);
  assert.equal(programPath("", join(folder, "absent"), "/w"), "parlance");
  assert.equal(programPath("", undefined, undefined), "parlance");
  assert.equal(programPath("parlance-2", built, "/w"), "parlance-2");
  assert.equal(programPath("/opt/parlance", built, "/w"), "/opt/parlance");
  assert.equal(programPath("~/bin/parlance", built, "/w"), `${homedir()}/bin/parlance`);
  assert.equal(programPath("build/parlance", built, "/w"), "/w/build/parlance");
  assert.equal(programPath("${workspaceFolder}/build/parlance", built, "/w"), "/w/build/parlance");
});

test("a program that is missing, another's or too old does not serve", async () => {
  const says = (name: string, words: string) => {
    const file = join(folder, name);
    writeFileSync(file, `#!/bin/sh\necho ${words}\n`);
    chmodSync(file, 0o755);
    return whyUnfit(file, "0.9.0");
  };
  assert.match((await whyUnfit("no-such-parlance", "0.9.0")) ?? "", /was not found/);
  assert.match((await says("other", "GNU coreutils 9")) ?? "", /another program/);
  assert.match((await says("old", "parlance 0.8.12")) ?? "", /version 0\.8\.12, and the extension needs 0\.9\.0/);
  assert.equal(await says("same", "parlance 0.9.0"), undefined);
  assert.equal(await says("new", "parlance 0.10.0"), undefined);
});

// What is read in the program's messages, and lists that it has too, against the program itself.
const real = process.env.PARLANCE ?? "";
const withProgram = { skip: real ? false : "PARLANCE does not name the program" };

test("the jobs of a file are read from the program's refusal", withProgram, async () => {
  const file = join(folder, "jobs.parl");
  writeFileSync(file, ["a", "b", "c"].map((n) => `job ${n} { }\n`).join(""));
  assert.deepEqual(jobsToChooseFrom(await run(real, ["estimate", file])), []); // no job is whole
  const base = `use std/hardware
use std/models
cluster pod { node = 8 * h100_sxm, nodes = 2, inter = infiniband_ndr }
layout plain { dp = auto, zero = 1 }
job a {
  model = llama2_7b, cluster = pod, layout = plain
  seq_len = 4096 tok/seq
  batch { global = 1Mi tok, micro = 1 seq }
}
`;
  writeFileSync(file, base);
  assert.deepEqual(jobsToChooseFrom(await run(real, ["estimate", file])), []);
  writeFileSync(file, `${base}job b from a { }\njob c from a { }\n`);
  assert.deepEqual(jobsToChooseFrom(await run(real, ["estimate", file])), ["a", "b", "c"]);
});

test("the targets are the program's", withProgram, async () => {
  const { stderr } = await run(real, ["lower", "x.parl", "--to", "nothing"]);
  assert.equal(/takes (.*), not/.exec(stderr)?.[1]?.split(/, | or /).join(), TARGETS.join());
});

test("the program serves the extension of the same checkout", withProgram, async () => {
  assert.equal(await whyUnfit(real, JSON.parse(readFileSync("package.json", "utf8")).version), undefined);
});
