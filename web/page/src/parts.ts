import type { MapNode, PayloadNode } from "../../reader/src/index.js";
import { plain, quote, rawText } from "./texts.js";

/** The place of a node in the one around it. */
export type Part =
  | { readonly kind: "root" }
  | { readonly kind: "member"; readonly name: string }
  | { readonly kind: "element" | "key"; readonly index: number }
  | { readonly kind: "value"; readonly index: number; readonly key: PayloadNode };

/** A node with its place. */
export interface Child {
  readonly node: PayloadNode;
  readonly part: Part;
  readonly index: number;
}

/** Bytes of a payload, up to `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

const rootPart: Part = { kind: "root" };
const scalarKeys = new WeakMap<MapNode, boolean>();

/** The number of nodes that are shown inside of a node. Bytes are shown as a whole, and references are not followed. */
export function childCount(node: PayloadNode): number {
  switch (node.kind) {
    case "members":
    case "union":
      return node.members.length;
    case "sequence":
      return node.bytes === null ? node.count : 0;
    case "set":
    case "array":
      return node.count;
    case "map":
      return hasScalarKeys(node) ? node.pairs.length : 2 * node.pairs.length;
    default:
      return 0;
  }
}

/** The node with this index inside of a node. */
export function childAt(node: PayloadNode, index: number): Child {
  switch (node.kind) {
    case "members":
    case "union": {
      const member = node.members[index];
      return child(member?.value, { kind: "member", name: member?.name ?? "" }, index);
    }
    case "sequence":
    case "set":
    case "array":
      return child(node.at(index), { kind: "element", index }, index);
    case "map": {
      const isPaired = hasScalarKeys(node);
      const number = isPaired ? index : index >> 1;
      const pair = node.pairs[number];
      return !isPaired && index % 2 === 0
        ? child(pair?.key, { kind: "key", index: number }, index)
        : child(pair?.value, pair === undefined ? rootPart : { kind: "value", index: number, key: pair.key }, index);
    }
    default:
      return child(undefined, rootPart, index);
  }
}

export function rootChild(root: PayloadNode): Child {
  return { node: root, part: rootPart, index: 0 };
}

/** The bytes that a node takes, with a key that has no line of its own. */
export function extentOf({ node, part }: Child): Range {
  return { start: part.kind === "value" && isScalar(part.key) ? part.key.offset : node.offset, end: node.offset + node.length };
}

/**
 * The nodes around a byte, the outermost first. With a depth, only so many levels: each node is the only one with its depth that has its
 * first byte.
 */
export function descend(root: PayloadNode, offset: number, depth = Infinity): Child[] {
  const path = [rootChild(root)];
  if (offset < root.offset || offset >= root.offset + root.length) {
    return [];
  }
  for (let node = root; path.length <= depth; ) {
    const found = childAround(node, offset);
    if (found === null) {
      break;
    }
    path.push(found);
    node = found.node;
    if (offset < node.offset) {
      break;
    }
  }
  return path;
}

function childAround(node: PayloadNode, offset: number): Child | null {
  let low = 0;
  let high = childCount(node);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (extentOf(childAt(node, middle)).start <= offset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low === 0) {
    return null;
  }
  const found = childAt(node, low - 1);
  return offset < extentOf(found).end ? found : null;
}

/** The path of parts, as `wire show --path` takes it. */
export function pathText(parts: Iterable<Part>): string {
  let path = "";
  for (const part of parts) {
    switch (part.kind) {
      case "member":
        path += isPlainName(part.name) ? `${path === "" ? "" : "."}${part.name}` : `[${quote(part.name)}]`;
        break;
      case "element":
        path += `[${part.index}]`;
        break;
      case "key":
        path += `[key ${part.index}]`;
        break;
      case "value":
        path += isScalar(part.key) ? `[${quote(keyText(part.key))}]` : `[value ${part.index}]`;
        break;
    }
  }
  return path;
}

function isPlainName(name: string): boolean {
  return name !== "" && !/^"|[.[ ]/.test(name) && plain(name, Infinity) === name;
}

function keyText(key: PayloadNode): string {
  return key.kind === "scalar" ? key.enumName ?? rawText(key) : "";
}

function hasScalarKeys(node: MapNode): boolean {
  let known = scalarKeys.get(node);
  if (known === undefined) {
    known = node.pairs.every((pair) => isScalar(pair.key));
    scalarKeys.set(node, known);
  }
  return known;
}

function isScalar(node: PayloadNode): boolean {
  return node.kind === "scalar";
}

function child(node: PayloadNode | undefined, part: Part, index: number): Child {
  if (node === undefined) {
    throw new RangeError(`there is no part ${index}`);
  }
  return { node, part, index };
}
