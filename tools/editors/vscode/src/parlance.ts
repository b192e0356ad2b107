// The `parlance` program as the extension uses it. Knows nothing of the editor, so that it is tested
// without one.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

export const TARGETS = ["megatron", "deepspeed", "torchtitan", "nanotron", "accelerate"] as const;

/** What a run printed. Status 1 means that something was found, which is a result and no failure. */
export interface Outcome {
  status: number;
  stdout: string;
  stderr: string;
}

/** Rejects only when the program cannot be run at all. */
export function run(program: string, args: string[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { maxBuffer: 256 << 20, timeout: 60_000 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== "number") {
        reject(new Error(whyNot(program, error)));
        return;
      }
      resolve({ status: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

function whyNot(program: string, error: Error & { code?: unknown; killed?: boolean }): string {
  if (error.code === "ENOENT")
    return `\`${program}\` was not found. Put it on the path or set \`parlance.path\`.`;
  if (error.code === "EACCES") return `\`${program}\` cannot be executed.`;
  if (error.killed) return `\`${program}\` took over a minute and was stopped.`;
  return `\`${program}\` failed: ${error.message}`;
}

/**
 * The program that a setting names; a relative path starts at the workspace's folder. Without a setting
 * the one that the extension was packaged with is taken as long as it is there, else that of the path.
 */
export function programPath(setting: string, packagedWith: string | undefined, folder: string | undefined): string {
  if (!setting) return packagedWith && existsSync(packagedWith) ? packagedWith : "parlance";
  const path = setting.replace(/^~(?=\/)/, homedir()).replace("${workspaceFolder}", folder ?? ".");
  return path.includes("/") && !isAbsolute(path) && folder ? join(folder, path) : path;
}

/** Why a program cannot serve an extension of this version; undefined when it can. */
export async function whyUnfit(program: string, needed: string): Promise<string | undefined> {
  let answer: string;
  try {
    answer = (await run(program, ["--version"])).stdout;
  } catch (error) {
    return (error as Error).message;
  }
  const version = /^parlance (\d+(?:\.\d+)*)/.exec(answer)?.[1];
  if (!version) return `\`${program}\` is another program than Parlance. Set \`parlance.path\`.`;
  if (version.localeCompare(needed, "en", { numeric: true }) < 0)
    return `\`${program}\` is of version ${version}, and the extension needs ${needed}. ` +
      "Build it anew or set `parlance.path`.";
  return undefined;
}

/** What a run is about: a file, the job where it has several, and what a framework's own file runs on. */
export interface Subject {
  file: string;
  job?: string;
  cluster?: string;
}

const about = ({ file, job, cluster }: Subject): string[] =>
  [file, ...(job ? ["--job", job] : []), ...(cluster ? ["--cluster", cluster] : [])];

export const estimateArguments = (subject: Subject): string[] => ["estimate", ...about(subject), "--color", "never"];

export const reportArguments = (subject: Subject): string[] => ["report", ...about(subject), "-o", "-"];

export const lowerArguments = (subject: Subject, target: string, folder: string): string[] =>
  ["lower", ...about(subject), "--to", target, "-o", folder];

/** Lines and columns count from 0 as in the editor; the program counts from 1, in code points. */
export function explainArguments(file: string, line: number, lineText: string, character: number): string[] {
  const column = [...lineText.slice(0, character)].length + 1;
  return ["explain", `${file}:${line + 1}:${column}`];
}

/** The jobs of the file, where a run ended because it has several and none was named. */
export function jobsToChooseFrom({ status, stderr }: Outcome): string[] {
  const names = /has several jobs; choose one with `--job`: (.*)/.exec(stderr)?.[1];
  return status === 2 && names ? names.split(/, | or /) : [];
}

/** The first line of an error output, without the program's name: what a message box has room for. */
export function firstLine(text: string): string {
  const line = text.split(/\r?\n/).find((l) => l.trim() !== "") ?? "no output";
  return line.replace(/^parlance: /, "");
}
