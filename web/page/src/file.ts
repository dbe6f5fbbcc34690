import { FrameSplitter, parse, PayloadSession, WireFormatError, type Limits, type PayloadDocument } from "../../reader/src/index.js";

/** The way in which payloads follow each other in a file, as the tool has found out or was told. */
export type Form = "single" | "framed" | "single session" | "framed session";

/** A payload of the file. */
export interface Payload {
  /** The position of its first byte in the file. */
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** What is known of a payload that was read once: the type of its root, or why it was refused. */
export interface Outcome {
  readonly label: string;
  readonly error: WireFormatError | null;
}

/** The file is the user's: only memory bounds what is read of it, as in `wire show`. */
const limits: Partial<Limits> = {
  maxDepth: Number.MAX_SAFE_INTEGER,
  maxObjects: 2_147_483_647,
  maxFrameBytes: 2_147_483_647,
  maxManifests: 65_536,
  maxManifestBytes: 268_435_456,
  maxNodes: 100_000_000,
};

/** The payloads of the file that the page is of. */
export class PayloadFile {
  readonly payloads: readonly Payload[];
  readonly isFramed: boolean;

  /** What is behind the last whole frame, and why it is none. */
  readonly rest: { readonly payload: Payload; readonly reason: string } | null;

  readonly outcomes: Outcome[] = [];
  readonly #isSession: boolean;
  readonly #session = new PayloadSession();

  constructor(bytes: Uint8Array, form: Form) {
    this.isFramed = form.startsWith("framed");
    this.#isSession = form.endsWith("session");
    if (!this.isFramed) {
      this.payloads = [{ offset: 0, bytes }];
      this.rest = null;
      return;
    }
    const payloads: Payload[] = [];
    const splitter = new FrameSplitter(limits);
    splitter.push(bytes);
    let end = 0;
    for (let payload = splitter.next(); payload !== null; payload = splitter.next()) {
      const offset = payload.byteOffset - bytes.byteOffset;
      payloads.push({ offset, bytes: payload });
      end = offset + payload.length;
    }
    this.payloads = payloads;
    this.rest = restOf(splitter, { offset: end, bytes: bytes.subarray(end) });
  }

  /** Reads a payload, or returns why it is refused. Messages of a session are read in their order. */
  read(index: number): PayloadDocument | WireFormatError {
    while (this.#isSession && this.outcomes.length < index) {
      this.readNext();
    }
    const outcome = this.outcomes[index];
    if (outcome?.error != null) {
      return outcome.error;
    }
    if (outcome === undefined || !this.#session.ended) {
      return this.#note(index, this.#parse(index, this.#session));
    }
    // What contradicts the messages before it does not keep these from being read again.
    const session = new PayloadSession();
    for (let before = 0; before < index; before++) {
      this.#parse(before, session);
    }
    return this.#parse(index, session);
  }

  /** Reads the first payload that was not read yet, for what is said about it in the list; returns whether there is one more. */
  readNext(): boolean {
    const index = this.outcomes.length;
    if (index < this.payloads.length) {
      this.#note(index, this.#parse(index, this.#session));
    }
    return index + 1 < this.payloads.length;
  }

  #note(index: number, result: PayloadDocument | WireFormatError): PayloadDocument | WireFormatError {
    if (index === this.outcomes.length) {
      this.outcomes.push(result instanceof WireFormatError ? { label: result.kind, error: result } : { label: labelOf(result), error: null });
    }
    return result;
  }

  #parse(index: number, session: PayloadSession): PayloadDocument | WireFormatError {
    try {
      const bytes = this.payloads[index]?.bytes ?? new Uint8Array();
      return parse(bytes, this.#isSession ? { limits, session } : { limits });
    } catch (error) {
      if (error instanceof WireFormatError) {
        return error;
      }
      // The engine has no more memory, or no larger collection.
      return new WireFormatError("Limit", 0, `the page cannot hold the payload: ${String(error)}`);
    }
  }
}

function labelOf({ root }: PayloadDocument): string {
  return root.typeName ?? (root.kind === "scalar" ? root.scalarType : root.kind);
}

function restOf(splitter: FrameSplitter, payload: Payload): PayloadFile["rest"] {
  try {
    splitter.end();
    return null;
  } catch (error) {
    if (error instanceof WireFormatError) {
      return { payload, reason: `${error.kind}: ${error.message.replace(/ \(at byte \d+\)$/, "")}` };
    }
    throw error;
  }
}

/** The bytes of base64 text, in pieces: no string of all characters is needed besides it. */
export function fromBase64(text: string): Uint8Array {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  const chunk = 4 * 16_384;
  for (let start = 0, at = 0; start < text.length; start += chunk) {
    const piece = atob(text.slice(start, start + chunk));
    for (let index = 0; index < piece.length; index++) {
      bytes[at++] = piece.charCodeAt(index);
    }
  }
  return bytes;
}
