import assert from "node:assert/strict";
import { test } from "node:test";
import { parse, toJson, WireFormatError } from "../src/index.js";
import { assertRefused, countWork, jsonOf, manifest, readOrRefuse, varint } from "./support/hostile.js";
import { fromHex } from "./support/repository.js";

test("no input is a payload cut short", () => {
  assertRefused("", "Truncated");
});

test("every beginning of a payload is refused", () => {
  const whole = fromHex("1002160A436F6C6F72014B1202035265640005477265656E0101");
  for (let length = 0; length < whole.length; length++) {
    assert.notEqual(readOrRefuse(whole.subarray(0, length)), null, `${length} bytes`);
  }
});

test("what is in front of a cut can be looked at", () => {
  // A list of "x" and two numbers, and a map of texts to numbers.
  const schema = manifest("44 02 01 4C 41 46 00 01 4D 42 2A 15");
  const whole = fromHex(`1002${schema} 02 2A 03 78 05 15 02 01000000 02000000 00 02 03 61 01000000 03 62 02000000`);
  assert.equal(toJson(parse(whole)), '{"$type":"A","L":["x",[1,2]],"M":{"a":1,"b":2}}');
  const seen = new Set<string>();
  for (let length = 0; length < whole.length; length++) {
    const { beginning } = refusal(whole.subarray(0, length));
    seen.add(beginning === null ? "" : toJson(beginning));
  }
  assert.deepEqual([...seen], [
    "", '{"$type":"A"}', '{"$type":"A","L":[]}', '{"$type":"A","L":["x"]}', '{"$type":"A","L":["x",[1,2]]}',
    '{"$type":"A","L":["x",[1,2]],"M":{"a":1}}',
  ]);
  assert.equal(toJson(refusal(Buffer.concat([whole, Buffer.from([0])])).beginning ?? parse(fromHex("1000"))), toJson(parse(whole)));
  assert.equal(refusal(fromHex("7B")).beginning, null);
});

function refusal(bytes: Uint8Array): WireFormatError {
  try {
    parse(bytes);
  } catch (error) {
    assert.ok(error instanceof WireFormatError);
    return error;
  }
  assert.fail("it is whole");
}

test("values inside each other to the limit take no stack, and one more is refused", () => {
  const chain = (levels: number): string => `1002${manifest("4401044E657874464500")}${"04".repeat(levels - 1)}00`;
  const deepest = parse(fromHex(chain(1_000)));
  assert.match(toJson(deepest), /\{"\$deeper":701\}/);
  assert.equal(toJson(deepest, { maxDepth: 1_000 }).match(/Next/g)?.length, 1_000);
  assertRefused(chain(1_001), "Limit");
  assert.match(jsonOf(chain(200_000), { limits: { maxDepth: 200_000 } }), /\$deeper/);
});

test("sequences inside each other without a tag are bounded by their bytes, and take no stack", () => {
  assert.match(jsonOf(`1002${manifest("4401016141 4500")}${"01".repeat(200_000)}00`), /\{"\$deeper":199851\}/);
});

test("arrays behind tags count as levels, and values that a shape lays out inside them do not", () => {
  const options = { limits: { maxDepth: 5 } };
  const nested = (arrays: number): string => `1002${manifest("44010141 46414500")}${"0401".repeat(arrays)}00`;
  assert.match(jsonOf(nested(4), options), /"A"/);
  assertRefused(nested(5), "Limit", options);
});

test("counts are compared with the bytes that are left before anything is made", () => {
  const most = varint(2_147_483_591);
  assertRefused(`1005 15 ${most}`, "Length");
  assertRefused(`1005 12 ${varint(2_147_483_592)}`, "Limit");
  assertRefused(`1002${manifest("43 15")} 02 ${most} 00000000 ${most} 00000000`, "InvalidValue");
  assertRefused(`1002${manifest("42 15 15")} 00 02 0000000000000000 00`, "Length");
  assertRefused(`1002${manifest("47")} ${most}`, "Length");
  assertRefused(`102A ${varint(0x7fffffff)}`, "Limit");
  assertRefused("102A FEFFFF7F", "Length");
  assertRefused(`102D ${most}`, "Length");
  assertRefused(`1002${most}`, "Manifest");
  assertRefused("1002 04 0241", "Truncated");
  assertRefused(`1002${manifest("41 44 02 01 61 15 01 62 2A")} 02 0000000000 00000000`, "Length");
  assertRefused("1002 0A 00 01 44 FFFFFFFF0F 00 00", "Manifest");
});

test("parts of a schema without bytes are refused", () => {
  for (const schema of ["414400", "494400", "42 15 4400", "434400", "40 4400", "44 01 01 61 4400", "46 4400"]) {
    assertRefused(`1002${manifest(schema)} FFFFFFFF07`, "Manifest");
  }
  assert.equal(jsonOf(`1002${manifest("4400")}`), '{"$type":"A"}');
  assert.equal(jsonOf(`1002${manifest("4A 01 01 61 4400")} 00`), '{"$type":"A","$case":"a"}');
});

test("a schema nests to 32 levels, and a deeper one is refused", () => {
  assert.match(jsonOf(`1002${manifest(`${"40".repeat(32)}15`)} 00`), /null/);
  assertRefused(`1002${manifest(`${"40".repeat(33)}15`)} 00`, "Manifest");
  assertRefused(`1002${manifest("40".repeat(200_000))} 00`, "Manifest");
  assert.match(jsonOf(`1002${manifest(`${"40".repeat(30)} 4A 01 0161 44 01 0162 12`)} 00`), /null/);
  assertRefused(`1002${manifest(`${"40".repeat(31)} 4A 01 0161 44 01 0162 12`)} 00`, "Manifest");
});

