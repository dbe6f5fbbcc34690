import { comparerCodes, isComparerCode, type Comparer } from "./comparers.js";
import { hexByte } from "./cursor.js";
import {
  ArrayNode, MapNode, MembersNode, SequenceNode, SetNode, UnionNode,
  type Dimension, type Elements, type Head, type MemberNode, type Pair, type PayloadNode,
} from "./nodes.js";
import { readString } from "./scalars.js";
import {
  isPlain, undeclared, type ArrayShape, type MapShape, type Member, type SequenceShape, type SetShape, type Shape,
} from "./shapes.js";
import type { Walk } from "./walk.js";

/** A value that is made of others, while these are read. */
export interface Container {
  /** How many objects are around what is inside, this one included. */
  readonly depth: number;
  /** Whether the values inside have begun, and not only what stands in front of them. */
  readonly hasBegun: boolean;
  /** The shape of the next value inside; null when all are there. */
  next(walk: Walk): Shape | null;
  add(node: PayloadNode): void;
  finish(end: number): PayloadNode;
}

/** Members, or the fields of a case. */
export class MembersContainer implements Container {
  readonly depth: number;
  readonly hasBegun = true;
  readonly #head: Head;
  readonly #members: readonly Member[];
  readonly #caseName: string | null;
  readonly #nodes: MemberNode[] = [];

  constructor(head: Head, depth: number, members: readonly Member[], caseName: string | null) {
    this.depth = depth;
    this.#head = head;
    this.#members = members;
    this.#caseName = caseName;
  }

  next(): Shape | null {
    return this.#members[this.#nodes.length]?.shape ?? null;
  }

  add(node: PayloadNode): void {
    this.#nodes.push({ name: this.#members[this.#nodes.length]?.name ?? "", value: node });
  }

  finish(end: number): PayloadNode {
    return this.#caseName === null
      ? new MembersNode(this.#head, end, this.#nodes)
      : new UnionNode(this.#head, end, this.#nodes, this.#caseName);
  }
}

/** Elements of one shape, of which those of one size are only passed. */
class ElementReader {
  readonly #nodes: PayloadNode[] = [];
  readonly #shape: Shape;
  readonly #count: number;
  #passed: Elements | null = null;

  constructor(walk: Walk, shape: Shape, count: number) {
    this.#shape = shape;
    this.#count = count;
    if (isPlain(shape)) {
      this.#passed = { count, start: walk.passPlain(shape, count) };
    }
  }

  next(): Shape | null {
    return this.#passed === null && this.#nodes.length < this.#count ? this.#shape : null;
  }

  add(node: PayloadNode): void {
    this.#nodes.push(node);
  }

  get elements(): Elements {
    return this.#passed ?? this.#nodes;
  }
}

/** A sequence, or an array, which has dimensions. */
export class SequenceContainer implements Container {
  readonly depth: number;
  readonly hasBegun = true;
  readonly #head: Head;
  readonly #shape: SequenceShape | ArrayShape;
  readonly #dimensions: readonly Dimension[];
  readonly #reader: ElementReader;

  constructor(walk: Walk, head: Head, depth: number, shape: SequenceShape | ArrayShape, count: number, dimensions: readonly Dimension[]) {
    this.depth = depth;
    this.#head = head;
    this.#shape = shape;
    this.#dimensions = dimensions;
    this.#reader = new ElementReader(walk, shape.element, count);
  }

  next(): Shape | null {
    return this.#reader.next();
  }

  add(node: PayloadNode): void {
    this.#reader.add(node);
  }

  finish(end: number): PayloadNode {
    const elements = this.#reader.elements;
    return this.#shape.kind === "array"
      ? new ArrayNode(this.#head, end, this.#shape.element, elements, this.#dimensions)
      : new SequenceNode(this.#head, end, this.#shape.element, elements);
  }
}

/** What stands in front of the elements of a set or map: one comparer, or one of keys and one of values. */
class ComparerReader {
  readonly comparers: Comparer[] = [];
  #expected = 1;

  /** The shape of a comparer that is an object; null when all are there. */
  next(walk: Walk): Shape | null {
    while (this.comparers.length < this.#expected) {
      const start = walk.cursor.position;
      const code = walk.cursor.byte();
      if (!isComparerCode(code) || (code === comparerCodes.pair && this.#expected === 2)) {
        throw walk.cursor.error("InvalidValue", `${hexByte(code)} is no comparer here`, start);
      }
      if (code === comparerCodes.pair) {
        this.#expected = 2;
      } else if (code === comparerCodes.object) {
        return undeclared;
      } else {
        this.comparers.push(this.#read(walk, code));
      }
    }
    return null;
  }

  add(object: PayloadNode): void {
    this.comparers.push({ code: comparerCodes.object, culture: null, options: 0, object });
  }

  get complete(): boolean {
    return this.comparers.length === this.#expected;
  }

  #read(walk: Walk, code: number): Comparer {
    const { cursor } = walk;
    let culture: string | null = null;
    if (code >= comparerCodes.culture) {
      const start = cursor.position;
      walk.passText("the name of a culture");
      culture = readString(cursor.bytes, start);
    }
    return { code, culture, options: code === comparerCodes.culture ? cursor.int32() : 0, object: null };
  }
}

export class SetContainer implements Container {
  readonly depth: number;
  readonly #head: Head;
  readonly #shape: SetShape;
  readonly #comparers = new ComparerReader();
  #reader: ElementReader | null = null;

  constructor(head: Head, depth: number, shape: SetShape) {
    this.depth = depth;
    this.#head = head;
    this.#shape = shape;
  }

  get hasBegun(): boolean {
    return this.#reader !== null;
  }

  next(walk: Walk): Shape | null {
    const comparer = this.#comparers.next(walk);
    if (comparer !== null) {
      return comparer;
    }
    this.#reader ??= new ElementReader(walk, this.#shape.element, walk.count([this.#shape.element]));
    return this.#reader.next();
  }

  add(node: PayloadNode): void {
    if (this.#reader === null) {
      this.#comparers.add(node);
    } else {
      this.#reader.add(node);
    }
  }

  finish(end: number): PayloadNode {
    return new SetNode(this.#head, end, this.#shape.element, this.#reader?.elements ?? [], this.#comparers.comparers);
  }
}

export class MapContainer implements Container {
  readonly depth: number;
  readonly #head: Head;
  readonly #shape: MapShape;
  readonly #comparers = new ComparerReader();
  readonly #pairs: Pair[] = [];
  #count: number | null = null;
  #key: PayloadNode | null = null;

  constructor(head: Head, depth: number, shape: MapShape) {
    this.depth = depth;
    this.#head = head;
    this.#shape = shape;
  }

  get hasBegun(): boolean {
    return this.#count !== null;
  }

  next(walk: Walk): Shape | null {
    const comparer = this.#comparers.next(walk);
    if (comparer !== null) {
      return comparer;
    }
    this.#count ??= walk.count([this.#shape.key, this.#shape.value]);
    if (this.#pairs.length === this.#count) {
      return null;
    }
    return this.#key === null ? this.#shape.key : this.#shape.value;
  }

  add(node: PayloadNode): void {
    if (!this.#comparers.complete) {
      this.#comparers.add(node);
    } else if (this.#key === null) {
      this.#key = node;
    } else {
      this.#pairs.push({ key: this.#key, value: node });
      this.#key = null;
    }
  }

  finish(end: number): PayloadNode {
    return new MapNode(this.#head, end, this.#shape.key, this.#pairs, this.#comparers.comparers);
  }
}
