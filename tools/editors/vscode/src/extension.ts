// Starts the language server and adds what a server cannot do: commands, the report, the status bar.
import * as vscode from "vscode";
import { register } from "./commands";
import { Server } from "./server";
import { Status } from "./status";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("Parlance");
  const status = new Status();
  const own = new Server(context.extension.packageJSON.version, log, () => status.update());
  server = own;
  register(context);
  context.subscriptions.push(
    log,
    status,
    own,
    vscode.commands.registerCommand("parlance.restart", () => own.restart()),
    vscode.commands.registerCommand("parlance.showLog", () => log.show()),
  );
  await own.begin();
}

/** The log outlives the server: the editor disposes of the subscriptions after this. */
export async function deactivate(): Promise<void> {
  await server?.end();
}
