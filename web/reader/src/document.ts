import { Cursor, hexByte } from "./cursor.js";
import { WireFormatError } from "./errors.js";
import { defaultLimits, type Limits } from "./limits.js";
import { OwnManifests } from "./manifests.js";
import type { PayloadNode } from "./nodes.js";
import { PayloadSession } from "./session.js";
import { Walk, type Definition } from "./walk.js";

const version = 1;
const typedRoot = 1;
const withReferences = 2;
const ofSession = 4;
const reserved = 8;
const asyncSequences = 0x18;

export interface ParseOptions {
  /** Bounds of what a payload may cost; those that are left out are the default ones. */
  readonly limits?: Partial<Limits>;
  /** What earlier messages of the same session have defined. */
  readonly session?: PayloadSession;
  /** Allows bytes behind the payload, of which `PayloadDocument.length` then says how many are its own. */
  readonly allowTrailingBytes?: boolean;
}

/** A payload, read by its bytes alone. They must not change while it is used. */
export interface PayloadDocument {
  readonly root: PayloadNode;
  /** The types that it defines, in the order of its bytes. */
  readonly definitions: readonly Definition[];
  /** The bytes of the payload, its header included. */
  readonly length: number;
  /** Whether its objects are numbered, and references may occur. */
  readonly hasReferences: boolean;
  /** Whether it is a message of a session. */
  readonly isSessionMessage: boolean;
}

/** Reads a payload, or refuses it with a `WireFormatError`. */
export function parse(bytes: Uint8Array, options: ParseOptions = {}): PayloadDocument {
  const limits: Limits = { ...defaultLimits, ...options.limits };
  if (bytes.length > limits.maxBytes) {
    throw new WireFormatError("Limit", 0, `a payload has ${bytes.length} bytes, and at most ${limits.maxBytes} are allowed`);
  }
  const cursor = new Cursor(bytes);
  const header = readHeader(cursor);
  const allowTrailing = options.allowTrailingBytes ?? false;
  if ((header & ofSession) === 0) {
    checkRoot(cursor, header);
    return walk(cursor, header, new Walk(cursor, limits, new OwnManifests(limits), (header & withReferences) !== 0), allowTrailing);
  }
  const manifests = (options.session ?? new PayloadSession()).open(limits);
  checkRoot(cursor, header);
  try {
    const document = walk(cursor, header, new Walk(cursor, limits, manifests, (header & withReferences) !== 0), allowTrailing);
    manifests.keep();
    return document;
  } catch (error) {
    if (error instanceof WireFormatError && error.kind === "SchemaMismatch") {
      manifests.keepForNow();
    }
    throw error;
  }
}

function walk(cursor: Cursor, header: number, pass: Walk, allowTrailing: boolean): PayloadDocument {
  const documentOf = (root: PayloadNode): PayloadDocument => ({
    root,
    definitions: pass.definitions,
    length: cursor.position,
    hasReferences: (header & withReferences) !== 0,
    isSessionMessage: (header & ofSession) !== 0,
  });
  let root: PayloadNode | null = null;
  try {
    root = pass.root();
    if (cursor.remaining > 0 && !allowTrailing) {
      throw cursor.error("TrailingBytes", `${cursor.remaining} bytes follow the end of the payload`);
    }
    return documentOf(root);
  } catch (error) {
    root ??= pass.beginning();
    if (error instanceof WireFormatError && root !== null) {
      error.beginning = documentOf(root);
    }
    throw error;
  }
}

function readHeader(cursor: Cursor): number {
  const header = cursor.byte();
  if (header >> 4 !== version) {
    throw cursor.error("Header", `${hexByte(header)} is no header of format version ${version}`, 0);
  }
  if (header === asyncSequences) {
    throw cursor.error("Header", "the elements of async sequences follow the value, which this reader does not take apart", 0);
  }
  if ((header & reserved) !== 0) {
    throw cursor.error("Header", "a reserved flag is set in the header", 0);
  }
  return header;
}

function checkRoot(cursor: Cursor, header: number): void {
  if ((header & typedRoot) !== 0) {
    throw cursor.error("SchemaMismatch", "the payload has a typed root, and does not say how it is laid out");
  }
}
