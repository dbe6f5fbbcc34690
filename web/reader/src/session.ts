import { definitionCheck } from "./check.js";
import type { Cursor } from "./cursor.js";
import { WireFormatError } from "./errors.js";
import type { Limits } from "./limits.js";
import { checkFound, countBytes, readManifest, type Manifest, type ManifestTable, type PayloadType } from "./manifests.js";

interface Kept {
  readonly manifest: Manifest;
  /** False for what a refused message has said, until one that can be read says the same. */
  readonly certain: boolean;
}

/** What the messages of one session have defined: each type is in the first message that needs it. Pass it messages in order. */
export class PayloadSession {
  readonly #kept = new Map<number, Kept>();
  #bytes = 0;
  #ended = false;

  /** Whether messages have contradicted each other, so that no more can be read with this session. */
  get ended(): boolean {
    return this.#ended;
  }

  /** @internal The manifests as one message sees them. */
  open(limits: Limits): MessageManifests {
    if (this.#ended) {
      throw new WireFormatError("Manifest", 0, "the session has ended: an earlier message contradicts the others");
    }
    return new MessageManifests(this, limits, this.#bytes);
  }

  /** @internal */
  find(identifier: number): Kept | undefined {
    return this.#kept.get(identifier);
  }

  /** @internal */
  end(): void {
    this.#ended = true;
  }

  /** @internal Keeps what a message has defined. */
  learn(defined: ReadonlyMap<number, Manifest>, certain: boolean): void {
    for (const [identifier, manifest] of defined) {
      const before = this.#kept.get(identifier);
      this.#bytes += manifest.bytes.length - (before?.manifest.bytes.length ?? 0);
      this.#kept.set(identifier, { manifest, certain: certain || (before?.certain ?? false) });
    }
  }
}

/** The manifests of a message of a session: each has its identifier in front. */
export class MessageManifests implements ManifestTable {
  readonly #session: PayloadSession;
  readonly #limits: Limits;
  readonly #defined = new Map<number, Manifest>();
  #bytes: number;

  constructor(session: PayloadSession, limits: Limits, bytes: number) {
    this.#session = session;
    this.#limits = limits;
    this.#bytes = bytes;
  }

  define(cursor: Cursor, declaresType: boolean): PayloadType {
    const start = cursor.position;
    const identifier = cursor.varint();
    if (identifier >= this.#limits.maxManifests) {
      throw cursor.error("Limit", `the identifier ${identifier} of a manifest is beyond ${this.#limits.maxManifests}`, start);
    }
    const manifest = readManifest(cursor, declaresType);
    if (cursor.uint32() !== definitionCheck(identifier, manifest.bytes)) {
      throw cursor.error("Manifest", `the definition of the manifest ${identifier} is damaged: it does not fit its check`, start);
    }
    const here = this.#defined.get(identifier);
    if (here !== undefined) {
      if (!sameBytes(here.bytes, manifest.bytes)) {
        throw cursor.error("Manifest", `a message defines the manifest ${identifier} twice, and differently`, start);
      }
      return here.type;
    }
    const earlier = this.#session.find(identifier);
    if (earlier?.certain === true && !sameBytes(earlier.manifest.bytes, manifest.bytes)) {
      this.#session.end();
      throw cursor.error("Manifest", `an earlier message of the session has another manifest ${identifier}`, start);
    }
    const replaced = earlier?.manifest.bytes.length ?? 0;
    this.#bytes = countBytes(cursor, this.#limits, this.#bytes - replaced, manifest);
    this.#defined.set(identifier, manifest);
    return manifest.type;
  }

  find(cursor: Cursor, identifier: number, declaresType: boolean, offset: number): PayloadType {
    const manifest = this.#defined.get(identifier) ?? this.#session.find(identifier)?.manifest;
    return checkFound(cursor, manifest?.type, identifier, declaresType, offset);
  }

  /** Keeps what the message has defined, because it could be read. */
  keep(): void {
    this.#session.learn(this.#defined, true);
  }

  /** Keeps it for as long as no message says otherwise: this one is in order up to a value that cannot be passed over. */
  keepForNow(): void {
    this.#session.learn(this.#defined, false);
  }
}

function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}
