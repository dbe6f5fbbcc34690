import assert from "node:assert/strict";
import { parse, toJson, WireFormatError, type ParseOptions, type PayloadDocument, type WireErrorKind } from "../../src/index.js";
import { definitionCheck } from "../../src/check.js";
import { Cursor } from "../../src/cursor.js";
import { fromHex } from "./repository.js";

let takes = 0;
const take = Cursor.prototype.take;
Cursor.prototype.take = function (this: Cursor, count: number): number {
  takes++;
  return take.call(this, count);
};

/** Does something, and returns how often bytes were taken from a payload meanwhile: work, without a clock. */
export function countWork(action: () => void): number {
  takes = 0;
  action();
  return takes;
}

/** Reads a payload and makes JSON of it, or is refused with the one error; anything else fails. Returns the kind of the error, if any. */
export function readOrRefuse(bytes: Uint8Array, options: ParseOptions = {}): WireErrorKind | null {
  try {
    const document = parse(bytes, options);
    checkNodes(document, bytes);
    JSON.parse(toJson(document));
    return null;
  } catch (error) {
    if (!(error instanceof WireFormatError)) {
      throw error;
    }
    assert.ok(error.offset >= 0 && error.offset <= bytes.length, `the offset ${error.offset} is beyond the ${bytes.length} bytes`);
    return error.kind;
  }
}

function checkNodes(document: PayloadDocument, bytes: Uint8Array): void {
  const { root, length } = document;
  assert.ok(length <= bytes.length);
  assert.deepEqual([root.offset, root.length], [1, length - 1]);
}

/** Whether these bytes, in hexadecimal, are refused with this kind. */
export function assertRefused(hex: string, kind: WireErrorKind, options: ParseOptions = {}): void {
  assert.throws(
    () => parse(fromHex(hex), options),
    (thrown) => thrown instanceof WireFormatError && (thrown.kind === kind || assert.fail(`${thrown.kind}: ${thrown.message}`)),
  );
}

/** The JSON of a payload in hexadecimal. */
export function jsonOf(hex: string, options: ParseOptions = {}): string {
  return toJson(parse(fromHex(hex), options));
}

/** A manifest with a name and a schema in hexadecimal, its length in front. */
export function manifest(schema: string, name = "A"): string {
  const text = Buffer.from(name, "utf8").toString("hex");
  const header = varint(name.length * 2);
  const body = `${header}${text}01${schema.replace(/\s/g, "")}`;
  return `${varint(body.length / 2)}${body}`;
}

/** The definition of a manifest in a message of a session, by its identifier, behind the header or a tag in front. */
export function defined(identifier: number, withLength: string): string {
  const hex = withLength.replace(/\s/g, "");
  const bytes = fromHex(hex);
  const length = new Cursor(bytes, 0, bytes.length);
  const check = new Uint8Array(4);
  const count = length.varint();
  new DataView(check.buffer).setUint32(0, definitionCheck(identifier, bytes.subarray(length.position, length.position + count)), true);
  return `02${varint(identifier)}${hex}${Buffer.from(check).toString("hex")}`;
}

export function varint(value: number): string {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) {
      return Buffer.from([...bytes, rest]).toString("hex");
    }
    bytes.push((rest % 128) + 128);
  }
}
