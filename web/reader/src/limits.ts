/** Bounds of what one payload may cost. */
export interface Limits {
  /** Objects inside each other. */
  readonly maxDepth: number;
  /** Elements of one collection; bytes of a big integer. */
  readonly maxElements: number;
  /** Objects of one payload. */
  readonly maxObjects: number;
  /** UTF-16 code units of one string. */
  readonly maxStringLength: number;
  /** Bytes of one payload. */
  readonly maxBytes: number;
  /** Bytes of one frame, without its length. */
  readonly maxFrameBytes: number;
  /** Types that a session, or a payload outside of one, defines. */
  readonly maxManifests: number;
  /** Bytes that define them, together. */
  readonly maxManifestBytes: number;
  /** Nodes that one document is made of. Elements of a fixed size are none until they are asked for. */
  readonly maxNodes: number;
}

/** As long as strings can be in the engines that hold the least of them, V8 with 2^29 - 24. */
export const longestString = 536_870_888;

export const defaultLimits: Limits = {
  maxDepth: 1_000,
  maxElements: 2_147_483_591,
  maxObjects: 16_777_216,
  maxStringLength: longestString,
  maxBytes: 2_147_483_647,
  maxFrameBytes: 67_108_864,
  maxManifests: 4_096,
  maxManifestBytes: 4_194_304,
  maxNodes: 10_000_000,
};
