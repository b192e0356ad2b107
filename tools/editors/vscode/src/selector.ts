// Which documents the server sees. It decides by their content whether they are a framework's, and says
// nothing about others.

export interface Filter {
  scheme: string;
  language?: string;
  pattern?: string;
}

// By their endings, as the server tells them: stock VS Code has no language for some.
const FOREIGN: Filter[] = [
  { scheme: "file", pattern: "**/*.{json,hjson,toml,yaml,yml,sh,sbatch,slurm,bash}" },
  { scheme: "file", language: "shellscript" },
];

export function documentSelector(foreignFiles: boolean): Filter[] {
  return [{ scheme: "file", language: "parlance" }, ...(foreignFiles ? FOREIGN : [])];
}