test("the limits that are asked for hold", () => {
  const array = "1005 2F 03 2F 2F 2F";
  assertRefused(array, "Limit", { limits: { maxObjects: 3 } });
  assertRefused(array, "Limit", { limits: { maxElements: 2 } });
  assertRefused(array, "Limit", { limits: { maxNodes: 3 } });
  assertRefused(array, "Limit", { limits: { maxBytes: 5 } });
  assertRefused(array, "Limit", { limits: { maxDepth: 1 } });
  assertRefused("102A 07 616263", "Limit", { limits: { maxStringLength: 2 } });
  assertRefused(`1002${manifest("15")} 00000000`, "Limit", { limits: { maxManifests: 0 } });
  assertRefused(`1002${manifest("15")} 00000000`, "Limit", { limits: { maxManifestBytes: 3 } });
});

test("objects inside of frames are counted", () => {
  assertRefused(`1202${manifest("47")} 01 02 AA`, "Length");
  assertRefused(`1202${manifest("47")} 01 01 AA`, "Limit", { limits: { maxObjects: 1 } });
  assert.equal(jsonOf(`1205 2F 02 02${manifest("47")} 02 02 AAAA 01 03`), '[{"$type":"A","$bytes":"qqo="},{"$ref":3}]');
  assertRefused(`1205 2F 02 02${manifest("47")} 02 02 AAAA 01 04`, "Reference");
});

test("a long name that many values have is not repeated without bound", () => {
  const name = "N".repeat(16_000);
  const count = 60_000;
  const payload = fromHex(`1005 2F ${varint(count)} 02 ${manifest("12", name)} 00 ${"8000".repeat(count - 1)}`);
  const document = parse(payload);
  assert.throws(() => toJson(document), (thrown) => thrown instanceof WireFormatError && thrown.kind === "Limit");
});

test("arrays of bytes and numbers make no nodes until they are asked for", () => {
  const bytes = new Uint8Array(20_000_000);
  bytes.set(fromHex(`1005 15 ${varint(4_000_000)}`));
  const document = parse(bytes, { limits: { maxNodes: 1 }, allowTrailingBytes: true });
  assert.ok(document.root.kind === "sequence" && document.root.count === 4_000_000);
  assert.equal(document.root.at(3_999_999)?.kind, "scalar");
  assert.equal(document.root.at(4_000_000), undefined);
  assert.ok(countWork(() => parse(bytes, { allowTrailingBytes: true })) < 20);
});

test("a big integer is kept as bytes, and is not made a number beyond a megabyte", () => {
  const size = (1 << 20) + 1;
  const bytes = new Uint8Array(size + 5).fill(1);
  bytes.set(fromHex(`10 2D ${varint(size)}`));
  const { root } = parse(bytes);
  assert.ok(root.kind === "scalar");
  assert.throws(() => root.value, (thrown) => thrown instanceof WireFormatError && thrown.kind === "Limit");
});

test("names and numbers in manifests that are none are refused", () => {
  assertRefused("1002 05 04 C328 01 15 00000000", "Manifest");
  assertRefused("1002 07 0241 01 44 01 01 FF 15", "Manifest");
  assertRefused("1002 08 82 80 80 80 10 41 01 15", "Manifest");
  assertRefused(`1002${manifest("4800")}`, "Manifest");
  assertRefused(`1002${manifest("48 818004")}`, "Manifest");
  assertRefused(`1002${manifest("4B12 01 01 61 FFFFFFFFFFFFFFFFFF02")}`, "Manifest");
  assertRefused("1002 03 00 01 15 00000000", "Manifest");
  assertRefused("1002 04 0241 04 15 00000000", "Manifest");
});

test("bytes that are no value of their type are refused", () => {
  assertRefused("1028 00C0692AC9000000", "InvalidValue");
  assertRefused("1027 DBB93700", "InvalidValue");
  assertRefused("1025 0000000000000000 0100", "InvalidValue");
  assertRefused("1025 00C0692AC9000000 4903", "InvalidValue");
  assertRefused("1020 0F000000 00000000 00000000 00001D00", "InvalidValue");
  assertRefused("1020 0F000000 00000000 00000000 01000080", "InvalidValue");
  assertRefused("102B 03 0361", "InvalidValue");
  assertRefused("102B 01 00", "InvalidValue");
  assertRefused("102E 00", "InvalidValue");
  assertRefused("102C FFFFFFFF 00000000 FFFFFFFF FFFFFFFF", "InvalidValue");
  assertRefused("102C 01000000 00000000 FFFFFFFF 01000000", "InvalidValue");
  assertRefused("1022 00001100", "InvalidValue");
  assertRefused("1005 10 02 01 02", "InvalidValue");
  assertRefused(`1002${manifest("40 15")} 02`, "InvalidValue");
  assertRefused(`1002${manifest("4A 01 01 61 4400")} 01`, "InvalidValue");
  assertRefused(`1002${manifest("4315")} 00`, "InvalidValue");
  assertRefused(`1002${manifest("4315")} 21`, "InvalidValue");
  for (const comparer of ["0B", "15", "FF", "12 12 00 00", "13 00"]) {
    assertRefused(`1002${manifest("4915")} ${comparer} 00`, "InvalidValue");
  }
});

test("bytes in a larger buffer are read where they are", () => {
  const buffer = fromHex("FFFFFF 10 15 2A000000 FF");
  assert.equal(toJson(parse(buffer.subarray(3, 9))), "42");
});
