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
  dispose() {
    this.listeners.length = 0;
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

/** A filter as the extension writes them: of a language, or of endings `**\/*.{a,b}`. */
const matches = ({ scheme, language, pattern }, document) =>
  scheme === document.uri.scheme && (!language || language === document.languageId) &&
  (!pattern || pattern.slice("**/*.{".length, -1).split(",").some((e) => document.uri.path.endsWith(`.${e}`)));

const saved = new Emitter();
const opened = new Emitter();
const edited = new Emitter();
const configured = new Emitter();
const activated = new Emitter();
const diagnosed = new Emitter();
const messages = [];
const panels = [];
const shown = [];
const picks = [];
const log = [];
const clients = [];
const executed = [];
const settings = {};
const commands = new Map();
const item = { visible: false, show: () => (item.visible = true), hide: () => (item.visible = false), dispose() {} };
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
    executeCommand: async (name, ...words) => {
      executed.push([name, ...words]);
      return vscode.test.answer?.();
    },
  },
  languages: {
    match: (selector, document) => (selector.some((filter) => matches(filter, document)) ? 10 : 0),
    onDidChangeDiagnostics: diagnosed.event,
  },
  workspace: {
    textDocuments: [],
    workspaceFolders: undefined,
    findFiles: async () => vscode.test.files,
    getConfiguration: () => ({ get: (name, otherwise) => settings[name] ?? otherwise }),
    onDidOpenTextDocument: opened.event,
    onDidChangeTextDocument: edited.event,
    onDidChangeConfiguration: configured.event,
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
    showQuickPick: async (items) => {
      picks.push(items);
      return typeof vscode.test.pick === "function" ? vscode.test.pick(items) : vscode.test.pick;
    },
    createStatusBarItem: () => item,
    createOutputChannel: () => ({ appendLine: (line) => log.push(line), show() {}, dispose() {} }),
    onDidChangeActiveTextEditor: activated.event,
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
  test: {
    ...{ saved, opened, edited, configured, activated, diagnosed },
    ...{ messages, panels, shown, picks, log, clients, executed, settings, commands, item },
    ...{ files: [], provider: undefined, pick: undefined, folder: undefined, answer: undefined },
  },
};

/** Records what a client is asked; `starting` may make a start fail. */
class LanguageClient {
  constructor(_id, _name, server, options) {
    Object.assign(this, { server, options, state: "new" });
    clients.push(this);
  }
  async start() {
    await vscode.test.starting?.();
    this.state = "running";
  }
  async dispose() {
    this.state = "disposed";
  }
}

const stubs = { vscode, "vscode-languageclient/node": { LanguageClient } };
const resolve = Module._resolveFilename;
Module._resolveFilename = (name, ...rest) => (name in stubs ? name : resolve(name, ...rest));
for (const [name, exports] of Object.entries(stubs))
  require.cache[name] = { id: name, filename: name, loaded: true, exports };
