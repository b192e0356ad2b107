// Starts the language server and adds what a server cannot do: commands, the report, the status bar.
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";
import { register } from "./commands";
import { documentSelector } from "./selector";
import { Status } from "./status";

let client: LanguageClient | undefined;

const settings = () => vscode.workspace.getConfiguration("parlance");
const program = () => settings().get("path", "parlance");

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  register(context, program);
  context.subscriptions.push(
    new Status(),
    vscode.commands.registerCommand("parlance.restart", restart),
    vscode.commands.registerCommand("parlance.showLog", () => client?.outputChannel.show()),
    vscode.workspace.onDidChangeConfiguration((e) => {
      if (["path", "cluster", "foreignFiles"].some((name) => e.affectsConfiguration(`parlance.${name}`))) void restart();
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

async function start(): Promise<void> {
  const server: ServerOptions = { command: program(), args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: documentSelector(settings().get("foreignFiles", true)),
    initializationOptions: { cluster: settings().get("cluster", "") },
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/{*.parl,parlance.toml}") },
  };
  client = new LanguageClient("parlance", "Parlance", server, options);
  try {
    await client.start();
  } catch (error) {
    const choice = await vscode.window.showErrorMessage(
      `The language server \`${program()} lsp\` did not start: ${(error as Error).message}`, "Open Settings");
    if (choice) await vscode.commands.executeCommand("workbench.action.openSettings", "parlance.path");
  }
}

async function restart(): Promise<void> {
  await client?.stop().catch(() => undefined);
  await start();
}
