import { comparerText } from "../../reader/src/comparers.js";
import type { ArrayNode, MapNode, PayloadNode, ScalarNode, ScalarType, SetNode } from "../../reader/src/index.js";
import { shortestText } from "../../reader/src/numbers.js";

const unseen = /[\p{C}\u2028\u2029]/gu;
const mostOfInteger = 1024;
const longString = 4096;

const clrNames: Partial<Record<ScalarType, string>> = {
  bool: "Boolean", sbyte: "SByte", byte: "Byte", short: "Int16", ushort: "UInt16", int: "Int32", uint: "UInt32", long: "Int64",
  ulong: "UInt64", nint: "IntPtr", nuint: "UIntPtr", float: "Single", double: "Double", decimal: "Decimal", char: "Char",
  Rune: "Text.Rune", Complex: "Numerics.Complex", string: "String", BigInteger: "Numerics.BigInteger",
};

const longTexts = new WeakMap<PayloadNode, string>();

/** A text in which what cannot be seen, or would move what is around it, is escaped; a long one is cut. */
export function plain(text: string, most = 1000): string {
  const shown = text.length > most ? text.slice(0, most) : text;
  const escaped = shown.replace(unseen, (character) => {
    let escape = "";
    for (let index = 0; index < character.length; index++) {
      escape += `\\u${character.charCodeAt(index).toString(16).toUpperCase().padStart(4, "0")}`;
    }
    return escape;
  });
  return text.length > most ? `${escaped}...` : escaped;
}

export function quote(text: string, most = Infinity): string {
  const isCut = text.length > most;
  const shown = (isCut ? text.slice(0, most) : text).replace(/[\\"]/g, "\\$&");
  return `"${plain(shown, Infinity)}"${isCut ? "..." : ""}`;
}

/** The text of a node without parts. */
export function scalarText(node: PayloadNode, most: number): string {
  switch (node.kind) {
    case "null":
      return "null";
    case "reference":
      return `-> object ${node.target?.referencedNumber ?? node.number}`;
    case "scalar": {
      const names = node.enumNames;
      if (names.length > 0) {
        return `${plain(names.join(", "), most)} (${rawText(node)})`;
      }
      return node.scalarType === "string" || node.scalarType === "char" ? quote(rawText(node), most) : plain(rawText(node), most);
    }
    case "opaque":
      return bytesText(node.bytes, most / 4);
    case "sequence":
      return node.bytes === null ? "" : bytesText(node.bytes, most / 4);
    default:
      return "";
  }
}

/** The whole text of a scalar, not escaped. */
export function rawText(node: ScalarNode): string {
  if (node.length < longString) {
    return valueText(node);
  }
  let text = longTexts.get(node);
  if (text === undefined) {
    text = valueText(node);
    longTexts.set(node, text);
  }
  return text;
}

function valueText(node: ScalarNode): string {
  if (node.scalarType === "BigInteger" && node.length > mostOfInteger) {
    // Its digits take a time that grows with the square of their number.
    return `0x${hexText(node.valueBytes.slice(-mostOfInteger).reverse())}... (${bytesOf(node.length)})`;
  }
  const value = node.value;
  if (typeof value === "number") {
    const type = node.scalarType;
    return shortestText(value, type === "Half" || type === "float" ? type : "double") ?? String(value);
  }
  if (typeof value === "object" && "imaginary" in value) {
    return `<${value.real}; ${value.imaginary}>`;
  }
  return String(value);
}

export function hexText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join("");
}

function bytesText(bytes: Uint8Array, most: number): string {
  return hexText(bytes.subarray(0, most)) + (bytes.length > most ? "..." : "");
}

/** The name of a node's type; null where the payload says none. */
export function typeText(node: PayloadNode): string | null {
  if (node.typeName !== null) {
    return plain(node.typeName);
  }
  return node.kind === "scalar" && node.type === null ? clrNames[node.scalarType] ?? node.scalarType : null;
}

/** The name of a type without its assembly and namespace, for narrow places. */
export function shortType(name: string): string {
  const argument = name.indexOf("[[");
  const head = (argument < 0 ? name : name.slice(0, argument)).split(",")[0] ?? name;
  const own = head.slice(head.lastIndexOf(".") + 1);
  if (argument < 0) {
    return own;
  }
  const inner = name.slice(argument + 2);
  return `${own.replace(/`\d+$/, "")}<${shortType(inner.replace(/\].*$/s, ""))}>`;
}

/** What a node has inside, in words. */
export function sumText(node: PayloadNode): string {
  switch (node.kind) {
    case "members":
      return counted(node.members.length, "member");
    case "union":
      return `case ${plain(node.caseName)}, ${counted(node.members.length, "field")}`;
    case "map":
      return counted(node.pairs.length, "pair") + comparer(node);
    case "set":
      return `set, ${counted(node.count, "element")}${comparer(node)}`;
    case "array":
      return dimensionsText(node);
    case "sequence":
      return node.bytes === null ? counted(node.count, "element") : counted(node.count, "byte");
    case "opaque":
      return counted(node.bytes.length, "opaque byte");
    default:
      return "";
  }
}

function dimensionsText(node: ArrayNode): string {
  const dimensions = node.dimensions.map(({ length, lowerBound }) =>
    lowerBound === 0 ? String(length) : `${lowerBound}..${lowerBound + length}`);
  return `[${dimensions.join(", ")}]`;
}

function comparer(node: MapNode | SetNode): string {
  const text = comparerText(node.comparers);
  return text === null ? "" : `, ${plain(text)}`;
}

export function counted(count: number, what: string): string {
  return `${number(count)} ${what}${count === 1 ? "" : "s"}`;
}

export function bytesOf(count: number): string {
  return counted(count, "byte");
}

/** A number with commas. */
export function number(value: number): string {
  return value.toLocaleString("en-US");
}

/** A share of a whole, in percent. */
export function share(part: number, whole: number): string {
  return whole === 0 ? "" : `${((100 * part) / whole).toFixed(1)} %`;
}
