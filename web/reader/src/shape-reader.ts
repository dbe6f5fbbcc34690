import { builtInOf, type BuiltIn } from "./builtin.js";
import { hexByte, type Cursor } from "./cursor.js";
import { fixedSize, leastSize, type Member, type MembersShape, type Shape, type UnionCase, type UnionShape } from "./shapes.js";

const maxNesting = 32;
const maxFixed = 65_536;

/** A members or union shape around the one that is read, and whether a recursion may refer to it from here. */
interface Level {
  readonly target: MembersShape | UnionShape;
  separated: boolean;
}

/** The parts of shapes may not be members without any: such values would take no byte. */
type Place = "whole" | "part";

/**
 * Reads a schema, one shape with all those inside it. The recursion is bounded by the 32 levels that a schema may have.
 */
export function readSchema(cursor: Cursor): Shape {
  return new ShapeReader(cursor).read(0, "whole");
}

class ShapeReader {
  readonly #cursor: Cursor;
  readonly #levels: Level[] = [];

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
  }

  read(nesting: number, place: Place): Shape {
    const start = this.#cursor.position;
    return this.#readCode(this.#cursor.byte(), nesting, place, start);
  }

  #readCode(code: number, nesting: number, place: Place, start: number): Shape {
    if (nesting > maxNesting) {
      throw this.#error(`a schema has more than ${maxNesting} levels`, start);
    }
    const builtIn = builtInOf(code);
    if (builtIn !== undefined) {
      return { kind: "builtIn", type: builtIn };
    }
    switch (code) {
      case 0x40:
        return { kind: "nullable", element: this.read(nesting + 1, "part") };
      case 0x41:
        return { kind: "sequence", element: this.#separate(() => this.read(nesting + 1, "part")) };
      case 0x42:
        return this.#separate(() => {
          const key = this.read(nesting + 1, "part");
          return { kind: "map", key, value: this.read(nesting + 1, "part") };
        });
      case 0x43:
        return { kind: "array", element: this.#separate(() => this.read(nesting + 1, "part")) };
      case 0x44: {
        const shape = this.#readMembers(nesting);
        if (place === "part" && shape.members.length === 0) {
          throw this.#error("a part of a schema has no members, so that its values take no bytes", start);
        }
        return shape;
      }
      case 0x45:
        return this.#readRecursion(start);
      case 0x46:
        return { kind: "tagged", exact: this.#separate(() => this.#readExact(nesting + 1)), declaresType: true };
      case 0x47:
        return { kind: "framed" };
      case 0x48: {
        const size = this.#cursor.varint();
        if (size < 1 || size > maxFixed) {
          throw this.#error(`a fixed size of ${size} bytes is not from 1 to ${maxFixed}`, start);
        }
        return { kind: "fixed", size };
      }
      case 0x49:
        return { kind: "set", element: this.#separate(() => this.read(nesting + 1, "part")) };
      case 0x4a:
        return this.#readUnion(nesting);
      case 0x4b:
        return this.#readEnum();
      default:
        throw this.#error(`there is no shape ${hexByte(code)}`, start);
    }
  }

  #readExact(nesting: number): Shape | null {
    const start = this.#cursor.position;
    const code = this.#cursor.byte();
    return code === 0 ? null : this.#readCode(code, nesting, "part", start);
  }

  /** What is read inside may recur to each level that is there. */
  #separate<T>(read: () => T): T {
    const before = this.#levels.map((level) => level.separated);
    for (const level of this.#levels) {
      level.separated = true;
    }
    const result = read();
    this.#levels.forEach((level, index) => (level.separated = before[index] ?? false));
    return result;
  }

  #readMembers(nesting: number): MembersShape {
    const count = this.#count("members");
    const members: Member[] = [];
    const shape = { kind: "members" as const, members, size: 0, leastSize: 0 };
    this.#levels.push({ target: shape, separated: false });
    const names = new Set<string>();
    let allFixed = true;
    for (let index = 0; index < count; index++) {
      const name = this.#name(names);
      const member = this.read(nesting + 1, "part");
      members.push({ name, shape: member });
      allFixed &&= fixedSize(member) > 0;
      shape.leastSize += leastSize(member);
    }
    shape.size = allFixed ? shape.leastSize : 0;
    this.#levels.pop();
    return shape;
  }

  #readUnion(nesting: number): UnionShape {
    const count = this.#count("cases");
    if (count === 0) {
      throw this.#error("a union has no cases");
    }
    const cases: UnionCase[] = [];
    const shape: UnionShape = { kind: "union", cases };
    this.#levels.push({ target: shape, separated: false });
    const names = new Set<string>();
    for (let index = 0; index < count; index++) {
      const name = this.#name(names);
      const start = this.#cursor.position;
      if (this.#cursor.byte() !== 0x44) {
        throw this.#error("the fields of a case are not members", start);
      }
      cases.push({ name, fields: this.#readMembers(nesting + 1) });
    }
    this.#levels.pop();
    return shape;
  }

  #readRecursion(start: number): Shape {
    const up = this.#cursor.varint();
    const level = this.#levels[this.#levels.length - 1 - up];
    if (level === undefined) {
      throw this.#error(`a recursion refers to the shape ${up} levels up, and there are ${this.#levels.length}`, start);
    }
    if (!level.separated) {
      throw this.#error("a recursion means a value inside itself, without end", start);
    }
    return { kind: "recursion", target: level.target };
  }

  #readEnum(): Shape {
    const start = this.#cursor.position;
    const type = this.#enumInteger(this.#cursor.byte(), start);
    const count = this.#count("names");
    if (count === 0) {
      throw this.#error("an enum has no names", start);
    }
    const end = 1n << BigInt(type.size * 8);
    const names = new Map<bigint, string>();
    const seen = new Set<string>();
    let value = 0n;
    let before: string | null = null;
    for (let index = 0; index < count; index++) {
      const name = this.#name(seen);
      const step = this.#cursor.varint64();
      value += step;
      if (value >= end) {
        throw this.#error(`the value ${value} of an enum is beyond its integer`);
      }
      if (before !== null && step === 0n && name < before) {
        throw this.#error("the names of one value of an enum are not in ordinal order");
      }
      if (!names.has(value)) {
        names.set(value, name);
      }
      before = name;
    }
    return { kind: "enum", type, names };
  }

  #enumInteger(tag: number, start: number): BuiltIn {
    const type = builtInOf(tag);
    if (type === undefined || tag < 0x11 || tag > 0x18) {
      throw this.#error("an enum is not of an integer of 8 to 64 bits", start);
    }
    return type;
  }

  /** Each of what is counted takes at least two bytes: a length of its name, and more. */
  #count(what: string): number {
    const start = this.#cursor.position;
    const count = this.#cursor.varint();
    if (count * 2 > this.#cursor.remaining) {
      throw this.#error(`${count} ${what} need more bytes than are left`, start);
    }
    return count;
  }

  #name(seen: Set<string>): string {
    const start = this.#cursor.position;
    const name = this.#cursor.utf8(this.#cursor.varint());
    if (seen.has(name)) {
      throw this.#error(`the name ${JSON.stringify(name)} occurs twice`, start);
    }
    seen.add(name);
    return name;
  }

  #error(message: string, start = this.#cursor.position): Error {
    return this.#cursor.error("Manifest", message, start);
  }
}
