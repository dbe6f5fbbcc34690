import { toBase64 } from "./base64.js";
import { comparerText } from "./comparers.js";
import type { PayloadDocument } from "./document.js";
import { isWellFormed, JsonText } from "./json-text.js";
import { longestString } from "./limits.js";
import type {
  ArrayNode, MapNode, MembersNode, PayloadNode, ScalarNode, SequenceNode, SetNode, UnionNode,
} from "./nodes.js";
import { shortestText } from "./numbers.js";
import type { ComplexValue, ScalarValue } from "./scalars.js";

export interface JsonOptions {
  /** Values inside each other; what is deeper is shown by the number of its bytes. */
  readonly maxDepth?: number;
  /**
   * Characters of the text. A name in a payload may be repeated for each of its bytes, so that the default is 64 times the bytes of the
   * payload, but 16,777,216 at least.
   */
  readonly maxLength?: number;
}

/** A value that is made of others. */
type Nesting = MembersNode | UnionNode | SequenceNode | SetNode | ArrayNode | MapNode;

/** A value and what stands in front of it. */
interface Item {
  readonly before: string;
  readonly name: string | null;
  readonly node: PayloadNode;
}

/** An array or object that has begun: what is still to be written of it. */
interface Open {
  readonly items: Iterator<Item, void>;
  readonly close: () => string;
  readonly offset: number;
}

const defaultMaxDepth = 300;
const leastMaxLength = 16_777_216;
const charactersPerByte = 64;
const maxSafe = BigInt(Number.MAX_SAFE_INTEGER);
const maxDecimalDigits = 15;
const maxDigitBytes = 1024;
const longestName = 16_777_216;

/** A document as JSON, by the rules of Wire's documentation: each value has exactly one form. */
export function toJson(document: PayloadDocument, options: JsonOptions = {}): string {
  const maxLength = options.maxLength ?? Math.max(leastMaxLength, document.length * charactersPerByte);
  return new JsonWriter(options.maxDepth ?? defaultMaxDepth, Math.min(maxLength, longestString)).write(document.root);
}

class JsonWriter {
  readonly #maxDepth: number;
  readonly #text: JsonText;
  readonly #open: Open[] = [];

  constructor(maxDepth: number, maxLength: number) {
    this.#maxDepth = maxDepth;
    this.#text = new JsonText(maxLength);
  }

  write(root: PayloadNode): string {
    this.#value(root);
    for (let open = this.#open.at(-1); open !== undefined; open = this.#open.at(-1)) {
      const item = open.items.next();
      if (item.done === true) {
        this.#text.add(open.close(), open.offset);
        this.#open.pop();
        continue;
      }
      const { before, name, node } = item.value;
      this.#text.add(before, node.offset);
      if (name !== null) {
        this.#text.addQuoted(name.startsWith("$") ? `$${name}` : name, node.offset);
        this.#text.add(":", node.offset);
      }
      this.#value(node);
    }
    return this.#text.toString();
  }

