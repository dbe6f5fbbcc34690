import { WireFormatError, type WireErrorKind } from "./errors.js";

/** A byte as messages have it. */
export function hexByte(byte: number): string {
  return `0x${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}

/** A position in bytes that moves forward as they are read, and never beyond its end. */
export class Cursor {
  readonly bytes: Uint8Array;
  readonly end: number;
  position: number;
  readonly #view: DataView;
  readonly #kind: WireErrorKind | null;

  /** With a kind, whatever is wrong with these bytes is of that kind. */
  constructor(bytes: Uint8Array, position = 0, end = bytes.length, kind: WireErrorKind | null = null) {
    this.bytes = bytes;
    this.position = position;
    this.end = end;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#kind = kind;
  }

  get remaining(): number {
    return this.end - this.position;
  }

  error(kind: WireErrorKind, message: string, offset = this.position): WireFormatError {
    return new WireFormatError(this.#kind ?? kind, offset, message);
  }

  /** Moves behind so many bytes, and returns where they begin. */
  take(count: number): number {
    if (count > this.remaining) {
      throw this.error("Truncated", `${count} bytes are needed, and ${this.remaining} are left`);
    }
    const start = this.position;
    this.position += count;
    return start;
  }

  byte(): number {
    return this.#view.getUint8(this.take(1));
  }

  int32(): number {
    return this.#view.getInt32(this.take(4), true);
  }

  uint32(): number {
    return this.#view.getUint32(this.take(4), true);
  }

  /** An unsigned number of 32 bits, in one to five bytes. */
  varint(): number {
    const start = this.position;
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const next = this.byte();
      if (shift === 28 && next > 0x0f) {
        throw this.error("InvalidValue", "a varint has more than 32 bits", start);
      }
      value += (next & 0x7f) * 2 ** shift;
      if (next < 0x80) {
        return value;
      }
    }
  }

  /** An unsigned number of 64 bits, in one to ten bytes. */
  varint64(): bigint {
    const start = this.position;
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const next = this.byte();
      if (shift === 63n && next > 1) {
        throw this.error("InvalidValue", "a varint has more than 64 bits", start);
      }
      value |= BigInt(next & 0x7f) << shift;
      if (next < 0x80) {
        return value;
      }
    }
  }

  /** A text in UTF-8 of so many bytes. */
  utf8(count: number): string {
    const start = this.take(count);
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(this.bytes.subarray(start, start + count));
    } catch {
      throw this.error("InvalidValue", "a name is not valid UTF-8", start);
    }
  }
}
