import type { BuiltIn } from "./builtin.js";

/** How a value lies in the bytes. */
export type Shape =
  | BuiltInShape
  | EnumShape
  | FixedShape
  | FramedShape
  | NullableShape
  | SequenceShape
  | SetShape
  | ArrayShape
  | MapShape
  | MembersShape
  | UnionShape
  | RecursionShape
  | TaggedShape;

export interface BuiltInShape {
  readonly kind: "builtIn";
  readonly type: BuiltIn;
}

/** The integer of an enum, with the names of its values as unsigned numbers. */
export interface EnumShape {
  readonly kind: "enum";
  readonly type: BuiltIn;
  readonly names: ReadonlyMap<bigint, string>;
}

export interface FixedShape {
  readonly kind: "fixed";
  readonly size: number;
}

export interface FramedShape {
  readonly kind: "framed";
}

export interface NullableShape {
  readonly kind: "nullable";
  readonly element: Shape;
}

export interface SequenceShape {
  readonly kind: "sequence";
  readonly element: Shape;
}

export interface SetShape {
  readonly kind: "set";
  readonly element: Shape;
}

export interface ArrayShape {
  readonly kind: "array";
  readonly element: Shape;
}

export interface MapShape {
  readonly kind: "map";
  readonly key: Shape;
  readonly value: Shape;
}

export interface Member {
  readonly name: string;
  readonly shape: Shape;
}

export interface MembersShape {
  readonly kind: "members";
  readonly members: readonly Member[];
  /** The bytes of each value where they are the same for all, and else 0. */
  readonly size: number;
  /** The least bytes that a value is counted as. */
  readonly leastSize: number;
}

export interface UnionCase {
  readonly name: string;
  readonly fields: MembersShape;
}

export interface UnionShape {
  readonly kind: "union";
  readonly cases: readonly UnionCase[];
}

/** The members or union shape that is so many levels up. */
export interface RecursionShape {
  readonly kind: "recursion";
  readonly target: MembersShape | UnionShape;
}

export interface TaggedShape {
  readonly kind: "tagged";
  /** The shape of a value with the tag 04; null where that tag may not occur. */
  readonly exact: Shape | null;
  /** False where the position is known to declare no type, so that a manifest has to say one. */
  readonly declaresType: boolean;
}

/** The root, an element behind the tag 05, or a comparer. */
export const undeclared: TaggedShape = { kind: "tagged", exact: null, declaresType: false };

/** The bytes of each value of the shape, or 0 where they differ. */
export function fixedSize(shape: Shape): number {
  switch (shape.kind) {
    case "builtIn":
    case "enum":
      return shape.type.size;
    case "fixed":
    case "members":
      return shape.size;
    default:
      return 0;
  }
}

/** The least bytes that a value of the shape is counted as: members as the sum of theirs, and what has no fixed size as one byte. */
export function leastSize(shape: Shape): number {
  return shape.kind === "members" ? shape.leastSize : Math.max(1, fixedSize(shape));
}

/** A shape whose values are not made of others, and are all of one size. */
export type PlainShape = BuiltInShape | EnumShape | FixedShape;

export function isPlain(shape: Shape): shape is PlainShape {
  return (shape.kind === "builtIn" && shape.type.size > 0) || shape.kind === "enum" || shape.kind === "fixed";
}
