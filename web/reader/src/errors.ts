import type { PayloadDocument } from "./document.js";

/** What is wrong with bytes that are refused; the names are those of Wire's own reader. */
export type WireErrorKind =
  | "Truncated"
  | "TrailingBytes"
  | "Header"
  | "Tag"
  | "Manifest"
  | "UnknownManifest"
  | "Reference"
  | "SchemaMismatch"
  | "InvalidValue"
  | "Length"
  | "Limit"
  | "Frame";

/** The only error that the reader throws for bytes: they are refused, at an offset. */
export class WireFormatError extends Error {
  override readonly name = "WireFormatError";
  readonly kind: WireErrorKind;

  /** The byte of the payload at which reading stopped. */
  readonly offset: number;

  /**
   * What stands in front of the damage, for people who look for its cause: values that the damage is in have the parts in front of it
   * alone. Null where there is nothing. Never use it as a payload.
   */
  beginning: PayloadDocument | null = null;

  constructor(kind: WireErrorKind, offset: number, message: string) {
    super(`${message} (at byte ${offset})`);
    this.kind = kind;
    this.offset = offset;
  }
}
