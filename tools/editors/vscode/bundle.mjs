// Bundles the extension. Into it goes where this checkout builds the program, so that an editor on the
// same machine finds it without a setting.
import { build } from "esbuild";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../../build/release/bin/parlance", import.meta.url));
await build({
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  bundle: true,
  minify: true,
  platform: "node",
  format: "cjs",
  target: "node18",
  external: ["vscode"],
  define: { BUILT_PROGRAM: JSON.stringify(program) },
  logLevel: "warning",
});
