// Texts beside the file: read-only documents, and the report in a web view that follows the file.
import * as vscode from "vscode";
import { firstLine, reportArguments, run } from "./parlance";

export const SCHEME = "parlance-view";

/** Read-only documents made by the program, by their address. */
export class Texts implements vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  async show(title: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title}` });
    this.texts.set(uri.toString(), text);
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: true,
    });
  }
}

/** The report of one file at a time, refreshed when that file is saved. */
export class ReportView implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private file: vscode.Uri | undefined;
  private readonly saved: vscode.Disposable;

  constructor(private readonly program: () => string) {
    this.saved = vscode.workspace.onDidSaveTextDocument((d) => {
      if (this.panel && d.uri.toString() === this.file?.toString()) void this.refresh();
    });
  }

  async show(file: vscode.Uri): Promise<void> {
    this.file = file;
    if (!this.panel) {
      this.panel = vscode.window.createWebviewPanel("parlance.report", "Parlance", vscode.ViewColumn.Beside, {
        enableScripts: true,
        localResourceRoots: [],
      });
      this.panel.onDidDispose(() => (this.panel = undefined));
    }
    this.panel.title = `Report: ${basename(file)}`;
    await this.refresh();
  }

  private async refresh(): Promise<void> {
    const file = this.file;
    if (!file) return;
    const outcome = await run(this.program(), reportArguments(file.fsPath));
    if (!this.panel || file !== this.file) return;
    if (outcome.stdout) this.panel.webview.html = outcome.stdout;
    else void vscode.window.showWarningMessage(`No report: ${firstLine(outcome.stderr)}`);
  }

  dispose(): void {
    this.saved.dispose();
    this.panel?.dispose();
  }
}

export function basename(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf("/") + 1);
}
