import type { ScalarType } from "./builtin.js";
import type { Comparer } from "./comparers.js";
import { namesOfBits } from "./enum-bits.js";
import type { PayloadType } from "./manifests.js";
import { readScalar, type ScalarValue } from "./scalars.js";
import { isPlain, type BuiltInShape, type EnumShape, type PlainShape, type Shape } from "./shapes.js";

/** A value in a payload, as its bytes say it. */
export type PayloadNode =
  | NullNode | ScalarNode | MembersNode | UnionNode | SequenceNode | SetNode | ArrayNode | MapNode | ReferenceNode | OpaqueNode;

/** What the nodes of one document share. */
export interface Source {
  readonly bytes: Uint8Array;
  /** The objects by their numbers; those inside of frames are not known. */
  readonly objects: Map<number, PayloadNode>;
  /** The numbers that references mean. */
  readonly referenced: Set<number>;
}

/** What a value begins with, in front of its own bytes. */
export interface Head {
  readonly source: Source;
  readonly offset: number;
  readonly type: PayloadType | null;
  readonly numbers: readonly number[];
}

abstract class Node {
  readonly #head: Head;

  /** The bytes that the value takes, with what names its type. */
  readonly length: number;

  constructor(head: Head, end: number) {
    this.#head = head;
    this.length = end - head.offset;
  }

  /** Where the value begins, with what names its type. */
  get offset(): number {
    return this.#head.offset;
  }

  /** The type, where the payload says one. */
  get type(): PayloadType | null {
    return this.#head.type;
  }

  /** The name of the type, or `known type 5`; null where the payload has none. */
  get typeName(): string | null {
    return this.#head.type?.name ?? null;
  }

  /** The numbers by which references may mean this object. */
  get objectNumbers(): readonly number[] {
    return this.#head.numbers;
  }

  /** The first number of this object, where a reference means it by any of them; null where none does. */
  get referencedNumber(): number | null {
    const numbers = this.#head.numbers;
    return numbers.some((number) => this.source.referenced.has(number)) ? numbers[0] ?? null : null;
  }

  get rawBytes(): Uint8Array {
    return this.source.bytes.subarray(this.offset, this.offset + this.length);
  }

  protected get source(): Source {
    return this.#head.source;
  }
}

export class NullNode extends Node {
  readonly kind = "null";
}

export class ScalarNode extends Node {
  readonly kind = "scalar";
  readonly #shape: BuiltInShape | EnumShape;
  readonly #valueStart: number;

  constructor(head: Head, end: number, shape: BuiltInShape | EnumShape, valueStart: number) {
    super(head, end);
    this.#shape = shape;
    this.#valueStart = valueStart;
  }

  /** The built-in type; that of its integer for an enum. */
  get scalarType(): ScalarType {
    return this.#shape.type.name;
  }

