import { WireFormatError } from "./errors.js";
import { parse, type ParseOptions, type PayloadDocument } from "./document.js";
import { defaultLimits, type Limits } from "./limits.js";

const lengthSize = 4;

/** Takes the bytes of a framed stream as they arrive, and gives the payloads that are complete. */
export class FrameSplitter {
  readonly #maxFrameBytes: number;
  readonly #chunks: Uint8Array[] = [];
  #buffered = 0;
  #offset = 0;

  constructor(limits: Partial<Limits> = {}) {
    this.#maxFrameBytes = limits.maxFrameBytes ?? defaultLimits.maxFrameBytes;
  }

  /** Adds bytes, which must not change until the payloads made of them are used no more. */
  push(bytes: Uint8Array): void {
    if (bytes.length > 0) {
      this.#chunks.push(bytes);
      this.#buffered += bytes.length;
    }
  }

  /** The next payload; null until more bytes are added. */
  next(): Uint8Array | null {
    if (this.#buffered < lengthSize) {
      return null;
    }
    const size = this.#frameSize();
    if (this.#buffered < lengthSize + size) {
      return null;
    }
    this.#take(lengthSize);
    return this.#take(size);
  }

  /** Says that no more bytes follow: a frame that is cut short is refused. */
  end(): void {
    if (this.#buffered > 0) {
      throw new WireFormatError("Frame", this.#offset, `the stream ends ${this.#buffered} bytes into a frame`);
    }
  }

  #frameSize(): number {
    const start = this.#join(lengthSize);
    const size = new DataView(start.buffer, start.byteOffset, lengthSize).getUint32(0, true);
    if (size > this.#maxFrameBytes) {
      throw new WireFormatError("Limit", this.#offset, `a frame has ${size} bytes, and at most ${this.#maxFrameBytes} are allowed`);
    }
    return size;
  }

  #take(count: number): Uint8Array {
    const first = this.#join(count);
    this.#chunks[0] = first.subarray(count);
    if (first.length === count) {
      this.#chunks.shift();
    }
    this.#buffered -= count;
    this.#offset += count;
    return first.subarray(0, count);
  }

  /** Makes the first chunk hold so many bytes, which are there. */
  #join(count: number): Uint8Array {
    const first = this.#chunks[0] ?? new Uint8Array();
    if (first.length >= count) {
      return first;
    }
    const joined = new Uint8Array(this.#buffered);
    let position = 0;
    for (const chunk of this.#chunks) {
      joined.set(chunk, position);
      position += chunk.length;
    }
    this.#chunks.length = 0;
    this.#chunks.push(joined);
    return joined;
  }
}

/** The payloads in the bytes of a whole framed file, one behind the other. */
export function* readFrames(bytes: Uint8Array, limits: Partial<Limits> = {}): IterableIterator<Uint8Array> {
  const splitter = new FrameSplitter(limits);
  splitter.push(bytes);
  for (let payload = splitter.next(); payload !== null; payload = splitter.next()) {
    yield payload;
  }
  splitter.end();
}

/** The documents in the bytes of a whole framed file. */
export function* parseFrames(bytes: Uint8Array, options: ParseOptions = {}): IterableIterator<PayloadDocument> {
  for (const payload of readFrames(bytes, options.limits)) {
    yield parse(payload, options);
  }
}
