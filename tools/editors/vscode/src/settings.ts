// The settings of the user, read anew each time.
import * as vscode from "vscode";
import { programPath, type Subject } from "./parlance";

/** Where the checkout that packaged the extension builds the program; bundle.mjs writes it here. */
declare const BUILT_PROGRAM: string | undefined;

const settings = () => vscode.workspace.getConfiguration("parlance");

export const program = (): string =>
  programPath(settings().get("path", ""), BUILT_PROGRAM, vscode.workspace.workspaceFolders?.[0]?.uri.fsPath);

export const cluster = (): string => settings().get("cluster", "");

export const foreignFiles = (): boolean => settings().get("foreignFiles", true);

export const isForeign = (document: vscode.TextDocument): boolean => document.languageId !== "parlance";

/** A document as a run is about it: a job of ours names its cluster itself. */
export const subjectOf = (document: vscode.TextDocument): Subject => ({
  file: document.fileName,
  ...(isForeign(document) && cluster() ? { cluster: cluster() } : {}),
});
