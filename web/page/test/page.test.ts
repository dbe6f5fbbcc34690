import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { parse, toJson, WireFormatError } from "../../reader/src/index.js";
import { defined, manifest } from "../../reader/test/support/hostile.js";
import { fromHex } from "../../reader/test/support/repository.js";
import { goldenPayloads } from "../../reader/test/support/vectors.js";
import { Pages, payload } from "./support/pages.js";
import type { Tab } from "./support/tab.js";
import { buttonWith, byte, line, linesOf, litBytes, range, selected, text, texts, tileBytes } from "./support/views.js";

let pages: Pages;
before(async () => {
  pages = await Pages.start();
});
after(() => pages.close());

const order = payload("order.bin");
const queue = payload("queue.frames");

/** All lines and bytes of the order are in sight. */
const tall = { width: 1400, height: 2000 };

function frames(payloads: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(payloads.flatMap((bytes) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    return [length, bytes];
  }));
}

function assertQuiet(tab: Tab): void {
  assert.deepEqual(tab.complaints, []);
  assert.deepEqual(tab.requests, []);
}

async function search(tab: Tab, query: string): Promise<string> {
  await tab.click("document.querySelector('input')");
  await tab.evaluate("document.querySelector('input').select()");
  await tab.type(query);
  await tab.until("/^(none|\\d+ of [\\d,]+)$/.test(document.querySelector('.count').textContent)");
  return text(tab, ".count");
}

test("the page loads, asks for nothing and complains of nothing", async () => {
  const tab = await pages.open(order, { title: "a & b.bin" });
  assert.equal(await text(tab, "h1"), "a & b.bin");
  assert.equal(await text(tab, "title"), "a & b.bin");
  const lines = await texts(tab, ".tree .line");
  assert.equal(lines[0], "1\u25beShop.Order10 members");
  assert.equal(lines[2], '164Mail: "ada@example.com"String');
  assertQuiet(tab);
  await tab.close();
});

