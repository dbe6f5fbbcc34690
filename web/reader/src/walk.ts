import { builtInOf } from "./builtin.js";
import {
  MapContainer, MembersContainer, SequenceContainer, SetContainer, type Container,
} from "./containers.js";
import { hexByte, type Cursor } from "./cursor.js";
import type { Limits } from "./limits.js";
import type { ManifestTable, PayloadType } from "./manifests.js";
import {
  MembersNode, NullNode, OpaqueNode, plainSize, ReferenceNode, ScalarNode,
  type Dimension, type Head, type PayloadNode, type Source,
} from "./nodes.js";
import { checkFixed, passScalar, takesAllBits } from "./scalars.js";
import {
  leastSize, undeclared, type ArrayShape, type BuiltInShape, type EnumShape, type PlainShape, type Shape, type TaggedShape,
} from "./shapes.js";

const maxRank = 32;
const maxCount = 2_147_483_591;

/** What is known of a value while what stands in front of it is read. */
interface Beginning {
  readonly offset: number;
  type: PayloadType | null;
  readonly numbers: number[];
  depth: number;
}

/** The bytes in which a payload defines a type, with the tag in front of them. */
export interface Definition {
  readonly type: PayloadType;
  readonly offset: number;
  readonly length: number;
}

/** What follows a tag: a shape, or the node itself where nothing is left to read. */
type Tagged = { readonly shape: Shape; readonly mayBeNull: boolean } | PayloadNode;

/** One pass through the value of a payload. Values inside each other are kept on a stack of its own. */
export class Walk {
  readonly cursor: Cursor;
  readonly definitions: Definition[] = [];
  readonly #limits: Limits;
  readonly #manifests: ManifestTable;
  readonly #references: boolean;
  readonly #source: Source;
  readonly #stack: Container[] = [];
  #objects = 0;
  #nodes = 0;

  constructor(cursor: Cursor, limits: Limits, manifests: ManifestTable, references: boolean) {
    this.cursor = cursor;
    this.#limits = limits;
    this.#manifests = manifests;
    this.#references = references;
    this.#source = { bytes: cursor.bytes, objects: new Map(), referenced: new Set() };
  }

  root(): PayloadNode {
    let node = this.#begin(undeclared, 0);
    for (;;) {
      const container = this.#stack.at(-1);
      if (node !== null) {
        if (container === undefined) {
          return node;
        }
        container.add(node);
        node = null;
      } else if (container !== undefined) {
        const shape = container.next(this);
        if (shape === null) {
          this.#stack.pop();
          node = this.#made(container.finish(this.cursor.position));
        } else {
          node = this.#begin(shape, container.depth);
        }
      }
    }
  }

  /** The value of a payload that ends too early, with what is in front of that; null where nothing is. It ends the walk. */
  beginning(): PayloadNode | null {
    let node: PayloadNode | null = null;
    for (let container = this.#stack.pop(); container !== undefined; container = this.#stack.pop()) {
      if (!container.hasBegun) {
        node = null;
        continue;
      }
      if (node !== null) {
        container.add(node);
      }
      const made = container.finish(this.cursor.position);
      for (const number of made.objectNumbers) {
        this.#source.objects.set(number, made);
      }
      // A value of which no byte is there is not there.
      node = made.length > 0 ? made : null;
    }
    return node;
  }

  /** A count of elements of these shapes, all of which may be there. */
  count(shapes: readonly Shape[]): number {
    const start = this.cursor.position;
    const count = this.cursor.varint();
    this.#checkCount(count, shapes, start);
    return count;
  }

  /** Moves behind values of one size, and returns where they begin. */
  passPlain(shape: PlainShape, count: number): number {
    const size = plainSize(shape);
    const start = this.cursor.take(count * size);
    if (shape.kind === "builtIn" && !takesAllBits(shape.type)) {
      for (let offset = start; offset < this.cursor.position; offset += size) {
        checkFixed(this.cursor, shape.type, offset);
      }
    }
    return start;
  }

