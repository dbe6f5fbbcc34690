import type { PayloadDocument } from "../../reader/src/index.js";
import type { Item } from "./items.js";
import type { Match } from "./search.js";
import { inSlices } from "./slices.js";
import { number, plain, quote, scalarText, shortType, typeText } from "./texts.js";
import { NodeWalk } from "./walk.js";

/** Bytes of the payload, made of the bytes of other tiles or of none. */
export interface Tile {
  readonly label: string;
  /** What is said of it where there is room. */
  readonly title: string;
  readonly bytes: number;
  /** What has one color: a type. */
  readonly group: string;
  /** The tiles inside of it, which have the same bytes together; none for one without. */
  parts(): readonly Tile[];
  /** The node that it is, or the first one of those that it is of. */
  readonly item: Item | null;
  readonly first: Match | null;
}

const mostTiles = 150;
const nodesOfStep = 200;
const headerSize = 1;
const noType = "(no type)";

/** The tiles of a payload by their place in it. */
export function tilesByPath(document: PayloadDocument, root: Item): Tile {
  return whole(document, () => [...(root.hasChildren ? tileOf(root).parts() : [tileOf(root)]), header()].sort(bySize));
}

function tileOf(item: Item): Tile {
  const { start, end } = item.extent;
  const type = typeText(item.node) ?? item.node.kind;
  return {
    label: labelOf(item), title: item.isGroup ? "" : type, bytes: end - start, group: item.isGroup ? "" : shortType(type), item, first: null,
    parts: () => (item.hasChildren ? partsOf(item, end - start) : []),
  };
}

function partsOf(item: Item, bytes: number): Tile[] {
  const tiles = item.children.map(tileOf).sort(bySize);
  const own = bytes - tiles.reduce((sum, tile) => sum + tile.bytes, 0);
  if (tiles.length > mostTiles) {
    const others = tiles.splice(mostTiles);
    tiles.push(leaf(`${number(others.length)} more`, "smaller values", others.reduce((sum, tile) => sum + tile.bytes, 0), ""));
  }
  if (own > 0) {
    tiles.push({ ...leaf("own bytes", "the tag, the definition of the type and counts, in front of what is inside", own, ""), item });
  }
  return tiles.sort(bySize);
}

function labelOf(item: Item): string {
  if (item.isGroup) {
    return `${number(item.from)} to ${number(item.to - 1)}`;
  }
  const { part } = item.child;
  switch (part.kind) {
    case "root":
      return "value";
    case "member":
      return plain(part.name, 100);
    case "value":
      return part.key.kind === "scalar" ? `[${scalarText(part.key, 40)}]` : `[value ${part.index}]`;
    case "key":
      return `[key ${part.index}]`;
    case "element":
      return item.node.kind === "scalar" ? scalarText(item.node, 40) : `[${part.index}]`;
  }
}

interface Owner {
  readonly sum: Sum;
  readonly end: number;
  readonly isNameless: boolean;
}

interface Sum {
  readonly type: string;
  readonly member: string;
  readonly first: Match;
  bytes: number;
  count: number;
}

/**
 * The tiles of a payload by type and member: each byte belongs to the innermost value around it that has a named type, and to the member of
 * it, as in `wire stats`. Null where the work was ended.
 */
export async function tilesByType(document: PayloadDocument, signal: AbortSignal, report: (share: number) => void): Promise<Tile | null> {
  const sums = new Map<string, Map<string, Sum>>();
  const around: Owner[] = [];
  const definitions = takeDefinitions(document, around);
  const walk = new NodeWalk(document.root);
  let offset = 0;
  const step = (): boolean => {
    for (let nodes = 0; nodes < nodesOfStep; nodes++) {
      const child = walk.next();
      if (child === null) {
        return false;
      }
      const { node, part } = child;
      definitions(node.offset);
      around.length = walk.depth;
      const outer = around.at(-1);
      const type = node.typeName;
      let member = type !== null ? "" : part.kind === "member" ? part.name : outer?.sum.member ?? "";
      if (type === null && part.kind === "member" && outer?.isNameless === true && outer.sum.member !== "") {
        member = `${outer.sum.member}.${part.name}`;
      }
      const sum = sumOf(sums, type ?? outer?.sum.type ?? noType, member, { offset: node.offset, depth: walk.depth });
      // Keys have no line of their own where they are scalars: their bytes stay with the map.
      sum.bytes += node.length;
      sum.count++;
      if (outer !== undefined) {
        outer.sum.bytes -= node.length;
      }
      around.push({ sum, end: node.offset + node.length, isNameless: type === null && (node.kind === "members" || node.kind === "union") });
      if (node.kind === "sequence" && isFlat(node.elementShape.kind)) {
        walk.skip();
      }
      offset = node.offset;
    }
    return true;
  };
  if (!(await inSlices(step, signal, () => report(offset / document.length)))) {
    return null;
  }
  definitions(Infinity);
  const types = [...sums].map(([type, members]) => typeTile(type, [...members.values()]));
  return whole(document, () => [...merged(types), definitionTile(document), header()].filter((tile) => tile.bytes > 0).sort(bySize));
}

