import { WireFormatError } from "./errors.js";

const quoteChunk = 1 << 20;

/** A text that is put together, up to so many characters. */
export class JsonText {
  readonly #maxLength: number;
  readonly #parts: string[] = [];
  #length = 0;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** Adds a part that belongs to the value at this byte. */
  add(part: string, offset: number): void {
    this.#length += part.length;
    if (this.#length > this.#maxLength) {
      throw new WireFormatError("Limit", offset, `the JSON has more than ${this.#maxLength} characters`);
    }
    this.#parts.push(part);
  }

  /** Adds a string in quotes, in which a surrogate without its partner is an escape. */
  addQuoted(text: string, offset: number): void {
    this.add('"', offset);
    for (let start = 0; start < text.length; ) {
      let end = Math.min(text.length, start + quoteChunk);
      if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) {
        end--;
      }
      this.add(JSON.stringify(text.slice(start, end)).slice(1, -1), offset);
      start = end;
    }
    this.add('"', offset);
  }

  toString(): string {
    return this.#parts.join("");
  }
}

/** Whether every surrogate in the text has its partner. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
