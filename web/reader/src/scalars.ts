import type { BuiltIn } from "./builtin.js";
import type { Cursor } from "./cursor.js";
import { WireFormatError } from "./errors.js";
import type { Limits } from "./limits.js";
import { decimalText, halfOf, integerOf } from "./numbers.js";
import {
  DateOnlyValue, DateTimeOffsetValue, DateTimeValue, maxDays, maxTicks, TimeOnlyValue, TimeSpanValue, type DateTimeKind,
} from "./time.js";

export interface ComplexValue {
  readonly real: number;
  readonly imaginary: number;
}

/**
 * The value of a scalar. Integers of 64 bits and more are `bigint`; a decimal, `Guid`, `Version`, `Uri`, `Type`, `char` and `Rune` are
 * strings.
 */
export type ScalarValue =
  | boolean | number | bigint | string | ComplexValue
  | DateTimeValue | DateTimeOffsetValue | TimeSpanValue | DateOnlyValue | TimeOnlyValue;

const ticksPerMinute = 600_000_000n;
const ticksPerDay = 864_000_000_000n;
const maxOffsetMinutes = 840;
const clockMask = (1n << 62n) - 1n;
const kinds: readonly DateTimeKind[] = ["unspecified", "utc", "local", "localFirst"];

/** The first byte of a Uri: 0 for a relative one, 1 for an absolute one, and this for an absolute one whose path stands for itself. */
const verbatimUri = 2;

/** Longer integers are values too; only turning them into a number takes too long to do it unasked. */
const maxIntegerBytes = 1 << 20;

/** Moves behind a value of the type, and refuses bytes that are none. Returns whether there is one: a string may be null. */
export function passScalar(cursor: Cursor, type: BuiltIn, limits: Limits): boolean {
  const start = cursor.position;
  switch (type.name) {
    case "string":
      return passString(cursor, limits);
    case "Uri":
      if (cursor.byte() > verbatimUri) {
        throw cursor.error("InvalidValue", "a Uri is neither absolute nor relative", start);
      }
      return passText(cursor, limits, "Uri");
    case "Type":
      return passText(cursor, limits, "Type");
    case "BigInteger":
      passBigInteger(cursor, limits);
      return true;
    default:
      cursor.take(type.size);
      checkFixed(cursor, type, start);
      return true;
  }
}

function passString(cursor: Cursor, limits: Limits): boolean {
  const start = cursor.position;
  const header = cursor.varint();
  if (header === 0) {
    return false;
  }
  const length = (header - 1) >>> 1;
  if (length > limits.maxStringLength) {
    throw cursor.error("Limit", `a string has ${length} characters, and at most ${limits.maxStringLength} are allowed`, start);
  }
  const bytes = ((header - 1) & 1) === 0 ? length : length * 2;
  if (bytes > cursor.remaining) {
    throw cursor.error("Length", `a string has ${bytes} bytes, and ${cursor.remaining} are left`, start);
  }
  cursor.take(bytes);
  return true;
}

function passText(cursor: Cursor, limits: Limits, type: string): true {
  const start = cursor.position;
  if (!passString(cursor, limits)) {
    throw cursor.error("InvalidValue", `the text of a ${type} is null`, start);
  }
  return true;
}

function passBigInteger(cursor: Cursor, limits: Limits): void {
  const start = cursor.position;
  const count = cursor.varint();
  if (count === 0) {
    throw cursor.error("InvalidValue", "a BigInteger has no bytes", start);
  }
  if (count > limits.maxElements) {
    throw cursor.error("Limit", `a BigInteger has ${count} bytes, and at most ${limits.maxElements} are allowed`, start);
  }
  if (count > cursor.remaining) {
    throw cursor.error("Length", `a BigInteger has ${count} bytes, and ${cursor.remaining} are left`, start);
  }
  cursor.take(count);
}

/** Refuses bytes of a fixed size that are no value of the type. */
export function checkFixed(cursor: Cursor, type: BuiltIn, start: number): void {
  if (!isValue(type, viewOf(cursor.bytes, start, type.size))) {
    throw cursor.error("InvalidValue", `the bytes are no ${type.name}`, start);
  }
}

/** Whether every pattern of bits of the type's size is a value. */
export function takesAllBits(type: BuiltIn): boolean {
  return !["bool", "decimal", "Rune", "DateTime", "DateTimeOffset", "DateOnly", "TimeOnly", "Version"].includes(type.name);
}

function isValue(type: BuiltIn, view: DataView): boolean {
  switch (type.name) {
    case "bool":
      return view.getUint8(0) <= 1;
    case "decimal": {
      const last = view.getUint32(12, true);
      return (last & 0x7f00ffff) === 0 && ((last >>> 16) & 0xff) <= 28;
    }
    case "Rune": {
      const scalar = view.getUint32(0, true);
      return scalar <= 0x10ffff && (scalar < 0xd800 || scalar > 0xdfff);
    }
    case "DateTime":
      return (view.getBigUint64(0, true) & clockMask) <= maxTicks;
    case "DateTimeOffset": {
      const ticks = view.getBigUint64(0, true);
      const offset = view.getInt16(8, true);
      const utc = ticks - BigInt(offset) * ticksPerMinute;
      return ticks <= maxTicks && Math.abs(offset) <= maxOffsetMinutes && utc >= 0n && utc <= maxTicks;
    }
    case "DateOnly":
      return view.getUint32(0, true) <= maxDays;
    case "TimeOnly":
      return view.getBigUint64(0, true) < ticksPerDay;
    case "Version": {
      const build = view.getInt32(8, true);
      const revision = view.getInt32(12, true);
      return view.getInt32(0, true) >= 0 && view.getInt32(4, true) >= 0 && build >= -1 && revision >= -1 &&
        (build !== -1 || revision === -1);
    }
    default:
      return true;
  }
}

