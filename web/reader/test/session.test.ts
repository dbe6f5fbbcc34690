import assert from "node:assert/strict";
import { test } from "node:test";
import { FrameSplitter, parse, parseFrames, PayloadSession, readFrames, toJson, WireFormatError } from "../src/index.js";
import { assertRefused, defined, jsonOf, manifest } from "./support/hostile.js";
import { fromHex } from "./support/repository.js";
import { formatVectors } from "./support/vectors.js";

const order = manifest("4401024964 12", "Order");
const line = manifest("12", "Line");
const withoutSchema = "0A 08 4C696E65 00 01020304";

test("two messages of one session, one behind the other", () => {
  const vector = formatVectors().find((candidate) => candidate.name.startsWith("two messages of one session"));
  assert.ok(vector !== undefined);
  const session = new PayloadSession();
  const first = parse(vector.bytes, { session, allowTrailingBytes: true });
  assert.ok(first.isSessionMessage && !first.hasReferences);
  assert.equal(toJson(first), '{"$type":"Order","Id":7,"Note":null}');
  const second = parse(vector.bytes.subarray(first.length), { session });
  assert.equal(toJson(second), '{"$type":"Order","Id":8,"Note":null}');
  assertRefused(Buffer.from(vector.bytes.subarray(first.length)).toString("hex"), "UnknownManifest");
});

test("a message may define again what is known, and a contradiction ends the session", () => {
  const session = new PayloadSession();
  assert.equal(jsonOf(`14${defined(0, order)} 01`, { session }), '{"$type":"Order","Id":1}');
  assert.equal(jsonOf(`14${defined(0, order)} 02`, { session }), '{"$type":"Order","Id":2}');
  assertRefused(`14${defined(0, line)} 03`, "Manifest", { session });
  assert.ok(session.ended);
  assertRefused("1480 01", "Manifest", { session });
});

test("a message that defines one identifier twice is refused where the two differ", () => {
  const twice = `1405 2F 02 ${defined(0, line)} 01 ${defined(0, line)} 02`;
  assert.equal(jsonOf(twice), '[{"$type":"Line","$value":1},{"$type":"Line","$value":2}]');
  const session = new PayloadSession();
  assertRefused(`1405 2F 02 ${defined(0, line)} 01 ${defined(0, order)} 02`, "Manifest", { session });
  assert.ok(!session.ended);
  assertRefused("1480 01", "UnknownManifest", { session });
});

test("what stands in front of a value without a schema is learned, until a message says otherwise", () => {
  const session = new PayloadSession();
  assertRefused(`1405 2F 02 ${defined(0, order)} 01 ${defined(1, withoutSchema)} 00`, "SchemaMismatch", { session });
  assert.equal(jsonOf("1480 05", { session }), '{"$type":"Order","Id":5}');
  assert.equal(jsonOf(`14${defined(0, line)} 06`, { session }), '{"$type":"Line","$value":6}');
  assertRefused(`14${defined(0, order)} 07`, "Manifest", { session });
});

test("damage teaches a session nothing", () => {
  for (const damaged of [`14${defined(0, order)}`, `14${defined(0, order)} 01 FF`, `1405 2F 02 ${defined(0, order)} 01 06`]) {
    const session = new PayloadSession();
    assert.throws(() => jsonOf(damaged, { session }), WireFormatError);
    assertRefused("1480 01", "UnknownManifest", { session });
  }
});

test("damage to a definition changes no later message", () => {
  const message = Buffer.from(`14${defined(0, order)} 01`.replaceAll(" ", ""), "hex");
  for (let bit = 8; bit < message.length * 8; bit++) {
    const session = new PayloadSession();
    const damaged = Uint8Array.from(message, (byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
    const first = outcome(() => toJson(parse(damaged, { session })));
    const second = outcome(() => jsonOf("1480 02", { session }));
    assert.ok(first === "refused" || bit >> 3 === message.length - 1, `bit ${bit} is not seen`);
    assert.ok(second === "refused" || second === '{"$type":"Order","Id":2}', `bit ${bit} gives ${second}`);
  }
});

function outcome(read: () => string): string {
  try {
    return read();
  } catch (thrown) {
    assert.ok(thrown instanceof WireFormatError);
    return "refused";
  }
}

test("a payload that is no message has manifests of its own", () => {
  const session = new PayloadSession();
  jsonOf(`14${defined(0, order)} 01`, { session });
  assert.equal(jsonOf(`1002 ${line} 02`, { session }), '{"$type":"Line","$value":2}');
  assertRefused("1080 01", "UnknownManifest", { session });
  assert.equal(jsonOf("1480 03", { session }), '{"$type":"Order","Id":3}');
});

test("a session keeps manifests up to its limits", () => {
  const session = new PayloadSession();
  const limits = { maxManifests: 2, maxManifestBytes: 20 };
  jsonOf(`14${defined(1, order)} 01`, { session, limits });
  assertRefused(`14${defined(2, line)} 01`, "Limit", { session, limits });
  assertRefused(`14${defined(0, manifest("12", "A longer name"))} 01`, "Limit", { session, limits });
});

const framed = fromHex("06000000 10152A000000 02000000 1000");

test("the payloads of a framed file", () => {
  assert.deepEqual([...parseFrames(framed)].map((document) => toJson(document)), ["42", "null"]);
  assert.deepEqual([...readFrames(new Uint8Array())], []);
});

test("a framed stream is split wherever its chunks end", () => {
  for (let size = 1; size <= framed.length; size++) {
    const splitter = new FrameSplitter();
    const payloads: string[] = [];
    for (let start = 0; start < framed.length; start += size) {
      splitter.push(framed.subarray(start, start + size));
      for (let payload = splitter.next(); payload !== null; payload = splitter.next()) {
        payloads.push(toJson(parse(payload)));
      }
    }
    splitter.end();
    assert.deepEqual(payloads, ["42", "null"], `chunks of ${size}`);
  }
});

test("a frame that is cut short or too long is refused", () => {
  for (let length = 1; length < framed.length; length++) {
    if (length !== 10) {
      assert.throws(
        () => [...readFrames(framed.subarray(0, length))],
        (thrown) => thrown instanceof WireFormatError && thrown.kind === "Frame",
      );
    }
  }
  assert.throws(
    () => [...readFrames(fromHex("01000004"))],
    (thrown) => thrown instanceof WireFormatError && thrown.kind === "Limit" && thrown.offset === 0,
  );
});
