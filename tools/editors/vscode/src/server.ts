// The life of the language server: it starts with the first document that it is for, at once in a
// workspace that has files of ours, and anew when a setting changes.
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";
import { whyUnfit } from "./parlance";
import { documentSelector } from "./selector";
import * as settings from "./settings";

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private told = false;
  private ownWorkspace = false;
  /** Starts and stops follow each other: a client that is starting cannot be stopped. */
  private last: Promise<void> = Promise.resolve();
  private readonly parts: vscode.Disposable[];

  /** `version`: the oldest program that will do. `started` is called when the server answers. */
  constructor(
    private readonly version: string,
    private readonly log: vscode.OutputChannel,
    private readonly started: () => void,
  ) {
    this.parts = [
      vscode.workspace.onDidOpenTextDocument(() => void this.then(() => this.start())),
      vscode.workspace.onDidChangeConfiguration((e) => {
        if (["path", "cluster", "foreignFiles"].some((name) => e.affectsConfiguration(`parlance.${name}`)))
          void this.restart();
      }),
    ];
  }

  begin(): Promise<void> {
    return this.then(async () => {
      this.ownWorkspace = (await vscode.workspace.findFiles("**/*.parl", undefined, 1)).length > 0;
      await this.start();
    });
  }

  restart(): Promise<void> {
    return this.then(async () => {
      await this.stop();
      this.told = false;
      await this.start();
    });
  }

  /** Resolves when the server has ended. */
  end(): Promise<void> {
    this.dispose();
    return this.then(() => this.stop());
  }

  dispose(): void {
    for (const part of this.parts.splice(0)) part.dispose();
  }

  private then(step: () => Promise<void>): Promise<void> {
    this.last = this.last.then(step);
    return this.last;
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.dispose().catch((error: Error) => this.log.appendLine(error.message));
  }

  private async start(): Promise<void> {
    const selector = documentSelector(settings.foreignFiles());
    const open = vscode.workspace.textDocuments.filter((d) => vscode.languages.match(selector, d) > 0);
    if (this.client || (open.length === 0 && !this.ownWorkspace)) return;
    const program = settings.program();
    const why = await whyUnfit(program, this.version);
    if (why) {
      this.log.appendLine(why);
      // Whether another tool's JSON is for Parlance only the server could say: no message for those.
      if (!open.every(settings.isForeign)) this.tell(why);
      return;
    }
    const server: ServerOptions = { command: program, args: ["lsp"] };
    const options: LanguageClientOptions = {
      documentSelector: selector,
      initializationOptions: { cluster: settings.cluster() },
      outputChannel: this.log,
    };
    this.client = new LanguageClient("parlance", "Parlance", server, options);
    try {
      await this.client.start();
      this.started();
    } catch (error) {
      this.log.appendLine(`\`${program} lsp\`: ${(error as Error).message}`); // the client has shown a message
    }
  }

  /** Once, until a setting changes. What comes next does not wait for the answer. */
  private tell(why: string): void {
    if (this.told) return;
    this.told = true;
    void vscode.window.showErrorMessage(why, "Open Settings").then((choice) => {
      if (choice) void vscode.commands.executeCommand("workbench.action.openSettings", "parlance.path");
    });
  }
}
