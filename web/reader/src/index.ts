export type { ScalarType } from "./builtin.js";
export type { Comparer } from "./comparers.js";
export { parse, type ParseOptions, type PayloadDocument } from "./document.js";
export { WireFormatError, type WireErrorKind } from "./errors.js";
export { FrameSplitter, parseFrames, readFrames } from "./frames.js";
export { toJson, type JsonOptions } from "./json.js";
export { defaultLimits, type Limits } from "./limits.js";
export type { PayloadType } from "./manifests.js";
export type {
  ArrayNode, Dimension, MapNode, MemberNode, MembersNode, NullNode, OpaqueNode, Pair, PayloadNode, ReferenceNode, ScalarNode, SequenceNode,
  SetNode, UnionNode,
} from "./nodes.js";
export type { ComplexValue, ScalarValue } from "./scalars.js";
export { PayloadSession } from "./session.js";
export type { Shape } from "./shapes.js";
export { DateOnlyValue, DateTimeOffsetValue, DateTimeValue, TimeOnlyValue, TimeSpanValue, type DateTimeKind } from "./time.js";
export type { Definition } from "./walk.js";