  #value(node: PayloadNode): void {
    switch (node.kind) {
      case "null":
        this.#text.add("null", node.offset);
        break;
      case "scalar":
        this.#scalar(node);
        break;
      case "reference":
        this.#text.add(`{"$ref":${node.target?.objectNumbers[0] ?? node.number}}`, node.offset);
        break;
      case "opaque": {
        const fields = this.#head(node);
        this.#text.add(`{${fields}${fields === "" ? "" : ","}"$bytes":"`, node.offset);
        this.#text.add(toBase64(node.bytes), node.offset);
        this.#text.add('"}', node.offset);
        break;
      }
      default:
        if (this.#open.length >= this.#maxDepth) {
          this.#text.add(`{"$deeper":${node.length}}`, node.offset);
        } else {
          this.#nesting(node);
        }
    }
  }

  #scalar(node: ScalarNode): void {
    const fields = this.#head(node);
    if (fields !== "") {
      this.#text.add(`{${fields},"$value":`, node.offset);
    }
    const name = node.enumName;
    if (name === null) {
      this.#scalarValue(node, node.value);
    } else {
      this.#text.addQuoted(name, node.offset);
    }
    if (fields !== "") {
      this.#text.add("}", node.offset);
    }
  }

  #scalarValue(node: ScalarNode, value: ScalarValue): void {
    switch (typeof value) {
      case "boolean":
        this.#text.add(String(value), node.offset);
        break;
      case "bigint":
        this.#text.add(value >= -maxSafe && value <= maxSafe ? String(value) : `"${integerText(value)}"`, node.offset);
        break;
      case "number":
        this.#text.add(numberText(value, node.scalarType), node.offset);
        break;
      case "string":
        if (node.scalarType === "decimal" && value.replace(/[-.]/g, "").replace(/^0+/, "").length <= maxDecimalDigits) {
          this.#text.add(value, node.offset);
        } else {
          this.#text.addQuoted(value, node.offset);
        }
        break;
      default:
        this.#text.add(isComplex(value) ? complexText(value) : `"${value.toString()}"`, node.offset);
    }
  }

  #nesting(node: Nesting): void {
    const fields = this.#head(node);
    switch (node.kind) {
      case "members":
      case "union": {
        const all = node.kind === "union" ? joined(fields, `"$case":${JSON.stringify(node.caseName)}`) : fields;
        this.#begin(node, `{${all}`, members(node, all === "" ? "" : ","), () => "}");
        break;
      }
      case "map":
        this.#map(node, joined(fields, comparerField(node.comparers)));
        break;
      case "array":
        this.#array(node, fields);
        break;
      case "set":
        this.#elements(node, joined(fields, comparerField(node.comparers)));
        break;
      case "sequence":
        this.#elements(node, fields);
        break;
    }
  }

  #array(node: ArrayNode, fields: string): void {
    const bounds = node.dimensions.map((dimension) => dimension.lowerBound);
    const lengths = `"$lengths":[${node.dimensions.map((dimension) => dimension.length).join(",")}]`;
    const lowerBounds = bounds.some((bound) => bound !== 0) ? `"$lowerBounds":[${bounds.join(",")}]` : "";
    this.#elements(node, joined(fields, lengths, lowerBounds));
  }

  #elements(node: SequenceNode | SetNode | ArrayNode, fields: string): void {
    const before = fields === "" ? "" : `{${fields},"$values":`;
    const after = fields === "" ? "" : "}";
    const bytes = node.kind === "sequence" ? node.bytes : null;
    if (bytes === null) {
      this.#begin(node, `${before}[`, elements(node), () => `]${after}`);
    } else {
      this.#text.add(`${before}"`, node.offset);
      this.#text.add(toBase64(bytes), node.offset);
      this.#text.add(`"${after}`, node.offset);
    }
  }

  #map(node: MapNode, fields: string): void {
    if (hasTextKeys(node)) {
      this.#begin(node, `{${fields}`, textPairs(node, fields === "" ? "" : ","), () => "}");
    } else {
      this.#begin(node, `{${joined(fields, '"$pairs":[')}`, pairs(node), () => (node.pairs.length === 0 ? "]}" : "}]}"));
    }
  }

  #begin(node: PayloadNode, before: string, items: Iterator<Item, void>, close: () => string): void {
    this.#text.add(before, node.offset);
    this.#open.push({ items, close, offset: node.offset });
  }

  /** What stands in front of the other names of an object: its number, where something refers to it, and its type. */
  #head(node: PayloadNode): string {
    const number = node.referencedNumber;
    const id = number === null ? "" : `"$id":${number}`;
    return joined(id, node.typeName !== null ? `"$type":${JSON.stringify(node.typeName)}` : "");
  }
}

/** Digits, or for long ones, whose digits would take a time that grows with the square, their bytes in hexadecimal. */
function integerText(value: bigint): string {
  const hex = (value < 0n ? ~value : value).toString(16);
  const bits = (hex.length - 1) * 4 + (32 - Math.clz32(parseInt(hex[0] ?? "0", 16)));
  const bytes = Math.floor(bits / 8) + 1;
  return bytes <= maxDigitBytes ? String(value)
    : `0x${BigInt.asUintN(8 * bytes, value).toString(16).toUpperCase().padStart(2 * bytes, "0")}`;
}

function* members(node: MembersNode | UnionNode, separator: string): Iterator<Item, void> {
  let before = separator;
  for (const { name, value } of node.members) {
    yield { before, name, node: value };
    before = ",";
  }
}

function* elements(node: SequenceNode | SetNode | ArrayNode): Iterator<Item, void> {
  let before = "";
  for (const element of node.elements()) {
    yield { before, name: null, node: element };
    before = ",";
  }
}

function* textPairs(node: MapNode, separator: string): Iterator<Item, void> {
  let before = separator;
  for (const { key, value } of node.pairs) {
    yield { before, name: textOf(key), node: value };
    before = ",";
  }
}

function* pairs(node: MapNode): Iterator<Item, void> {
  let before = '{"key":';
  for (const { key, value } of node.pairs) {
    yield { before, name: null, node: key };
    yield { before: ',"value":', name: null, node: value };
    before = '},{"key":';
  }
}

/** Whether the keys are strings by their shape, and all of them can be the names of an object. */
function hasTextKeys(node: MapNode): boolean {
  const names = new Set<string>();
  return node.keyShape.kind === "builtIn" && node.keyShape.type.name === "string" && node.pairs.every(({ key }) => {
    const text = textOf(key);
    return text !== null && text.length <= longestName && isWellFormed(text) && names.size < names.add(text).size;
  });
}

function textOf(key: PayloadNode): string | null {
  return key.kind === "scalar" && typeof key.value === "string" ? key.value : null;
}

function comparerField(comparers: MapNode["comparers"]): string {
  const text = comparerText(comparers);
  return text === null ? "" : `"$comparer":${JSON.stringify(text)}`;
}

function joined(...fields: string[]): string {
  return fields.filter((field) => field !== "").join(",");
}

function numberText(value: number, type: ScalarNode["scalarType"]): string {
  const text = shortestText(value, type === "Half" || type === "float" ? type : "double");
  return text ?? `"${value}"`;
}

function isComplex(value: object): value is ComplexValue {
  return "imaginary" in value;
}

function complexText(value: ComplexValue): string {
  return `{"real":${numberText(value.real, "double")},"imaginary":${numberText(value.imaginary, "double")}}`;
}
