import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { readText, root } from "../../reader/test/support/repository.js";
import { Pages, payload } from "./support/pages.js";
import type { Tab } from "./support/tab.js";
import { terminalPage } from "./support/terminal.js";
import { buttonWith } from "./support/views.js";

const mostBytes = 200_000;
const isWritten = process.env["WIRE_SHOTS_WRITE"] === "1";
const images = join(root, "docs", "images");
const folder = isWritten ? images : mkdtempSync(join(tmpdir(), "wire-shots-"));

let pages: Pages;
before(async () => {
  pages = await Pages.start();
  mkdirSync(folder, { recursive: true });
});
after(async () => {
  await pages.close();
  if (!isWritten) {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Takes a picture for the documentation: `WIRE_SHOTS_WRITE=1` writes it there, and else that one has to be there, and to be shown. */
async function take(tab: Tab, name: string): Promise<void> {
  await tab.screenshot(join(folder, name));
  await tab.close();
  assert.ok(existsSync(join(images, name)), `docs/images/${name} is missing: run web/test.sh with WIRE_SHOTS_WRITE=1`);
  assert.deepEqual([...readFileSync(join(images, name)).subarray(1, 4)], [..."PNG"].map((letter) => letter.charCodeAt(0)));
  assert.ok(statSync(join(images, name)).size < mostBytes);
  const users = ["docs/tool.md", "web/page/README.md", "README.md"].filter((file) => readText(...file.split("/")).includes(`images/${name}`));
  assert.notDeepEqual(users, [], `nothing shows ${name}`);
}

const lineWith = (part: string): string =>
  `[...document.querySelectorAll('.tree .line')].find((line) => line.textContent.includes('${part}'))`;

test("the page with a value that is hovered over", async () => {
  const tab = await pages.open(payload("order.bin"), { width: 1200, height: 620 });
  await tab.until("document.querySelector('.area > .tile') !== null");
  await tab.click(buttonWith("by place"));
  await tab.click(lineWith("Mail: \"ada@"));
  await tab.hover(lineWith("Mail: \"grace@"));
  await take(tab, "wire-page.png");
});

test("the page in the dark, with frames and a search", async () => {
  const tab = await pages.open(payload("queue.frames"), { form: "framed", title: "queue.frames", width: 1200, height: 600, dark: true });
  await tab.until("document.querySelectorAll('.frames .label')[12]?.textContent !== ''");
  await tab.click("document.getElementById('frame-4')");
  await tab.click("document.getElementById('frame-5')");
  await tab.click("document.querySelector('input')");
  await tab.type("card");
  await tab.until("document.querySelector('.count').textContent === '1 of 4'");
  await tab.until("document.querySelector('.area > .tile') !== null");
  await tab.hover(lineWith("the thick"));
  await take(tab, "wire-page-frames.png");
});

test("the treemap alone", async () => {
  const tab = await pages.open(payload("order.bin"), { width: 900, height: 420 });
  await tab.until("document.querySelector('.area > .tile') !== null");
  await tab.evaluate(`for (const selector of ['header', '.tree', '.bytes', '.details']) document.querySelector(selector).hidden = true;
    document.querySelector('main').style.gridTemplate = '"map" 100% / 100%';
    for (const selector of ['.tree', '.bytes']) document.querySelector(selector).style.display = 'none';
    for (const selector of ['header', '.details']) document.querySelector(selector).style.display = 'none';
    document.body.style.gridTemplate = '100vh / 100%'`);
  await tab.click(buttonWith("by type"));
  await tab.until("document.querySelector('.area > .tile') !== null");
  await tab.leave();
  await take(tab, "wire-treemap.png");
});

test("the tree of `wire show` on a terminal", async () => {
  const lines = Buffer.from(payload("order.show")).toString("utf8");
  const tab = await pages.openText(terminalPage("wire show order.bin", lines), { width: 920, height: (lines.split("\n").length + 1) * 19 + 16 });
  await take(tab, "wire-show-tree.png");
});
