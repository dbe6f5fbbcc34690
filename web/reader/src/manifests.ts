import { Cursor, hexByte } from "./cursor.js";
import type { Limits } from "./limits.js";
import { readSchema } from "./shape-reader.js";
import type { Shape } from "./shapes.js";

const maxManifest = 262_144;
const hashSize = 4;

/** What a payload says about a type, in a manifest. */
export interface PayloadType {
  /** The name of the type, or `known type 5`; null where it is the one that the position declares. */
  readonly name: string | null;
  /** The identifier of a known type, on which writer and reader agreed. */
  readonly knownType: number | null;
  /** Whether something else stands for the values: a surrogate, or what the object wrote of itself. */
  readonly surrogate: boolean;
  /** How the values lie in the bytes; null where the payload has only a hash of that. */
  readonly shape: Shape | null;
}

/** A manifest with its bytes, which are compared where it is defined again. */
export interface Manifest {
  readonly type: PayloadType;
  readonly bytes: Uint8Array;
}

/** Reads a manifest, its length in front. */
export function readManifest(cursor: Cursor, declaresType: boolean): Manifest {
  const start = cursor.position;
  const count = cursor.varint();
  if (count > maxManifest) {
    throw cursor.error("Manifest", `a manifest has ${count} bytes, and at most ${maxManifest} are allowed`, start);
  }
  const from = cursor.take(count);
  const inner = new Cursor(cursor.bytes, from, from + count, "Manifest");
  const name = readName(inner);
  if (name.name === null && !declaresType) {
    throw cursor.error("Manifest", "a manifest has no name, and its position declares no type", from);
  }
  const flags = inner.byte();
  if (flags > 3) {
    throw inner.error("Manifest", `a manifest has the unknown flags ${hexByte(flags)}`);
  }
  let shape: Shape | null = null;
  if ((flags & 1) !== 0) {
    shape = readSchema(inner);
  } else {
    inner.take(hashSize);
  }
  if (inner.remaining > 0) {
    throw inner.error("Manifest", `${inner.remaining} bytes follow the end of a manifest`);
  }
  return { type: { ...name, surrogate: (flags & 2) !== 0, shape }, bytes: cursor.bytes.slice(from, from + count) };
}

function readName(cursor: Cursor): Pick<PayloadType, "name" | "knownType"> {
  const header = cursor.varint();
  if (header === 0) {
    return { name: null, knownType: null };
  }
  const rest = header >>> 1;
  if ((header & 1) !== 0) {
    return { name: `known type ${rest}`, knownType: rest };
  }
  return { name: cursor.utf8(rest), knownType: null };
}

/** The manifests that the values of one payload refer to. */
export interface ManifestTable {
  /** Reads a manifest behind the tag 02, and what is in front of it. */
  define(cursor: Cursor, declaresType: boolean): PayloadType;
  /** The type of the manifest with this identifier; `offset` is where a value names it. */
  find(cursor: Cursor, identifier: number, declaresType: boolean, offset: number): PayloadType;
}

/** Those of a payload that stands alone: they take the next identifier. */
export class OwnManifests implements ManifestTable {
  readonly #types: PayloadType[] = [];
  readonly #limits: Limits;
  #bytes = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  define(cursor: Cursor, declaresType: boolean): PayloadType {
    if (this.#types.length >= this.#limits.maxManifests) {
      throw cursor.error("Limit", `there are more than ${this.#limits.maxManifests} manifests`);
    }
    const manifest = readManifest(cursor, declaresType);
    this.#bytes = countBytes(cursor, this.#limits, this.#bytes, manifest);
    this.#types.push(manifest.type);
    return manifest.type;
  }

  find(cursor: Cursor, identifier: number, declaresType: boolean, offset: number): PayloadType {
    return checkFound(cursor, this.#types[identifier], identifier, declaresType, offset);
  }
}

/** Adds the bytes of a manifest to those before it, within the limit. */
export function countBytes(cursor: Cursor, limits: Limits, before: number, manifest: Manifest): number {
  const bytes = before + manifest.bytes.length;
  if (bytes > limits.maxManifestBytes) {
    throw cursor.error("Limit", `the manifests have more than ${limits.maxManifestBytes} bytes together`);
  }
  return bytes;
}

/** Refuses an identifier that names no manifest, or one without a name where no type is declared. */
export function checkFound(
  cursor: Cursor,
  type: PayloadType | undefined,
  identifier: number,
  declaresType: boolean,
  offset: number,
): PayloadType {
  if (type === undefined) {
    throw cursor.error("UnknownManifest", `no manifest has the identifier ${identifier}`, offset);
  }
  if (type.name === null && !declaresType) {
    throw cursor.error("Manifest", `the manifest ${identifier} has no name, and the position declares no type`, offset);
  }
  return type;
}
