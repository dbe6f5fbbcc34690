import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

type Listener = (parameters: Record<string, unknown>, session: string | undefined) => void;

interface Reply {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly sessionId?: string;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

/** The browser for the tests; null where there is none. */
export function findBrowser(): string | null {
  const given = process.env["WIRE_CHROMIUM"];
  const places = ["chromium", "chromium-browser", "google-chrome"].flatMap((name) =>
    (process.env["PATH"] ?? "").split(":").map((folder) => join(folder, name)));
  return given || (places.find((place) => existsSync(place)) ?? null);
}

/** A browser without a window, driven through pipes by the protocol of its developer tools. */
export class Browser {
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #input: Writable;
  readonly #waiting = new Map<number, { resolve(result: Record<string, unknown>): void; reject(error: Error): void }>();
  readonly #listeners = new Set<[string, Listener]>();
  #text = "";
  #last = 0;

  private constructor(path: string) {
    this.#folder = mkdtempSync(join(tmpdir(), "wire-page-"));
    this.#process = spawn(path, [
      // A browser of root has no sandbox.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      "--headless", "--disable-gpu", "--remote-debugging-pipe", "--hide-scrollbars", "--no-first-run",
      "--disable-extensions", "--disable-background-networking", "--font-render-hinting=none", `--user-data-dir=${this.#folder}`,
      "about:blank",
    ], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.#input = this.#process.stdio[3] as Writable;
    const output = this.#process.stdio[4] as Readable;
    output.setEncoding("utf8");
    output.on("data", (text: string) => this.#receive(text));
    this.#process.on("exit", () => {
      for (const { reject } of this.#waiting.values()) {
        reject(new Error("the browser has ended"));
      }
      this.#waiting.clear();
    });
  }

  static async start(path: string): Promise<Browser> {
    const browser = new Browser(path);
    await browser.send("Browser.getVersion", {});
    return browser;
  }

  send(method: string, params: Record<string, unknown>, sessionId?: string): Promise<Record<string, unknown>> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  on(method: string, listener: Listener): () => void {
    const entry: [string, Listener] = [method, listener];
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.send("Browser.close", {}).catch(() => {
      // It may end before it answers, and its end is what is waited for.
    });
    await ended;
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #receive(text: string): void {
    this.#text += text;
    for (let end = this.#text.indexOf("\0"); end >= 0; end = this.#text.indexOf("\0")) {
      const reply = JSON.parse(this.#text.slice(0, end)) as Reply;
      this.#text = this.#text.slice(end + 1);
      if (reply.id === undefined) {
        for (const [method, listener] of this.#listeners) {
          if (method === reply.method) {
            listener(reply.params ?? {}, reply.sessionId);
          }
        }
        continue;
      }
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if (reply.error !== undefined) {
        waiting?.reject(new Error(reply.error.message));
      } else {
        waiting?.resolve(reply.result ?? {});
      }
    }
  }
}
