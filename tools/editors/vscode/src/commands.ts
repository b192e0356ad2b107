// The commands of the palette. Each runs the program on the file that is shown, saved first.
import * as vscode from "vscode";
import { estimateArguments, explainArguments, firstLine, lowerArguments, run, TARGETS } from "./parlance";
import { documentSelector } from "./selector";
import { foreignFiles, isForeign, program, subjectOf } from "./settings";
import { basename, ReportView, runOnJob, SCHEME, Texts } from "./view";

export function register(context: vscode.ExtensionContext): void {
  const texts = new Texts();
  const report = new ReportView();
  const command = (name: string, action: (editor: vscode.TextEditor) => Promise<void>) =>
    vscode.commands.registerCommand(name, () => withSavedFile(action));
  context.subscriptions.push(
    texts,
    report,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, texts),
    command("parlance.showEstimate", (editor) => estimate(editor, texts)),
    command("parlance.showReport", (editor) => report.show(editor.document)),
    command("parlance.lowerTo", lower),
    command("parlance.explainHere", (editor) => explain(editor, texts)),
  );
}

async function withSavedFile(action: (editor: vscode.TextEditor) => Promise<void>): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || vscode.languages.match(documentSelector(true), editor.document) === 0) {
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

async function estimate(editor: vscode.TextEditor, texts: Texts): Promise<void> {
  const ran = await runOnJob(subjectOf(editor.document), estimateArguments);
  if (!ran) return;
  if (ran.stdout) await texts.show(`${basename(editor.document.uri)} estimate`, ran.stdout);
  else void vscode.window.showWarningMessage(`No estimate: ${firstLine(ran.stderr)}`);
}

async function explain(editor: vscode.TextEditor, texts: Texts): Promise<void> {
  const { document, selection } = editor;
  const { line, character } = selection.active;
  if (isForeign(document)) {
    if (!foreignFiles()) throw new Error("The server does not see this file: `parlance.foreignFiles` is off.");
    // The server's own command, which shows what it answers: `parlance explain` reads our files only.
    await vscode.commands.executeCommand("parlance.explain", document.uri.toString(), { line, character });
    return;
  }
  const text = document.lineAt(line).text;
  const { stdout, stderr } = await run(program(), explainArguments(document.fileName, line, text, character));
  if (stdout) await texts.show(`${basename(document.uri)} ${line + 1} explained`, stdout);
  else void vscode.window.showInformationMessage(firstLine(stderr));
}

async function lower(editor: vscode.TextEditor): Promise<void> {
  const target = await vscode.window.showQuickPick([...TARGETS], { placeHolder: "Write launch files for…" });
  if (!target) return;
  const chosen = await vscode.window.showOpenDialog({
    canSelectFiles: false,
    canSelectFolders: true,
    openLabel: "Write here",
    title: "Folder for the launch files",
  });
  const folder = chosen?.[0]?.fsPath;
  if (!folder) return;
  const ran = await runOnJob(subjectOf(editor.document), (subject) => lowerArguments(subject, target, folder));
  if (!ran) return;
  if (ran.status !== 0) {
    void vscode.window.showErrorMessage(`Nothing was written: ${firstLine(ran.stderr)}`);
    return;
  }
  const first = ran.stdout.split(/\r?\n/).find((l) => l.trim() !== "");
  if (first) await vscode.window.showTextDocument(vscode.Uri.file(first.trim()), { preview: true });
}