  get value(): ScalarValue {
    return readScalar(this.source.bytes, this.#valueStart, this.offset + this.length, this.#shape.type);
  }

  /** The bytes of the value alone, which keep what a JavaScript number does not: the bits of a NaN. */
  get valueBytes(): Uint8Array {
    return this.source.bytes.subarray(this.#valueStart, this.offset + this.length);
  }

  /** The name of an enum's value; null where the payload has none. */
  get enumName(): string | null {
    return this.#shape.kind === "enum" ? this.#shape.names.get(this.#bits) ?? null : null;
  }

  /** The names of an enum's value: its own, or those of its bits where the enum's values look like flags and each bit has one. */
  get enumNames(): readonly string[] {
    const name = this.enumName;
    return name !== null ? [name] : this.#shape.kind === "enum" ? namesOfBits(this.#shape.names, this.#bits) : [];
  }

  get #bits(): bigint {
    const value = this.value;
    return typeof value === "number" || typeof value === "bigint" ? BigInt.asUintN(this.#shape.type.size * 8, BigInt(value)) : 0n;
  }
}

export interface MemberNode {
  readonly name: string;
  readonly value: PayloadNode;
}

abstract class MemberedNode extends Node {
  readonly members: readonly MemberNode[];

  constructor(head: Head, end: number, members: readonly MemberNode[]) {
    super(head, end);
    this.members = members;
  }

  /** The value of the member with this name. */
  get(name: string): PayloadNode | undefined {
    return this.members.find((member) => member.name === name)?.value;
  }
}

/** The members of an object; `new object()` has none. */
export class MembersNode extends MemberedNode {
  readonly kind = "members";
}

/** A value of a union, with the fields of its case as members. */
export class UnionNode extends MemberedNode {
  readonly kind = "union";
  readonly caseName: string;

  constructor(head: Head, end: number, members: readonly MemberNode[], caseName: string) {
    super(head, end, members);
    this.caseName = caseName;
  }
}

/** Elements that are there, or so many of one size from a byte on, of which nodes are made when they are asked for. */
export type Elements = readonly PayloadNode[] | { readonly count: number; readonly start: number };

abstract class ElementsNode extends Node {
  readonly count: number;
  readonly elementShape: Shape;
  readonly #elements: Elements;

  constructor(head: Head, end: number, shape: Shape, elements: Elements) {
    super(head, end);
    this.elementShape = shape;
    this.#elements = elements;
    this.count = isList(elements) ? elements.length : elements.count;
  }

  /** The element with this index, from 0 on. */
  at(index: number): PayloadNode | undefined {
    const elements = this.#elements;
    if (isList(elements)) {
      return elements[index];
    }
    if (!Number.isInteger(index) || index < 0 || index >= this.count || !isPlain(this.elementShape)) {
      return undefined;
    }
    const size = plainSize(this.elementShape);
    return plainNode(this.source, elements.start + index * size, this.elementShape);
  }

  /** The elements in their order. */
  *elements(): IterableIterator<PayloadNode> {
    for (let index = 0; index < this.count; index++) {
      const element = this.at(index);
      if (element !== undefined) {
        yield element;
      }
    }
  }

  /** The bytes of a sequence of `byte`; null for other elements. */
  protected get byteElements(): Uint8Array | null {
    if (isList(this.#elements) || this.elementShape.kind !== "builtIn" || this.elementShape.type.name !== "byte") {
      return null;
    }
    return this.source.bytes.subarray(this.#elements.start, this.#elements.start + this.count);
  }
}

export class SequenceNode extends ElementsNode {
  readonly kind = "sequence";

  /** The bytes of a sequence of `byte`; null for other elements. */
  get bytes(): Uint8Array | null {
    return this.byteElements;
  }
}

export class SetNode extends ElementsNode {
  readonly kind = "set";
  readonly comparers: readonly Comparer[];

  constructor(head: Head, end: number, shape: Shape, elements: Elements, comparers: readonly Comparer[]) {
    super(head, end, shape, elements);
    this.comparers = comparers;
  }
}

export interface Dimension {
  readonly length: number;
  readonly lowerBound: number;
}

/** An array of several dimensions, or that does not begin at 0. Its elements are in row-major order. */
export class ArrayNode extends ElementsNode {
  readonly kind = "array";
  readonly dimensions: readonly Dimension[];

  constructor(head: Head, end: number, shape: Shape, elements: Elements, dimensions: readonly Dimension[]) {
    super(head, end, shape, elements);
    this.dimensions = dimensions;
  }
}

export interface Pair {
  readonly key: PayloadNode;
  readonly value: PayloadNode;
}

export class MapNode extends Node {
  readonly kind = "map";
  readonly keyShape: Shape;
  readonly pairs: readonly Pair[];
  readonly comparers: readonly Comparer[];

  constructor(head: Head, end: number, keyShape: Shape, pairs: readonly Pair[], comparers: readonly Comparer[]) {
    super(head, end);
    this.keyShape = keyShape;
    this.pairs = pairs;
    this.comparers = comparers;
  }
}

/** The same object again. */
export class ReferenceNode extends Node {
  readonly kind = "reference";
  readonly number: number;

  constructor(head: Head, end: number, number: number) {
    super(head, end);
    this.number = number;
  }

  /** The object that it means; null where that is inside of bytes that only the type's own serializer can read. */
  get target(): PayloadNode | null {
    return this.source.objects.get(this.number) ?? null;
  }
}

/** What only the type's own serializer can read. */
export class OpaqueNode extends Node {
  readonly kind = "opaque";
  readonly #valueStart: number;

  constructor(head: Head, end: number, valueStart: number) {
    super(head, end);
    this.#valueStart = valueStart;
  }

  get bytes(): Uint8Array {
    return this.source.bytes.subarray(this.#valueStart, this.offset + this.length);
  }
}

export function plainSize(shape: PlainShape): number {
  return shape.kind === "fixed" ? shape.size : shape.type.size;
}

/** A value of one size at a byte, where nothing is in front of it. */
function plainNode(source: Source, offset: number, shape: PlainShape): PayloadNode {
  const head: Head = { source, offset, type: null, numbers: [] };
  const end = offset + plainSize(shape);
  return shape.kind === "fixed" ? new OpaqueNode(head, end, offset) : new ScalarNode(head, end, shape, offset);
}

function isList(elements: Elements): elements is readonly PayloadNode[] {
  return Array.isArray(elements);
}
