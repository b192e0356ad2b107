// Texts beside the file: read-only documents, and the report in a web view that follows the file.
import * as vscode from "vscode";
import { firstLine, jobsToChooseFrom, type Outcome, reportArguments, run, type Subject } from "./parlance";
import { program, subjectOf } from "./settings";

export const SCHEME = "parlance-view";

/**
 * Runs the program on a job. Where the file has several the user chooses one, which the subject then
 * names; undefined when none is chosen.
 */
export async function runOnJob(
  subject: Subject, argumentsOf: (subject: Subject) => string[]): Promise<Outcome | undefined> {
  const outcome = await run(program(), argumentsOf(subject));
  const jobs = jobsToChooseFrom(outcome);
  if (jobs.length === 0) return outcome;
  subject.job = await vscode.window.showQuickPick(jobs, { placeHolder: "Of which job?" });
  return subject.job ? run(program(), argumentsOf(subject)) : undefined;
}

/** Read-only documents made by the program, by their address. */
export class Texts implements vscode.TextDocumentContentProvider, vscode.Disposable {
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

  dispose(): void {
    this.changed.dispose();
  }
}

/** The report of one job at a time, refreshed when its file is saved. */
export class ReportView implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private subject: Subject | undefined;
  private runs = 0;
  private readonly saved: vscode.Disposable;

  constructor() {
    this.saved = vscode.workspace.onDidSaveTextDocument((document) => {
      if (this.panel && document.fileName === this.subject?.file) void this.refresh(this.subject);
    });
  }

  async show(document: vscode.TextDocument): Promise<void> {
    const subject = subjectOf(document);
    const outcome = await runOnJob(subject, reportArguments);
    if (!outcome) return;
    if (!outcome.stdout) {
      this.complain(outcome);
      return;
    }
    this.runs++; // a page of the former subject that is still being made is dropped
    this.subject = subject;
    if (!this.panel) {
      this.panel = vscode.window.createWebviewPanel("parlance.report", "Parlance", vscode.ViewColumn.Beside, {
        enableScripts: true,
        localResourceRoots: [],
      });
      this.panel.onDidDispose(() => (this.panel = undefined));
    }
    this.panel.title = `Report: ${[basename(document.uri), subject.job].filter(Boolean).join(" ")}`;
    this.panel.webview.html = outcome.stdout;
  }

  /** A page that takes longer than the next one is dropped; a file without a report keeps its last page. */
  private async refresh(subject: Subject): Promise<void> {
    const began = ++this.runs;
    try {
      const outcome = await run(program(), reportArguments(subject));
      if (!this.panel || began !== this.runs) return;
      if (outcome.stdout) this.panel.webview.html = outcome.stdout;
      else this.complain(outcome);
    } catch (error) {
      void vscode.window.showErrorMessage((error as Error).message);
    }
  }

  private complain(outcome: Outcome): void {
    void vscode.window.showWarningMessage(`No report: ${firstLine(outcome.stderr)}`);
  }

  dispose(): void {
    this.saved.dispose();
    this.panel?.dispose();
  }
}

export function basename(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf("/") + 1);
}