/** The value of bytes that `passScalar` has moved behind. */
export function readScalar(bytes: Uint8Array, start: number, end: number, type: BuiltIn): ScalarValue {
  const view = viewOf(bytes, start, end - start);
  switch (type.name) {
    case "bool":
      return view.getUint8(0) === 1;
    case "sbyte":
      return view.getInt8(0);
    case "byte":
      return view.getUint8(0);
    case "short":
      return view.getInt16(0, true);
    case "ushort":
      return view.getUint16(0, true);
    case "int":
      return view.getInt32(0, true);
    case "uint":
      return view.getUint32(0, true);
    case "long":
    case "nint":
      return view.getBigInt64(0, true);
    case "ulong":
    case "nuint":
      return view.getBigUint64(0, true);
    case "Int128":
      return integerOf(bytes.subarray(start, end), true);
    case "UInt128":
      return integerOf(bytes.subarray(start, end), false);
    case "Half":
      return halfOf(view.getUint16(0, true));
    case "float":
      return view.getFloat32(0, true);
    case "double":
      return view.getFloat64(0, true);
    case "decimal": {
      const last = view.getUint32(12, true);
      return decimalText(integerOf(bytes.subarray(start, start + 12), false), (last >>> 16) & 0xff, last >>> 31 === 1);
    }
    case "char":
      return String.fromCharCode(view.getUint16(0, true));
    case "Rune":
      return String.fromCodePoint(view.getUint32(0, true));
    case "Guid":
      return guidText(view);
    case "DateTime": {
      const bits = view.getBigUint64(0, true);
      return new DateTimeValue(bits & clockMask, kinds[Number(bits >> 62n)] ?? "unspecified");
    }
    case "DateTimeOffset":
      return new DateTimeOffsetValue(view.getBigUint64(0, true), view.getInt16(8, true));
    case "TimeSpan":
      return new TimeSpanValue(view.getBigInt64(0, true));
    case "DateOnly":
      return new DateOnlyValue(view.getUint32(0, true));
    case "TimeOnly":
      return new TimeOnlyValue(view.getBigUint64(0, true));
    case "Complex":
      return { real: view.getFloat64(0, true), imaginary: view.getFloat64(8, true) };
    case "string":
    case "Type":
      return readString(bytes, start) ?? "";
    case "Uri":
      return readString(bytes, start + 1) ?? "";
    case "Version":
      return versionText(view);
    case "BigInteger":
      return readBigInteger(bytes, start, end);
  }
}

/** The string whose header is at this byte. */
export function readString(bytes: Uint8Array, start: number): string | null {
  let header = 0;
  let position = start;
  for (let shift = 0; ; shift += 7) {
    const next = bytes[position++] ?? 0;
    header += (next & 0x7f) * 2 ** shift;
    if (next < 0x80) {
      break;
    }
  }
  if (header === 0) {
    return null;
  }
  const length = (header - 1) >>> 1;
  const wide = ((header - 1) & 1) === 1;
  const view = viewOf(bytes, position, wide ? length * 2 : length);
  const chunks: string[] = [];
  const chunk = 8192;
  for (let from = 0; from < length; from += chunk) {
    const units = new Uint16Array(Math.min(chunk, length - from));
    for (let index = 0; index < units.length; index++) {
      units[index] = wide ? view.getUint16((from + index) * 2, true) : view.getUint8(from + index);
    }
    chunks.push(String.fromCharCode(...units));
  }
  return chunks.join("");
}

function readBigInteger(bytes: Uint8Array, start: number, end: number): bigint {
  let from = start;
  while ((bytes[from++] ?? 0) >= 0x80);
  if (end - from > maxIntegerBytes) {
    throw new WireFormatError("Limit", start, `a BigInteger of ${end - from} bytes is not made a number beyond ${maxIntegerBytes}`);
  }
  return integerOf(bytes.subarray(from, end), true);
}

function guidText(view: DataView): string {
  const hex = (value: number, count: number): string => value.toString(16).padStart(count, "0");
  const parts = [hex(view.getUint32(0, true), 8), hex(view.getUint16(4, true), 4), hex(view.getUint16(6, true), 4)];
  const rest = Array.from({ length: 8 }, (_, index) => hex(view.getUint8(8 + index), 2)).join("");
  return [...parts, rest.slice(0, 4), rest.slice(4)].join("-");
}

function versionText(view: DataView): string {
  return [0, 4, 8, 12].map((offset) => view.getInt32(offset, true)).filter((part) => part !== -1).join(".");
}

function viewOf(bytes: Uint8Array, start: number, length: number): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset + start, length);
}
