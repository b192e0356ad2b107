// The `parlance` program as the commands use it. Knows nothing of the editor, so that it is tested
// without one.
import { execFile } from "node:child_process";

export const TARGETS = ["megatron", "deepspeed", "torchtitan", "nanotron", "accelerate"] as const;

/** What a run printed. Status 1 means that something was found, which is a result and no failure. */
export interface Outcome {
  status: number;
  stdout: string;
  stderr: string;
}

/** Rejects only when the program cannot be run at all. */
export function run(program: string, args: string[], cwd?: string): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd, maxBuffer: 256 << 20, timeout: 60_000 }, (error, stdout, stderr) => {
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

export const estimateArguments = (file: string): string[] => ["estimate", file, "--color", "never"];

export const reportArguments = (file: string): string[] => ["report", file, "-o", "-"];

export const lowerArguments = (file: string, target: string, folder: string): string[] =>
  ["lower", file, "--to", target, "-o", folder];

/** Lines and columns count from 0 as in the editor; the program counts from 1, in code points. */
export function explainArguments(file: string, line: number, lineText: string, character: number): string[] {
  const column = [...lineText.slice(0, character)].length + 1;
  return ["explain", `${file}:${line + 1}:${column}`];
}

/** The first line of an error output, without the program's name: what a message box has room for. */
export function firstLine(text: string): string {
  const line = text.split(/\r?\n/).find((l) => l.trim() !== "") ?? "no output";
  return line.replace(/^parlance: /, "");
}
