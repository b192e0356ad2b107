// The status bar shows what stands above the first job of the file: whether it fits, and how fast it
// is. A click opens the report.
import * as vscode from "vscode";

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right, 90);
  private readonly parts: vscode.Disposable[];

  constructor() {
    this.item.command = "parlance.showReport";
    this.item.tooltip = "Parlance: show the report beside the file";
    const update = () => void this.update();
    this.parts = [
      this.item,
      vscode.window.onDidChangeActiveTextEditor(update),
      vscode.languages.onDidChangeDiagnostics((e) => {
        const active = vscode.window.activeTextEditor?.document.uri.toString();
        if (e.uris.some((u) => u.toString() === active)) update();
      }),
    ];
    update();
  }

  private async update(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== "parlance") {
      this.item.hide();
      return;
    }
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      "vscode.executeCodeLensProvider", document.uri, 1);
    const title = lenses?.[0]?.command?.title;
    if (!title) {
      this.item.hide();
      return;
    }
    this.item.text = `$(pulse) ${title.split(" · ").slice(0, 2).join(" · ")}`;
    this.item.show();
  }

  dispose(): void {
    for (const part of this.parts) part.dispose();
  }
}
