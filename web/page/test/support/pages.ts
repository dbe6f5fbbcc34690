import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../../../reader/test/support/repository.js";
import type { Form } from "../../src/file.js";
import { Browser, findBrowser } from "./browser.js";
import { Tab, type TabOptions } from "./tab.js";

export interface PageOptions extends TabOptions {
  readonly form?: Form;
  readonly title?: string;
}

/** A payload that was written for these tests. */
export function payload(name: string): Uint8Array {
  return readFileSync(join(root, "web", "page", "test", "payloads", name));
}

/** Makes pages as `wire html` does, and opens them. */
export class Pages {
  readonly browser: Browser;
  readonly #folder = mkdtempSync(join(tmpdir(), "wire-pages-"));
  readonly #template = readFileSync(join(root, "src", "Wire.Tool", "Html", "page.html"), "utf8");
  #last = 0;

  private constructor(browser: Browser) {
    this.browser = browser;
  }

  static async start(): Promise<Pages> {
    const path = findBrowser();
    if (path === null) {
      throw new Error("there is no chromium");
    }
    return new Pages(await Browser.start(path));
  }

  /** Opens a page of these bytes, once it shows them. */
  async open(bytes: Uint8Array, options: PageOptions = {}): Promise<Tab> {
    const parts = {
      title: (options.title ?? "order.bin").replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
      form: options.form ?? "single",
      payload: Buffer.from(bytes).toString("base64"),
    };
    const page = this.#template.replace(/@@(title|form|payload)@@/g, (_, name: keyof typeof parts) => parts[name]);
    return this.openText(page, options);
  }

  async openText(page: string, options: TabOptions = {}): Promise<Tab> {
    const file = join(this.#folder, `page${++this.#last}.html`);
    writeFileSync(file, page);
    const tab = await Tab.open(this.browser, pathToFileURL(file).href, options);
    await tab.until("document.querySelector('.tree .line, .error:not([hidden]), .terminal') !== null");
    return tab;
  }

  async close(): Promise<void> {
    await this.browser.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