  /** Moves behind a string that is not null. */
  passText(what: string): void {
    const start = this.cursor.position;
    const text = builtInOf(0x2a);
    if (text === undefined || !passScalar(this.cursor, text, this.#limits)) {
      throw this.cursor.error("InvalidValue", `${what} is null`, start);
    }
  }

  /** Reads a value up to where others inside it begin, for which a container is put on the stack; null is returned then. */
  #begin(declared: Shape, depth: number): PayloadNode | null {
    const beginning: Beginning = { offset: this.cursor.position, type: null, numbers: [], depth };
    let shape = declared;
    let mayBeNull = true;
    for (;;) {
      switch (shape.kind) {
        case "nullable": {
          const start = this.cursor.position;
          const there = this.cursor.byte();
          if (there === 0) {
            return this.#made(new NullNode(this.#head(beginning), this.cursor.position));
          }
          if (there !== 1) {
            throw this.cursor.error("InvalidValue", `a nullable begins with ${there}, which is neither 0 nor 1`, start);
          }
          shape = shape.element;
          break;
        }
        case "recursion":
          shape = shape.target;
          break;
        case "tagged": {
          const tagged = this.#readTag(beginning, shape);
          if (!("shape" in tagged)) {
            return this.#made(tagged);
          }
          ({ shape, mayBeNull } = tagged);
          break;
        }
        case "builtIn":
        case "enum":
          return this.#made(this.#scalar(beginning, shape, mayBeNull));
        case "fixed":
          return this.#made(this.#opaque(beginning, shape.size));
        case "framed":
          return this.#made(this.#framed(beginning));
        default:
          this.#stack.push(this.#container(beginning, shape));
          return null;
      }
    }
  }

