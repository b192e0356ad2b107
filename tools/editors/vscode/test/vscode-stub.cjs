// Stands for the editor in unit tests: what the extension calls is recorded, what it asks is answered
// by the test.
const Module = require("node:module");

class Emitter {
  listeners = [];
  event = (listener) => {
    this.listeners.push(listener);
    return { dispose: () => this.listeners.splice(this.listeners.indexOf(listener), 1) };
  };
  fire(value) {
    for (const listener of [...this.listeners]) listener(value);
  }
}

class Uri {
  constructor(scheme, path) {
    this.scheme = scheme;
    this.path = path;
  }
  static file = (path) => new Uri("file", path);
  static from = ({ scheme, path }) => new Uri(scheme, path);
  get fsPath() {
    return this.path;
  }
  toString() {
    return `${this.scheme}:${this.path}`;
  }
}

const saved = new Emitter();
const messages = [];
const panels = [];
const shown = [];
const commands = new Map();
const say = async (text) => void messages.push(text);

const vscode = {
  EventEmitter: Emitter,
  Uri,
  ViewColumn: { Beside: -2 },
  StatusBarAlignment: { Right: 2 },
  commands: {
    registerCommand: (name, action) => {
      commands.set(name, action);
      return { dispose: () => commands.delete(name) };
    },
  },
  workspace: {
    onDidSaveTextDocument: saved.event,
    registerTextDocumentContentProvider: (_scheme, provider) => {
      vscode.test.provider = provider;
      return { dispose() {} };
    },
    openTextDocument: async (uri) => ({ uri, text: vscode.test.provider.provideTextDocumentContent(uri) }),
  },
  window: {
    activeTextEditor: undefined,
    showErrorMessage: say,
    showWarningMessage: say,
    showInformationMessage: say,
    showQuickPick: async () => vscode.test.pick,
    showOpenDialog: async () => vscode.test.folder && [Uri.file(vscode.test.folder)],
    showTextDocument: async (document) => void shown.push(document),
    createWebviewPanel: (_type, title) => {
      const disposed = new Emitter();
      const panel = {
        title,
        webview: { html: "" },
        onDidDispose: disposed.event,
        dispose: () => disposed.fire(),
      };
      panels.push(panel);
      return panel;
    },
  },
  test: { saved, messages, panels, shown, commands, provider: undefined, pick: undefined, folder: undefined },
};

const resolve = Module._resolveFilename;
Module._resolveFilename = (name, ...rest) => (name === "vscode" ? "vscode" : resolve(name, ...rest));
require.cache.vscode = { id: "vscode", filename: "vscode", loaded: true, exports: vscode };
