import assert from "node:assert/strict";
import { test } from "node:test";
import { DateTimeValue, parse, toJson, type PayloadNode, type ScalarValue } from "../src/index.js";
import { jsonOf, manifest, varint } from "./support/hostile.js";
import { fromHex } from "./support/repository.js";

function root(hex: string): PayloadNode {
  return parse(fromHex(hex)).root;
}

function value(hex: string): ScalarValue {
  const node = root(hex);
  assert.ok(node.kind === "scalar");
  return node.value;
}

test("integers keep all their bits", () => {
  assert.equal(value("1017 FFFFFFFFFFFFFF7F"), 9_223_372_036_854_775_807n);
  assert.equal(value("1018 FFFFFFFFFFFFFFFF"), 18_446_744_073_709_551_615n);
  assert.equal(value(`1019 ${"00".repeat(15)}80`), -(2n ** 127n));
  assert.equal(value(`101A ${"FF".repeat(16)}`), 2n ** 128n - 1n);
  assert.equal(value("101B FEFFFFFFFFFFFFFF"), -2n);
  assert.equal(value("102D 03 00 00 80"), -(2n ** 23n));
  assert.equal(value("102D 03 01 00 00"), 1n);
  assert.equal(jsonOf("1017 FFFFFFFFFFFF1F00"), "9007199254740991");
  assert.equal(jsonOf("1017 0000000000002000"), '"9007199254740992"');
  assert.equal(jsonOf("1017 010000000000E0FF"), "-9007199254740991");
});

test("floating-point numbers have the shortest text of their type", () => {
  assert.equal(jsonOf("101E CDCCCC3D"), "0.1");
  assert.equal(jsonOf("101E 01000000"), "1e-45");
  assert.equal(jsonOf("101E 00208040"), "4.0039062");
  assert.equal(jsonOf("101E 006080C0"), "-4.0117188");
  assert.equal(jsonOf("101E FFFF7F7F"), "3.4028235e+38");
  assert.equal(jsonOf("101D 662E"), "0.1");
  assert.equal(jsonOf("101D FF7B"), "65500");
  assert.equal(jsonOf("101D 0100"), "6e-8");
  assert.equal(jsonOf("101F 0000000000000080"), "-0");
  assert.equal(jsonOf("101F 000000000000F07F"), '"Infinity"');
  assert.equal(jsonOf("101D 00FC"), '"-Infinity"');
});

test("the bits of a NaN are kept beside its value", () => {
  const node = root("101F 010000000000F4FF");
  assert.ok(node.kind === "scalar" && Number.isNaN(node.value));
  assert.deepEqual(node.valueBytes, fromHex("010000000000F4FF"));
  assert.equal(jsonOf("101F 010000000000F4FF"), '"NaN"');
});

test("decimals keep their digits", () => {
  assert.equal(value(`1020 ${"FF".repeat(12)} 00001C80`), "-7.9228162514264337593543950335");
  assert.equal(jsonOf("1020 0A000000 00000000 00000000 00000200"), "0.10");
  assert.equal(jsonOf("1020 FF7FC6A47E8D0300 00000000 00000000"), "999999999999999");
  assert.equal(jsonOf("1020 0080C6A47E8D0300 00000000 00000000"), '"1000000000000000"');
  assert.equal(jsonOf("1020 00000000 00000000 00000000 00000280"), "0.00");
});

test("times", () => {
  assert.equal(jsonOf("1024 0000000000000000"), '"0001-01-01T00:00:00"');
  assert.equal(jsonOf("1024 FF3F37F47528CAAB"), '"9999-12-31T23:59:59.9999999[local]"');
  assert.equal(jsonOf("1027 DAB93700"), '"9999-12-31"');
  assert.equal(jsonOf("1028 40420F0000000000"), '"00:00:00.1"');
  assert.equal(jsonOf("1026 0000000000000080"), '"-10675199.02:48:05.4775808"');
  assert.equal(jsonOf("1026 0000000000000000"), '"00:00:00"');
  const time = value("1024 80003B6D308FD748");
  assert.ok(time instanceof DateTimeValue && time.kind === "utc");
});

test("texts", () => {
  assert.equal(jsonOf("1021 00DC"), '"\\udc00"');
  assert.equal(jsonOf("102A 0B 22 5C 0A 00 7F"), '"\\"\\\\\\n\\u0000\x7f"');
  assert.equal(jsonOf("102A 08 3DD8 00DE 00D8"), '"\u{1f600}\\ud800"');
  const units = 100_001;
  assert.equal(value(`102A ${varint(1 + 2 * units)} ${"61".repeat(units)}`), "a".repeat(units));
});

test("enums show their names, and the number where there is none", () => {
  const color = manifest("4B11 02 024E6F 00 0359657E FF01");
  assert.equal(jsonOf(`1002${color} FF`), '{"$type":"A","$value":"Ye~"}');
  assert.equal(jsonOf(`1002${color} 00`), '{"$type":"A","$value":"No"}');
  assert.equal(jsonOf(`1002${color} FE`), '{"$type":"A","$value":-2}');
  assert.equal(jsonOf(`1002${manifest("41 4B12 01 0161 01")} 02 01 02`), '{"$type":"A","$values":["a",2]}');
});

