import { writeFileSync } from "node:fs";
import type { Browser } from "./browser.js";

export interface TabOptions {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
}

/** A page in the browser, with what it has complained of and asked for. */
export class Tab {
  /** What the page wrote to the console, and errors that nobody caught. */
  readonly complaints: string[] = [];
  /** What it asked for besides itself. */
  readonly requests: string[] = [];
  readonly #browser: Browser;
  readonly #target: string;
  readonly #session: string;
  readonly #ends: (() => void)[] = [];

  private constructor(browser: Browser, target: string, session: string) {
    this.#browser = browser;
    this.#target = target;
    this.#session = session;
  }

  /** Opens a page, and waits until it is loaded. */
  static async open(browser: Browser, url: string, options: TabOptions = {}): Promise<Tab> {
    const { targetId } = await browser.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: true });
    const tab = new Tab(browser, String(targetId), String(sessionId));
    await tab.#begin(url, options);
    return tab;
  }

  async #begin(url: string, { width = 1280, height = 800, dark = false }: TabOptions): Promise<void> {
    const note = (list: string[], text: (parameters: Record<string, any>) => string | null) =>
      (parameters: Record<string, unknown>, session: string | undefined): void => {
        const noted = session === this.#session ? text(parameters) : null;
        if (noted !== null) {
          list.push(noted);
        }
      };
    this.#ends.push(
      this.#browser.on("Log.entryAdded", note(this.complaints, ({ entry }) => `${entry.source}: ${entry.text}`)),
      this.#browser.on("Runtime.consoleAPICalled", note(this.complaints, ({ type, args }) => `${type}: ${JSON.stringify(args)}`)),
      this.#browser.on("Runtime.exceptionThrown", note(this.complaints, ({ exceptionDetails }) =>
        exceptionDetails.exception?.description ?? exceptionDetails.text)),
      this.#browser.on("Network.requestWillBeSent", note(this.requests, ({ request }) => (request.url === url ? null : request.url))),
    );
    for (const domain of ["Page", "Runtime", "Log", "Network"]) {
      await this.#send(`${domain}.enable`, {});
    }
    await this.#send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    await this.#send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
    await this.#send("Page.addScriptToEvaluateOnNewDocument", {
      source: "window.copied = []; navigator.clipboard.writeText = async (text) => { window.copied.push(text); };",
    });
    const loaded = new Promise<void>((resolve) => {
      this.#ends.push(this.#browser.on("Page.loadEventFired", (_, session) => session === this.#session && resolve()));
    });
    await this.#send("Page.navigate", { url });
    await loaded;
  }

  /** The value of an expression in the page. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.#send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails !== undefined) {
      throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
    }
    return (result as { value: T }).value;
  }

  /** Waits until an expression is true, or fails with its last value. */
  async until(expression: string, timeout = 20_000): Promise<void> {
    const end = Date.now() + timeout;
    for (let value: unknown = null; !value; ) {
      value = await this.evaluate(expression);
      if (!value && Date.now() > end) {
        throw new Error(`not so: ${expression} is ${JSON.stringify(value)}`);
      }
    }
  }

  /** Moves the mouse into the middle of an element that the expression gives. */
  async hover(expression: string): Promise<void> {
    const point = await this.#middle(expression);
    await this.#send("Input.dispatchMouseEvent", { type: "mouseMoved", ...point });
    await this.#frame();
  }

  async click(expression: string, count = 1): Promise<void> {
    const point = await this.#middle(expression);
    await this.#send("Input.dispatchMouseEvent", { type: "mouseMoved", ...point });
    for (const type of ["mousePressed", "mouseReleased"]) {
      await this.#send("Input.dispatchMouseEvent", { type, ...point, button: "left", clickCount: count });
    }
    await this.#frame();
  }

  /** Moves the mouse to where it is over nothing. */
  async leave(): Promise<void> {
    await this.#send("Input.dispatchMouseEvent", { type: "mouseMoved", x: 1, y: 1 });
    await this.#frame();
  }

  async press(key: string, code = key): Promise<void> {
    for (const type of ["keyDown", "keyUp"]) {
      await this.#send("Input.dispatchKeyEvent", { type, key, code });
    }
    await this.#frame();
  }

  async type(text: string): Promise<void> {
    await this.#send("Input.insertText", { text });
  }

  async screenshot(file: string): Promise<void> {
    const { data } = await this.#send("Page.captureScreenshot", { format: "png" });
    writeFileSync(file, Buffer.from(String(data), "base64"));
  }

  async close(): Promise<void> {
    this.#ends.forEach((end) => end());
    await this.#browser.send("Target.closeTarget", { targetId: this.#target });
  }

  async #middle(expression: string): Promise<{ x: number; y: number }> {
    const point = await this.evaluate<{ x: number; y: number } | null>(`(() => {
      const box = (${expression})?.getBoundingClientRect();
      return box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null;
    })()`);
    if (point === null) {
      throw new Error(`there is no element: ${expression}`);
    }
    return point;
  }

  async #frame(): Promise<void> {
    await this.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
  }

  #send(method: string, parameters: Record<string, unknown>): Promise<Record<string, unknown>> {
    return this.#browser.send(method, parameters, this.#session);
  }
}
