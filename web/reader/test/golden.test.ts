import assert from "node:assert/strict";
import { test } from "node:test";
import { parse, PayloadSession, toJson, WireFormatError } from "../src/index.js";
import { parseExact, type Exact } from "./support/exact-json.js";
import { readText } from "./support/repository.js";
import { formatVectors, goldenPayloads, goldenStreams } from "./support/vectors.js";

/** Vectors that are refused by what a .NET type says, which a reader of the bytes alone does not know. */
const needTypes = new Map([
  ["1002030F011500000000", "UnknownKnownType: the table of known types is the program's"],
  ["1002040241011500000000", "TypeRefused: whether the name A is allowed is the program's decision"],
  ["102E2953797374656D2E494F2E46696C6553747265616D", "TypeRefused: whether FileStream is allowed is the program's decision"],
  ["1002131E53797374656D2E44656C6567617465014400", "TypeRefused: whether delegates are allowed is the program's decision"],
  [
    "1002537A" + Buffer.from("System.Collections.Generic.IAsyncEnumerable`1[[System.Int32]]").toString("hex").toUpperCase()
      + "01440110" + Buffer.from("IAsyncEnumerable").toString("hex").toUpperCase() + "1600000000",
    "InvalidValue: that a number is one of an async sequence is known to its type",
  ],
  [
    "10023868" + Buffer.from("System.Collections.Generic.HashSet`1[[System.Int32]]").toString("hex").toUpperCase() + "0149150100",
    "InvalidValue: that the comparer compares other values than the set has is known to the type of the set",
  ],
]);

function entriesOf(text: string): ReadonlyMap<string, Exact> {
  const json = parseExact(text);
  assert.equal(json.kind, "object");
  return new Map(json.kind === "object" ? json.entries : []);
}

/** The kind of error that an entry asks for; null where it is a value. */
function errorOf(json: Exact): string | null {
  const [name, value] = (json.kind === "object" && json.entries[0]) || [];
  return name === "$error" && value?.kind === "literal" ? String(value.value) : null;
}

function check(bytes: Uint8Array, expected: Exact | undefined): void {
  assert.ok(expected !== undefined, "there is no JSON of it");
  const error = errorOf(expected);
  if (error !== null) {
    assert.throws(() => parse(bytes), (thrown) => thrown instanceof WireFormatError && thrown.kind === error);
    return;
  }
  assert.deepEqual(parseExact(toJson(parse(bytes))), expected);
}

test("golden vectors", async (context) => {
  const expected = new Map<string, ReadonlyMap<string, Exact>>();
  const seen = new Set<string>();
  for (const { file, title, bytes } of goldenPayloads()) {
    let entries = expected.get(file);
    if (entries === undefined) {
      entries = entriesOf(readText("tests", "Compat", "1.0", "json", `${file}.json`));
      expected.set(file, entries);
    }
    seen.add(`${file}: ${title}`);
    await context.test(`${file}: ${title}`, () => check(bytes, entries.get(title)));
  }
  const all = [...expected].flatMap(([file, entries]) => [...entries.keys()].map((title) => `${file}: ${title}`));
  assert.deepEqual([...seen].sort(), all.sort(), "each entry has a payload, and the reverse");
  assert.ok(seen.size >= 603);
});

test("golden streams", async (context) => {
  const streams = goldenStreams();
  for (const { file, messages } of streams) {
    const entries = entriesOf(readText("tests", "Compat", "1.0", "json", `${file}.json`));
    assert.deepEqual(messages.map((message) => message.title), [...entries.keys()]);
    await context.test(file, () => {
      const session = new PayloadSession();
      for (const { title, bytes } of messages) {
        assert.deepEqual(parseExact(toJson(parse(bytes, { session }))), entries.get(title), title);
      }
    });
  }
  assert.ok(streams.length >= 8);
});

test("values of docs/format.md", async (context) => {
  const entries = entriesOf(readText("tests", "Compat", "1.0", "json", "format.json"));
  const byName = new Map([...entries].map(([title, json]) => [title.replace(/^\S+ /, ""), json]));
  const values = formatVectors().filter((vector) => vector.kind === "value");
  for (const { clause, name, bytes } of values) {
    await context.test(`${clause} ${name}`, () => check(bytes, byName.get(name)));
  }
  assert.deepEqual([...byName.keys()].sort(), [...new Set(values.map((vector) => vector.name))].sort());
});

test("refused vectors of docs/format.md", async (context) => {
  const refused = formatVectors().filter((vector) => vector.kind === "refused");
  const unused = new Set(needTypes.keys());
  for (const { clause, name, hex, bytes } of refused) {
    if (unused.delete(hex)) {
      await context.test(`${clause} ${hex}: read, for want of types: ${needTypes.get(hex)}`, () => {
        assert.ok(toJson(parse(bytes)).length > 0);
      });
    } else {
      await context.test(`${clause} ${hex}: ${name}`, () => {
        assert.throws(() => parse(bytes), (thrown) => thrown instanceof WireFormatError && thrown.kind === name);
      });
    }
  }
  assert.deepEqual([...unused], [], "each exception has its vector");
  assert.ok(refused.length >= 30);
});
