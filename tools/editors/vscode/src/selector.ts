// Which documents the server sees. It says nothing about files that are no framework's.

export interface Filter {
  scheme: string;
  language: string;
}

const FOREIGN = ["json", "jsonc", "yaml", "toml", "shellscript"];

export function documentSelector(foreignFiles: boolean): Filter[] {
  const languages = ["parlance", ...(foreignFiles ? FOREIGN : [])];
  return languages.map((language) => ({ scheme: "file", language }));
}