  #container(beginning: Beginning, shape: Exclude<Shape, PlainShape | TaggedShape>): Container {
    const head = this.#head(beginning);
    const { depth } = beginning;
    switch (shape.kind) {
      case "members":
        return new MembersContainer(head, depth, shape.members, null);
      case "union": {
        const start = this.cursor.position;
        const number = this.cursor.varint();
        const taken = shape.cases[number];
        if (taken === undefined) {
          throw this.cursor.error("InvalidValue", `a union has no case ${number}`, start);
        }
        return new MembersContainer(head, depth, taken.fields.members, taken.name);
      }
      case "sequence":
        return new SequenceContainer(this, head, depth, shape, this.count([shape.element]), []);
      case "array":
        return this.#array(head, depth, shape);
      case "set":
        return new SetContainer(head, depth, shape);
      case "map":
        return new MapContainer(head, depth, shape);
      default:
        throw this.cursor.error("Manifest", `${shape.kind} is no shape of a container`);
    }
  }

  #array(head: Head, depth: number, shape: ArrayShape): Container {
    const start = this.cursor.position;
    const rank = this.cursor.byte();
    if (rank < 1 || rank > maxRank) {
      throw this.cursor.error("InvalidValue", `an array has ${rank} dimensions, and 1 to ${maxRank} are allowed`, start);
    }
    const dimensions: Dimension[] = [];
    for (let index = 0; index < rank; index++) {
      const length = this.cursor.varint();
      const lowerBound = this.cursor.int32();
      if (length > maxCount || lowerBound + length > 2 ** 31) {
        throw this.cursor.error("InvalidValue", `an array has no dimension of ${length} elements from ${lowerBound} on`, start);
      }
      dimensions.push({ length, lowerBound });
    }
    const count = dimensions.some((dimension) => dimension.length === 0)
      ? 0
      : dimensions.reduce((product, dimension) => product * dimension.length, 1);
    if (count > maxCount) {
      throw this.cursor.error("InvalidValue", `the dimensions of an array multiply to ${count} elements, which no array has`, start);
    }
    this.#checkCount(count, [shape.element], start);
    return new SequenceContainer(this, head, depth, shape, count, dimensions);
  }

  #readTag(beginning: Beginning, position: TaggedShape): Tagged {
    const start = this.cursor.position;
    const tag = this.cursor.byte();
    if (tag >= 0x80) {
      return this.#ofType(beginning, () => this.#manifests.find(this.cursor, tag - 0x80, position.declaresType, start), start);
    }
    switch (tag) {
      case 0x00:
        return new NullNode(this.#head(beginning), this.cursor.position);
      case 0x01:
        return this.#reference(beginning, start);
      case 0x02:
        return this.#ofType(beginning, () => this.#define(position.declaresType, start), start);
      case 0x03:
        return this.#ofType(
          beginning,
          () => this.#manifests.find(this.cursor, this.cursor.varint(), position.declaresType, start),
          start,
        );
      case 0x04:
        if (position.exact === null) {
          throw this.cursor.error("Tag", "the tag 04 stands where no type is declared that it could mean", start);
        }
        this.#enterObject(beginning);
        return { shape: position.exact, mayBeNull: true };
      case 0x05:
        this.#enterObject(beginning);
        return { shape: { kind: "sequence", element: this.#elementShape() }, mayBeNull: true };
      case 0x2f:
        this.#enterObject(beginning);
        return new MembersNode(this.#head(beginning), this.cursor.position, []);
      default: {
        const type = builtInOf(tag);
        if (type === undefined) {
          throw this.cursor.error("Tag", `${hexByte(tag)} is no tag`, start);
        }
        return { shape: { kind: "builtIn", type }, mayBeNull: false };
      }
    }
  }

  /** The shape of the elements of an array behind the tag 05. */
  #elementShape(): Shape {
    const start = this.cursor.position;
    const tag = this.cursor.byte();
    const type = builtInOf(tag);
    if (tag === 0x2f || type?.name === "Uri" || type?.name === "Version" || type?.name === "Type") {
      return undeclared;
    }
    if (type === undefined) {
      throw this.cursor.error("Tag", `${hexByte(tag)} is no tag of a built-in type`, start);
    }
    return { kind: "builtIn", type };
  }

  #ofType(beginning: Beginning, find: () => PayloadType, start: number): Tagged {
    this.#enterObject(beginning);
    const type = find();
    if (type.shape === null) {
      throw this.cursor.error("SchemaMismatch", `the payload does not say how ${type.name ?? "its type"} is laid out`, start);
    }
    beginning.type = type;
    return { shape: type.shape, mayBeNull: true };
  }

  #define(declaresType: boolean, start: number): PayloadType {
    const type = this.#manifests.define(this.cursor, declaresType);
    this.definitions.push({ type, offset: start, length: this.cursor.position - start });
    return type;
  }

  #reference(beginning: Beginning, start: number): PayloadNode {
    if (!this.#references) {
      throw this.cursor.error("Reference", "there is a reference, and the header says that there are none", start);
    }
    const number = this.cursor.varint();
    if (number >= this.#objects) {
      throw this.cursor.error("Reference", `a reference means the object ${number}, and ${this.#objects} have begun`, start);
    }
    this.#source.referenced.add(number);
    return new ReferenceNode(this.#head(beginning), this.cursor.position, number);
  }

  #scalar(beginning: Beginning, shape: BuiltInShape | EnumShape, mayBeNull: boolean): PayloadNode {
    const start = this.cursor.position;
    if (passScalar(this.cursor, shape.type, this.#limits)) {
      return new ScalarNode(this.#head(beginning), this.cursor.position, shape, start);
    }
    if (!mayBeNull) {
      throw this.cursor.error("InvalidValue", "a string behind its tag is null", start);
    }
    return new NullNode(this.#head(beginning), this.cursor.position);
  }

  #framed(beginning: Beginning): PayloadNode {
    const start = this.cursor.position;
    const count = this.cursor.varint();
    if (this.#references) {
      const objects = this.cursor.varint();
      if (objects > count) {
        throw this.cursor.error("Length", `a value of ${count} bytes cannot hold ${objects} objects`, start);
      }
      this.#addObjects(objects, start);
    }
    if (count > this.cursor.remaining) {
      throw this.cursor.error("Length", `a value has ${count} bytes, and ${this.cursor.remaining} are left`, start);
    }
    return this.#opaque(beginning, count);
  }

  #opaque(beginning: Beginning, count: number): PayloadNode {
    const start = this.cursor.take(count);
    return new OpaqueNode(this.#head(beginning), this.cursor.position, start);
  }

  #enterObject(beginning: Beginning): void {
    const number = this.#objects;
    this.#addObjects(1, beginning.offset);
    if (this.#references) {
      beginning.numbers.push(number);
    }
    beginning.depth++;
    if (beginning.depth > this.#limits.maxDepth) {
      throw this.cursor.error("Limit", `there are more than ${this.#limits.maxDepth} objects inside each other`);
    }
  }

  #addObjects(count: number, offset: number): void {
    this.#objects += count;
    if (this.#objects > this.#limits.maxObjects) {
      throw this.cursor.error("Limit", `there are more than ${this.#limits.maxObjects} objects`, offset);
    }
  }

  #checkCount(count: number, shapes: readonly Shape[], start: number): void {
    const size = shapes.reduce((sum, shape) => sum + leastSize(shape), 0);
    if (count > this.#limits.maxElements) {
      throw this.cursor.error("Limit", `there are ${count} elements, and at most ${this.#limits.maxElements} are allowed`, start);
    }
    if (count * size > this.cursor.remaining) {
      const least = count * size;
      throw this.cursor.error("Length", `${count} elements need ${least} bytes, and ${this.cursor.remaining} are left`, start);
    }
  }

  #head(beginning: Beginning): Head {
    return { source: this.#source, offset: beginning.offset, type: beginning.type, numbers: beginning.numbers };
  }

  /** Counts a node, and keeps it by its numbers. */
  #made(node: PayloadNode): PayloadNode {
    this.#nodes++;
    if (this.#nodes > this.#limits.maxNodes) {
      throw this.cursor.error("Limit", `there are more than ${this.#limits.maxNodes} values`);
    }
    for (const number of node.objectNumbers) {
      this.#source.objects.set(number, node);
    }
    return node;
  }
}
