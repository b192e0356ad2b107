// What vscode-stub.cjs records of the extension, and answers to it.
import * as vscode from "vscode";

interface Emitter {
  fire(event: unknown): void;
}

interface Recorded {
  saved: Emitter;
  opened: Emitter;
  edited: Emitter;
  configured: Emitter;
  activated: Emitter;
  diagnosed: Emitter;
  messages: string[];
  panels: { title: string; webview: { html: string }; dispose(): void }[];
  shown: { uri?: { path: string }; text?: string; path?: string }[];
  picks: string[][];
  log: string[];
  clients: {
    server: { command: string; args: string[] };
    options: { documentSelector: unknown; initializationOptions: unknown };
    state: string;
  }[];
  executed: unknown[][];
  settings: Record<string, unknown>;
  commands: Map<string, () => Promise<void>>;
  item: { text: string; visible: boolean };
  files: unknown[];
  pick?: string | ((items: string[]) => string);
  folder?: string;
  answer?: () => unknown;
  starting?: () => Promise<void>;
}

export const recorded = (vscode as unknown as { test: Recorded }).test;