/** Takes definitions in front of a byte from the innermost value that they lie in: they are no part of it. */
function takeDefinitions(document: PayloadDocument, around: readonly Owner[]): (before: number) => void {
  let next = 0;
  return (before) => {
    for (let definition = document.definitions[next]; definition !== undefined && definition.offset < before;
      definition = document.definitions[++next]) {
      let inner = around.length - 1;
      while (inner > 0 && definition.offset >= (around[inner]?.end ?? 0)) {
        inner--;
      }
      const owner = around[inner];
      if (owner !== undefined) {
        owner.sum.bytes -= definition.length;
      }
    }
  };
}

function definitionTile({ definitions }: PayloadDocument): Tile {
  const parts = definitions.map(({ type, offset, length }) => ({
    ...leaf(shortType(plain(type.name ?? "declared type")), `the definition of ${plain(type.name ?? "a declared type")}`, length, ""),
    first: { offset, depth: Infinity },
  }));
  const bytes = parts.reduce((sum, tile) => sum + tile.bytes, 0);
  return {
    label: "definitions of types", title: "names and members, once for each type", bytes, group: "", item: null, first: null,
    parts: () => merged(parts),
  };
}

function header(): Tile {
  return leaf("header", "the header of the payload", headerSize, "");
}

function whole(document: PayloadDocument, parts: () => readonly Tile[]): Tile {
  return { label: "Where the bytes go", title: "", bytes: document.length, group: "", item: null, first: null, parts };
}

/** Elements of one size have no type of their own: all their bytes are those of the collection. */
function isFlat(shape: string): boolean {
  return shape === "builtIn" || shape === "fixed" || shape === "enum";
}

function sumOf(sums: Map<string, Map<string, Sum>>, type: string, member: string, first: Match): Sum {
  let members = sums.get(type);
  if (members === undefined) {
    members = new Map();
    sums.set(type, members);
  }
  let sum = members.get(member);
  if (sum === undefined) {
    sum = { type, member, first, bytes: 0, count: 0 };
    members.set(member, sum);
  }
  return sum;
}

function typeTile(type: string, members: readonly Sum[]): Tile {
  const bytes = members.reduce((sum, member) => sum + member.bytes, 0);
  const short = type === noType ? noType : shortType(plain(type));
  const tiles = members.filter((member) => member.bytes > 0).map((member) => ({
    ...leaf(
      member.member === "" ? "own bytes" : plain(member.member, 100),
      `${member.member === "" ? "tags, definitions and counts" : quote(member.member, 100).slice(1, -1)}, ${number(member.count)} times`,
      member.bytes,
      short,
    ),
    first: member.first,
  }));
  return {
    label: short, title: plain(type), bytes, group: short, item: null, first: members[0]?.first ?? null,
    parts: () => merged(tiles),
  };
}

/** The largest tiles, and one for all others. */
function merged(tiles: readonly Tile[]): readonly Tile[] {
  const sorted = [...tiles].sort(bySize);
  const others = sorted.splice(mostTiles);
  if (others.length > 0) {
    sorted.push(leaf(`${number(others.length)} more`, "smaller ones", others.reduce((sum, tile) => sum + tile.bytes, 0), ""));
  }
  return sorted.sort(bySize);
}

function bySize(left: Tile, right: Tile): number {
  return right.bytes - left.bytes;
}

function leaf(label: string, title: string, bytes: number, group: string): Tile {
  return { label, title, bytes, group, item: null, first: null, parts: () => [] };
}
