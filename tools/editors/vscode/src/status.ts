// The status bar shows what stands above the first job of the file: whether it fits, and how fast it
// is. A click opens the report.
import * as vscode from "vscode";

/** An edit may change the numbers and no diagnostic, so the editor is watched too. */
const PAUSE_MS = 300;

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right, 90);
  private readonly parts: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;

  constructor() {
    this.item.name = "Parlance";
    this.item.command = "parlance.showReport";
    const isActive = (uri: vscode.Uri) => uri.toString() === vscode.window.activeTextEditor?.document.uri.toString();
    this.parts = [
      this.item,
      vscode.window.onDidChangeActiveTextEditor(() => this.update()),
      vscode.languages.onDidChangeDiagnostics((e) => {
        if (e.uris.some(isActive)) this.update();
      }),
      vscode.workspace.onDidChangeTextDocument((e) => {
        if (isActive(e.document.uri)) this.updateSoon();
      }),
    ];
    this.update();
  }

  update(): void {
    clearTimeout(this.timer);
    void this.show();
  }

  private updateSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.update(), PAUSE_MS);
  }

  private async show(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    const title = document?.languageId === "parlance" ? await firstOutcome(document.uri) : undefined;
    if (document !== vscode.window.activeTextEditor?.document) return; // that one has its own turn
    if (!title) {
      this.item.hide();
      return;
    }
    this.item.text = `$(pulse) ${title.split(" · ").slice(0, 2).join(" · ")}`;
    this.item.tooltip = `${title}\nShow the report beside the file`;
    this.item.show();
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const part of this.parts) part.dispose();
  }
}

/** What the server says above the first job; other extensions have lenses there too. */
async function firstOutcome(uri: vscode.Uri): Promise<string | undefined> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[] | undefined>(
    "vscode.executeCodeLensProvider", uri);
  return lenses?.find((lens) => lens.command?.command === "parlance.estimate")?.command?.title;
}