test("maps whose keys can be names are objects, and others pairs", () => {
  const map = manifest("42 2A 12");
  assert.equal(jsonOf(`1002${map} 00 02 0324 01 0361 02`), '{"$type":"A","$$":1,"a":2}');
  assert.equal(jsonOf(`1002${map} 00 01 00 01`), '{"$type":"A","$pairs":[{"key":null,"value":1}]}');
  assert.equal(jsonOf(`1002${map} 00 01 0400D8 01`), '{"$type":"A","$pairs":[{"key":"\\ud800","value":1}]}');
  assert.equal(jsonOf(`1002${map} 05 00`), '{"$type":"A","$comparer":"ReferenceEquality"}');
  assert.equal(jsonOf(`1002${manifest("42 12 12")} 12 10 0361 02000000 14 0362 00`),
    '{"$type":"A","$comparer":"Culture(a, 2), values: CaseInsensitiveComparer(b)","$pairs":[]}');
  assert.equal(
    jsonOf(`1002${manifest("41 49 12")} 01 03 01 07`),
    '{"$type":"A","$values":[{"$comparer":"InvariantCulture","$values":[7]}]}',
  );
});

test("a comparer that is an object is shown by its type", () => {
  assert.equal(jsonOf(`1002${manifest("49 12")} 11 02 04 0B 01 48 01 00 00`),
    '{"$type":"A","$comparer":"known type 5","$values":[]}');
  assert.equal(jsonOf(`1002${manifest("49 12")} 11 2F 00`), '{"$type":"A","$comparer":"object","$values":[]}');
});

test("names that begin with $ have one more", () => {
  assert.equal(jsonOf(`1002${manifest("44 02 03246964 12 00 12")} 01 02`), '{"$type":"A","$$id":1,"":2}');
});

test("references lead to their objects, and the numbers of these are shown", () => {
  const node = root("1205 2F 02 02 0C 08 4E6F6465 01 44 01 01 4E 46 00 01 01 01 01");
  assert.ok(node.kind === "sequence");
  const [first, again] = [...node.elements()];
  assert.ok(again?.kind === "reference" && again.target === first && first?.kind === "members");
  const inner = first.get("N");
  assert.ok(inner?.kind === "reference" && inner.number === 1 && inner.target === first);
  assert.equal(jsonOf("1205 2F 01 01 00"), '{"$id":0,"$values":[{"$ref":0}]}');
});

test("what stands for an object has its name unless a type inside is said", () => {
  assert.equal(jsonOf(`1002${manifest("46 44 01 01 61 12")} 04 07`), '{"$type":"A","a":7}');
  assert.equal(jsonOf(`1002${manifest("46 00")} 12 07`), '{"$type":"A","$value":7}');
  assert.equal(jsonOf(`1002${manifest("46 00")} 02 ${manifest("12", "B")} 07`), '{"$type":"B","$value":7}');
  assert.equal(jsonOf(`1002${manifest("46 00")} 02 03 00 01 12 07`), "7");
  assert.equal(jsonOf(`1202${manifest("46 00")} 01 00`), '{"$ref":0}');
});

test("offsets and lengths are those of the bytes", () => {
  const node = root("1002 0F 0A 506F696E74 01 44 02 01 58 15 01 59 15 01000000 02000000");
  assert.ok(node.kind === "members");
  assert.deepEqual([node.offset, node.length, node.typeName], [1, 25, "Point"]);
  const y = node.get("Y");
  assert.deepEqual([y?.offset, y?.length, y?.rawBytes], [22, 4, fromHex("02000000")]);
  assert.equal(toJson(parse(fromHex("1005 12 03 010203"))), '"AQID"');
});

test("a document says where its types are defined", () => {
  const first = manifest("44 01 01 41 46 00", "First");
  const second = manifest("12", "Second");
  const bytes = fromHex(`1005 2F 03 02 ${first} 02 ${second} 07 81 08 80 00`);
  const { definitions, root: { offset } } = parse(bytes);
  assert.equal(offset, 1);
  assert.deepEqual(definitions.map(({ type, offset: start, length }) => [type.name, start, length]), [
    ["First", 4, first.length / 2 + 1], ["Second", 5 + first.length / 2, second.length / 2 + 1],
  ]);
  assert.deepEqual(definitions.map(({ offset: start }) => bytes[start]), [2, 2]);
});

test("a byte in a message has two digits", () => {
  assert.throws(() => parse(fromHex("1006")), /^WireFormatError: 0x06 is no tag \(at byte 1\)$/);
  assert.throws(() => parse(fromHex("0A00")), /0x0A is no header/);
});

test("flags have the names of their bits", () => {
  const names = (schema: string, bits: string): string => {
    const node = root(`1002${manifest(schema)} ${bits}`);
    assert.ok(node.kind === "scalar");
    return node.enumNames.join();
  };
  const flags = "4B12 04 0141 01 0142 01 0143 02 0144 02";
  assert.equal(names(flags, "01"), "A");
  assert.equal(names(flags, "05"), "A,C");
  assert.equal(names(flags, "07"), "A,D");
  assert.equal(names(flags, "06"), "D");
  assert.equal(names(flags, "08"), "");
  assert.equal(names(flags, "00"), "");
  const inRow = "4B12 04 0141 01 0142 01 0143 01 0144 01";
  assert.equal(names(inRow, "04"), "D");
  assert.equal(names(inRow, "05"), "");
});