test("the lines are those of `wire show`", async () => {
  const tab = await pages.open(order, tall);
  const plain = Buffer.from(payload("order.show")).toString("utf8").replace(/\x1b\[\d+m/g, "");
  // It numbers all objects, and not only those that a reference means, and says what arrays are of.
  const expected = plain.trimEnd().split("\n").map((shown) => shown.replace(/ \(object \d+\)|(Byte|Double)\[\]/g, "").replace(/\s/g, ""));
  const lines = (await texts(tab, ".tree .line")).map((shown) => shown.replace(/ ?\(object \d+\)|\u25be|\u25b8|\s/g, ""));
  assert.deepEqual(lines, expected);
  await tab.close();
});

test("nothing that the page does not have may be loaded or run", async () => {
  const tab = await pages.open(order);
  await tab.evaluate("void fetch('data:text/plain,a').catch(() => {})");
  await tab.evaluate("void (() => { const made = document.createElement('script'); made.textContent = 'window.ran = 1'; document.body.append(made); })()");
  assert.equal(await tab.evaluate("window.ran ?? null"), null);
  await tab.until("true");
  assert.ok(tab.complaints.length >= 2, "the policy has refused both");
  await tab.close();
});

test("a line that is hovered over lights exactly its bytes", async () => {
  const tab = await pages.open(order, tall);
  const expected = linesOf(order);
  assert.equal(await tab.evaluate("document.querySelectorAll('.tree .line').length"), expected.length);
  for (const [index, { start, end, from }] of expected.entries()) {
    await tab.hover(line(index));
    assert.deepEqual(await litBytes(tab), range(start, end), `line ${index}`);
    assert.deepEqual(await litBytes(tab, "key"), range(from, start), `the key of line ${index}`);
  }
  await tab.leave();
  assert.deepEqual(await litBytes(tab), []);
  assertQuiet(tab);
  await tab.close();
});

test("a byte that is hovered over lights the line of the innermost value, and its bytes", async () => {
  const tab = await pages.open(order, tall);
  const expected = linesOf(order);
  for (let offset = 0; offset < order.length; offset += offset % 5 === 0 ? 3 : 7) {
    await tab.hover(byte(offset));
    const index = expected.findLastIndex((candidate) => offset >= candidate.from && offset < candidate.end);
    assert.deepEqual(await tab.evaluate("[...document.querySelectorAll('.tree .lit')].map((found) => found.id)"),
      index < 0 ? [] : [`line-${index}`], `byte ${offset}`);
    const inner = expected[index];
    assert.deepEqual(await litBytes(tab), inner === undefined ? [] : range(inner.start, inner.end), `byte ${offset}`);
  }
  await tab.close();
});

test("a byte of a value that has no line lights the one around it, and a click opens it", async () => {
  const tab = await pages.open(order, tall);
  await tab.click(`${line(1)}.querySelector('.twisty')`);
  await tab.hover(byte(166));
  assert.equal(await text(tab, ".tree .lit"), "133\u25b8Customer: (object 1)3 members");
  assert.deepEqual(await litBytes(tab), range(164, 180));
  await tab.click(byte(166));
  assert.equal(await selected(tab), '164Mail: "ada@example.com"String');
  assert.deepEqual(await litBytes(tab, "selected"), range(164, 180));
  await tab.close();
});

test("what is out of sight comes into sight when its counterpart is hovered over", async () => {
  const tab = await pages.open(order, { width: 1280, height: 500 });
  await tab.evaluate("document.querySelector('.tree .scroller').scrollTop = 1e9");
  await tab.until("document.querySelector('.tree .line').id !== 'line-0'");
  assert.equal(await tab.evaluate(`${byte(757)} === null`), true);
  await tab.hover("[...document.querySelectorAll('.tree .line')].at(-1)");
  assert.deepEqual(await litBytes(tab), range(750, 758));
  await tab.evaluate("document.querySelector('.bytes .scroller').scrollTop = 0");
  await tab.until(`${byte(170)} !== null`);
  await tab.hover(byte(170));
  assert.equal(await text(tab, ".tree .lit"), '164Mail: "ada@example.com"String');
  await tab.close();
});

test("the tree is used with the keyboard, and says what it is", async () => {
  const tab = await pages.open(order, tall);
  assert.equal(await tab.evaluate("document.querySelector('[role=tree]').tabIndex"), 0);
  await tab.evaluate("document.querySelector('[role=tree]').focus()");
  await tab.press("Home");
  assert.match(await selected(tab), /^1\u25beShop\.Order/);
  assert.equal(await tab.evaluate("document.querySelector('[role=tree]').getAttribute('aria-activedescendant')"), "line-0");
  await tab.press("ArrowLeft");
  assert.equal((await texts(tab, ".tree .line")).length, 1);
  assert.equal(await tab.evaluate(`${line(0)}.getAttribute('aria-expanded')`), "false");
  await tab.press("ArrowRight");
  await tab.press("ArrowRight");
  await tab.press("ArrowDown");
  assert.match(await selected(tab), /^164Mail/);
  assert.equal(await tab.evaluate("document.querySelector('[aria-selected=true]').getAttribute('aria-level')"), "3");
  await tab.press("ArrowLeft");
  assert.match(await selected(tab), /^133\u25beCustomer/);
  await tab.press("Enter");
  assert.match(await selected(tab), /^133\u25b8Customer/);
  await tab.press("End");
  assert.match(await selected(tab), /\[2\] 0\.018Double$/);
  assertQuiet(tab);
  await tab.close();
});

test("a reference leads to its object", async () => {
  const tab = await pages.open(order, tall);
  assert.equal(await text(tab, ".reference"), "-> object 1");
  await tab.click(`${line(1)}.querySelector('.twisty')`);
  await tab.click(`${line(0)}.querySelector('.twisty')`);
  await tab.click(`${line(0)}.querySelector('.twisty')`);
  await tab.click("document.querySelector('.reference')");
  assert.match(await selected(tab), /^133.Customer: \(object 1\)3 members$/);
  assert.deepEqual(await litBytes(tab, "selected"), range(133, 226));
  await tab.close();
});

test("the tiles have all bytes, at each level", async () => {
  const tab = await pages.open(order, tall);
  for (const kind of ["by type", "by place"]) {
    await tab.click(buttonWith(kind));
    await tab.until("document.querySelector('.area > .tile') !== null");
    assert.equal(await tileBytes(tab), order.length, kind);
    for (let level = 0; level < 3; level++) {
      const bytes = await tab.evaluate<number>("Number(document.querySelector('.area > .tile').dataset.bytes)");
      await tab.click("document.querySelector('.area > .tile > .label')");
      const crumbs = await texts(tab, ".crumbs button");
      assert.equal(await tileBytes(tab), crumbs.length === level + 2 ? bytes : await tileBytes(tab), crumbs.join(" / "));
    }
    await tab.click("document.querySelector('.crumbs button')");
    assert.equal(await tileBytes(tab), order.length, kind);
  }
  assertQuiet(tab);
  await tab.close();
});

test("tiles by type are those of wire stats", async () => {
  const tab = await pages.open(order, tall);
  await tab.click(buttonWith("by type"));
  await tab.until("document.querySelector('.area > .tile') !== null");
  const tiles = await tab.evaluate<[string, number][]>(
    "[...document.querySelectorAll('.area > .tile')].map((tile) => [tile.querySelector('.label')?.textContent ?? '', Number(tile.dataset.bytes)])");
  const sizes = new Map(tiles);
  assert.deepEqual([...sizes], [["Order", 470], ["definitions of types", 241], ["CardPayment", 46], ["", 1]]);
  await tab.close();
});

test("a tile lights its value, and a click selects it", async () => {
  const tab = await pages.open(order, tall);
  await tab.click(buttonWith("by place"));
  const label = "[...document.querySelectorAll('.tile > .label')].find((found) => found.textContent === 'Label')";
  await tab.hover(label);
  assert.match(await text(tab, ".tree .lit"), /^\d+Label: 96 bytes/);
  await tab.click(label);
  assert.match(await selected(tab), /^\d+Label: 96 bytes/);
  await tab.close();
});

test("a search finds names, values and types, and goes from one to the next", async () => {
  const tab = await pages.open(order, tall);
  assert.equal(await search(tab, "CARD"), "1 of 4");
  assert.match(await selected(tab), /Article: "Punched cards, 500"/);
  assert.equal((await texts(tab, ".tree .found")).length, 4);
  await tab.press("Enter");
  assert.match(await selected(tab), /Payment: Shop\.CardPayment/);
  await tab.press("Enter");
  await tab.press("Enter");
  assert.match(await selected(tab), /\["Punched cards, 500"\]: 310/);
  await tab.press("Enter");
  assert.equal(await text(tab, ".count"), "1 of 4");
  await tab.click(buttonWith("\u2191"));
  assert.equal(await text(tab, ".count"), "4 of 4");
  assert.equal(await search(tab, "1842"), "1 of 1");
  assert.match(await selected(tab), /Price: 1842\.00/);
  assert.equal(await search(tab, "plum"), "none");
  assertQuiet(tab);
  await tab.close();
});

test("what is found opens the tree", async () => {
  const tab = await pages.open(order, tall);
  await tab.click(`${line(0)}.querySelector('.twisty')`);
  assert.equal(await search(tab, "Hopper"), "1 of 1");
  assert.match(await selected(tab), /Name: "Grace Hopper"/);
  await tab.close();
});

test("the path and the JSON of a value are copied", async () => {
  const tab = await pages.open(order, tall);
  await search(tab, "the thick");
  await tab.click(buttonWith("Copy path"));
  await tab.click(buttonWith("Copy JSON"));
  await search(tab, "310");
  await tab.click("document.querySelector('.details button')");
  assert.deepEqual(await tab.evaluate("window.copied"), ["Items[1].Note", '"the thick ones"', 'Stock["Punched cards, 500"]']);
  await tab.close();
});

test("a key is in the path as the tool reads it", async () => {
  const day = manifest("42 4B15 02 06 53756E646179 00 06 4D6F6E646179 01 15", "Days");
  const tab = await pages.open(fromHex(`1002 ${day} 00 02 00000000 07000000 09000000 08000000`));
  await tab.click(line(1));
  await tab.click(buttonWith("Copy path"));
  await tab.evaluate(`${line(2)}.click()`);
  await tab.evaluate("document.querySelector('.details button').click()");
  assert.deepEqual(await tab.evaluate("window.copied"), ['["Sunday"]', '["9"]']);
  assert.deepEqual(await texts(tab, ".tree .line"), ["1\u25beDays2 pairs", "36[Sunday (0)]: 7Int32", "44[9]: 8Int32"]);
  await tab.close();
});

test("frames are chosen from a list, and a refused one hides no other", async () => {
  const tab = await pages.open(queue, { form: "framed", title: "queue.frames" });
  await tab.until("document.querySelectorAll('.frames .line').length === 13 && document.querySelectorAll('.frames .label')[12].textContent !== ''");
  assert.deepEqual((await texts(tab, ".frames .label")).slice(0, 5), ["Order", "Shipped", "Order", "refused", "Shipped"]);
  await tab.click("document.getElementById('frame-3')");
  assert.equal(await text(tab, ".error"), "Refused. Tag: 0x06 is no tag (at byte 5)");
  assert.deepEqual(await litBytes(tab, "bad"), [5]);
  assert.deepEqual(await texts(tab, ".tree .line"), ["1\u25be1 element", "4[0] null"]);
  await tab.click("document.getElementById('frame-4')");
  assert.equal(await tab.evaluate("document.querySelector('.error').hidden"), true);
  assert.match(await text(tab, ".tree .line"), /Shop\.Shipped/);
  await tab.until("document.querySelector('.area > .tile') !== null");
  assert.equal(await tileBytes(tab), 140);
  assertQuiet(tab);
  await tab.close();
});

test("messages of a session are read in any order that they are chosen in", async () => {
  const tab = await pages.open(payload("session.frames"), { form: "framed session" });
  for (const frame of [11, 0, 6, 1]) {
    await tab.click(`document.getElementById('frame-${frame}')`);
    assert.equal(await tab.evaluate("document.querySelector('.error').hidden"), true, `frame ${frame}`);
    assert.match(await text(tab, ".tree .line"), frame % 2 === 0 ? /Shop\.Order/ : /Shop\.Shipped/);
  }
  const without = await pages.open(payload("session.frames"), { form: "framed" });
  await without.click("document.getElementById('frame-2')");
  assert.match(await text(without, ".error"), /^Refused\. UnknownManifest: /);
  await without.close();
  await tab.close();
});

test("a message that contradicts its session does not take the others along", async () => {
  const [first, other] = ["4401024964 12", "4401024A64 12"].map((schema) => defined(0, manifest(schema, "Order")));
  const messages = [`14${first} 01`, "1480 02", `14${other} 03`, "1480 04"].map(fromHex);
  const tab = await pages.open(frames(messages), { form: "framed session" });
  for (const [frame, shown] of [[3, "Refused."], [2, "Refused."], [1, "Id: 2"], [0, "Id: 1"]] as const) {
    await tab.click(`document.getElementById('frame-${frame}')`);
    assert.ok(await tab.evaluate(`document.querySelector('.tree').textContent.includes('${shown}')`), `frame ${frame}`);
  }
  await tab.close();
});

test("frames in front of one that is cut short are shown, and what is left of it", async () => {
  const tab = await pages.open(queue.subarray(0, queue.length - 3), { form: "framed" });
  await tab.until("document.querySelectorAll('.frames .line').length === 13");
  assert.match(await text(tab, ".tree .line"), /Shop\.Order/);
  await tab.click("document.getElementById('frame-12')");
  assert.match(await text(tab, ".error"), /^Refused\. Frame: the stream ends 141 bytes into a frame$/);
  assert.equal((await text(tab, ".bytes .line")).slice(0, 8), "00000000");
  await tab.close();
});

test("a file without frames says so", async () => {
  const tab = await pages.open(new Uint8Array(), { form: "framed" });
  assert.equal(await text(tab, ".error"), "There are no payloads in the file.");
  assertQuiet(tab);
  await tab.close();
});

test("a payload that is refused is shown as bytes, with the one at which reading stopped", async () => {
  const tab = await pages.open(order.subarray(0, 700), tall);
  assert.match(await text(tab, ".error"), /^Refused\. (Truncated|Length): .* \(at byte \d+\)$/);
  const offset = Number(/at byte (\d+)/.exec(await text(tab, ".error"))?.[1]);
  assert.deepEqual(await litBytes(tab, "bad"), [Math.min(offset, 699)]);
  assert.equal((await texts(tab, ".hex [data-offset]")).length, 700);
  assertQuiet(tab);
  await tab.close();
});

test("texts of a payload and the name of a file are texts", async () => {
  const hostile = "</script><img src=x onerror=\"window.ran=1\"><!--\u202e";
  const utf8 = Buffer.from(hostile, "utf8");
  const hex = utf8.toString("hex");
  const name = `${utf8.length.toString(16).padStart(2, "0")}${hex}`;
  const string = Buffer.concat([Buffer.from([hostile.length * 2 + 2]), Buffer.from(hostile, "utf16le")]).toString("hex");
  const schema = `44 02 ${name} 2A 01 41 42 2A 2A`;
  const bytes = fromHex(`1002 ${longManifest(schema, utf8)} ${string} 00 01 ${string} ${string}`);
  const tab = await pages.open(bytes, { title: hostile });
  await search(tab, "onerror");
  await tab.click(buttonWith("by place"));
  await tab.hover("document.querySelector('.tile')");
  assert.equal(await tab.evaluate("document.querySelectorAll('img').length"), 0);
  assert.equal(await tab.evaluate("document.querySelectorAll('body > script').length"), 1);
  assert.equal(await tab.evaluate("window.ran ?? null"), null);
  const shown = await tab.evaluate<string>("document.body.innerText");
  assert.ok(shown.includes("</script><img src=x onerror="));
  assert.ok(!shown.includes("\u202e") && shown.includes("\\u202E"));
  assertQuiet(tab);
  await tab.close();
});

/** A manifest whose name is longer than those of the other tests. */
function longManifest(schema: string, name: Buffer): string {
  const varint = (value: number): Buffer => Buffer.from(value < 128 ? [value] : [(value & 127) | 128, value >> 7]);
  const body = Buffer.concat([varint(name.length * 2), name, Buffer.from([1]), fromHex(schema)]);
  return Buffer.concat([varint(body.length), body]).toString("hex");
}

test("a damaged payload is shown up to the damage", async () => {
  const cut = order.subarray(0, 500);
  const tab = await pages.open(cut, tall);
  assert.match(await text(tab, ".error"), /^Refused\. (Truncated|Length): .* \(at byte \d+\)$/);
  const whole = await pages.open(order, tall);
  const lines = await texts(tab, ".tree .line");
  assert.ok(lines.length > 5, `${lines.length} lines`);
  const all = new Set((await texts(whole, ".tree .line")).map(withoutSum));
  assert.deepEqual(lines.filter((shown) => !all.has(withoutSum(shown))), []);
  await tab.evaluate("document.querySelectorAll('.tree .line')[1].click()");
  await tab.evaluate(`${buttonWith("by place")}.click()`);
  assertQuiet(tab);
  await tab.close();
  await whole.close();
});

/** Of objects that the damage is in, the number of members is that of those which are there. */
function withoutSum(shown: string): string {
  return shown.replace(/\d+ (members?|elements?|pairs?)$/, "");
}

test("golden payloads: the JSON of the page is that of the reader", async () => {
  const golden = goldenPayloads().filter((_, index) => index % 5 === 0);
  const tab = await pages.open(frames(golden.map(({ bytes }) => bytes)), { form: "framed" });
  for (const [index, { file, title, bytes }] of golden.entries()) {
    await tab.evaluate(`document.querySelector('.frames .scroller').scrollTop = ${index * 40}`);
    await tab.until(`document.getElementById('frame-${index}') !== null`);
    await tab.evaluate(`document.getElementById('frame-${index}').click()`);
    let json: string | null = null;
    try {
      json = toJson(parse(bytes, { limits: { maxDepth: 1e9 } }));
    } catch (error) {
      assert.ok(error instanceof WireFormatError);
      assert.equal(await text(tab, ".error"), `Refused. ${error.kind}: ${error.message}`, `${file}: ${title}`);
      continue;
    }
    await tab.evaluate("document.querySelector('.tree .line').click()");
    await tab.evaluate("document.querySelectorAll('.details button')[1].click()");
    assert.equal(await tab.evaluate("window.copied.pop()"), json, `${file}: ${title}`);
    await tab.evaluate(`${buttonWith("by place")}.click()`);
    assert.equal(await tileBytes(tab), bytes.length, `${file}: ${title}`);
    await tab.evaluate(`${buttonWith("by type")}.click()`);
    await tab.until("document.querySelector('.area > .tile') !== null");
    assert.equal(await tileBytes(tab), bytes.length, `${file}: ${title}, by type`);
  }
  assertQuiet(tab);
  await tab.close();
});

test("a million numbers are groups, of which few are elements", async () => {
  const count = 1_000_000;
  const varint = [(count & 127) | 128, ((count >> 7) & 127) | 128, count >> 14];
  const bytes = Buffer.concat([Buffer.from([0x10, 0x05, 0x15, ...varint]), Buffer.alloc(4 * count)]);
  bytes.writeInt32LE(77_777, bytes.length - 4);
  const tab = await pages.open(bytes);
  assert.deepEqual((await texts(tab, ".tree .line")).slice(0, 2), ["1\u25be1,000,000 elements", "6\u25b8[0 to 999]"]);
  assert.equal(await search(tab, "77777"), "1 of 1");
  assert.match(await selected(tab), /\[999999\] 77777Int32$/);
  assert.deepEqual(await litBytes(tab, "selected"), range(bytes.length - 4, bytes.length));
  assert.ok(await tab.evaluate<number>("document.querySelectorAll('*').length") < 4000);
  await tab.evaluate("document.querySelector('.bytes .scroller').scrollTop = 0");
  await tab.until("document.querySelector('.hex [data-offset]').dataset.offset === '0'");
  assertQuiet(tab);
  await tab.close();
});

test("more bytes than a browser lays out can be scrolled through to the last one", async () => {
  const count = 8_000_000;
  const varint = [(count & 127) | 128, ((count >> 7) & 127) | 128, ((count >> 14) & 127) | 128, count >> 21];
  const tab = await pages.open(Buffer.concat([Buffer.from([0x10, 0x05, 0x12, ...varint]), Buffer.alloc(count)]));
  const last = count + 6;
  await tab.evaluate("document.querySelector('.bytes .scroller').scrollTop = 1e9");
  await tab.until(`${byte(last)} !== null`);
  const [bottom, end] = await tab.evaluate<[number, number]>(
    `[${byte(last)}.getBoundingClientRect().bottom, document.querySelector('.bytes').getBoundingClientRect().bottom]`);
  assert.ok(bottom <= end + 1, "the last byte is in sight");
  await tab.hover(byte(last));
  assert.match(await text(tab, ".tree .lit"), /8,000,000 bytes/);
  await tab.close();
});

test("no depth takes stack", async () => {
  const levels = 100_000;
  const deep = Buffer.concat([Buffer.from([0x10]), ...Array.from({ length: levels }, () => Buffer.from([0x05, 0x2f, 0x01])), fromHex("15 2A000000")]);
  const tab = await pages.open(deep);
  await tab.until("document.querySelector('.area > .tile') !== null");
  assert.equal(await tileBytes(tab), deep.length);
  assert.equal(await search(tab, "42"), "1 of 1");
  assert.match(await selected(tab), /\[0\] 42Int32$/);
  assert.equal(await text(tab, ".levels"), "inside of 99,960 levels");
  await tab.click(buttonWith("by place"));
  assert.equal(await tileBytes(tab), deep.length);
  assertQuiet(tab);
  await tab.close();
});

test("a narrow page has no bytes outside of it", async () => {
  const tab = await pages.open(queue, { form: "framed", title: "a long name of a file ".repeat(9), width: 400, height: 900 });
  await tab.click(`${line(2)}`);
  assert.ok(await tab.evaluate<number>("document.documentElement.scrollWidth") <= 400);
  assert.ok(await tab.evaluate<number>("document.querySelector('.bytes .line').scrollWidth") <= 400);
  const rights = await tab.evaluate<number[]>("[...document.querySelectorAll('button, input, section')].map((found) => found.getBoundingClientRect().right)");
  assert.ok(Math.max(...rights) <= 400, String(rights));
  await tab.close();
});

test("dark and light are those of the browser", async () => {
  for (const dark of [false, true]) {
    const tab = await pages.open(order, { dark });
    const [red = 0] = (await tab.evaluate<string>("getComputedStyle(document.body).backgroundColor")).match(/\d+/g)?.map(Number) ?? [];
    assert.equal(red < 128, dark);
    await tab.close();
  }
});
