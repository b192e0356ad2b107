// The commands of the palette. Each runs the program on the file that is shown, saved first.
import * as vscode from "vscode";
import { estimateArguments, explainArguments, firstLine, lowerArguments, run, TARGETS } from "./parlance";
import { basename, ReportView, Texts } from "./view";

export function register(context: vscode.ExtensionContext, program: () => string): void {
  const texts = new Texts();
  const report = new ReportView(program);
  const command = (name: string, action: (editor: vscode.TextEditor) => Promise<void>) =>
    vscode.commands.registerCommand(name, () => withSavedFile(action));
  context.subscriptions.push(
    report,
    vscode.workspace.registerTextDocumentContentProvider("parlance-view", texts),
    command("parlance.showEstimate", (editor) => estimate(editor, program(), texts)),
    command("parlance.showReport", (editor) => report.show(editor.document.uri)),
    command("parlance.lowerTo", (editor) => lower(editor, program())),
    command("parlance.explainHere", (editor) => explain(editor, program(), texts)),
  );
}

async function withSavedFile(action: (editor: vscode.TextEditor) => Promise<void>): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.document.uri.scheme !== "file") {
    void vscode.window.showInformationMessage("Open a file of a job first.");
    return;
  }
  if (editor.document.isDirty && !(await editor.document.save())) return;
  try {
    await action(editor);
  } catch (error) {
    void vscode.window.showErrorMessage((error as Error).message);
  }
}

async function estimate(editor: vscode.TextEditor, program: string, texts: Texts): Promise<void> {
  const { stdout, stderr } = await run(program, estimateArguments(editor.document.fileName));
  if (stdout) await texts.show(`${basename(editor.document.uri)} estimate`, stdout);
  else void vscode.window.showWarningMessage(`No estimate: ${firstLine(stderr)}`);
}

async function explain(editor: vscode.TextEditor, program: string, texts: Texts): Promise<void> {
  const { line, character } = editor.selection.active;
  const text = editor.document.lineAt(line).text;
  const { stdout, stderr } = await run(program, explainArguments(editor.document.fileName, line, text, character));
  if (stdout) await texts.show(`${basename(editor.document.uri)} ${line + 1} explained`, stdout);
  else void vscode.window.showInformationMessage(firstLine(stderr));
}

async function lower(editor: vscode.TextEditor, program: string): Promise<void> {
  const target = await vscode.window.showQuickPick([...TARGETS], { placeHolder: "Write launch files for…" });
  if (!target) return;
  const chosen = await vscode.window.showOpenDialog({
    canSelectFiles: false,
    canSelectFolders: true,
    openLabel: "Write here",
    title: "Folder for the launch files",
  });
  const folder = chosen?.[0];
  if (!folder) return;
  const { status, stdout, stderr } = await run(program, lowerArguments(editor.document.fileName, target, folder.fsPath));
  if (status !== 0) {
    void vscode.window.showErrorMessage(`Nothing was written: ${firstLine(stderr)}`);
    return;
  }
  const first = stdout.split(/\r?\n/).find((l) => l.trim() !== "");
  if (first) await vscode.window.showTextDocument(vscode.Uri.file(first.trim()), { preview: true });
}
