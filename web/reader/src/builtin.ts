/** The name of a built-in type, as C# has it. */
export type ScalarType =
  | "bool" | "sbyte" | "byte" | "short" | "ushort" | "int" | "uint" | "long" | "ulong" | "Int128" | "UInt128" | "nint" | "nuint"
  | "Half" | "float" | "double" | "decimal" | "char" | "Rune" | "Guid" | "DateTime" | "DateTimeOffset" | "TimeSpan" | "DateOnly"
  | "TimeOnly" | "Complex" | "string" | "Uri" | "Version" | "BigInteger" | "Type";

/** A built-in type: its tag, and the bytes that each of its values takes, 0 where that differs. */
export interface BuiltIn {
  readonly tag: number;
  readonly name: ScalarType;
  readonly size: number;
}

const firstTag = 0x10;

const rows: readonly (readonly [ScalarType, number])[] = [
  ["bool", 1], ["sbyte", 1], ["byte", 1], ["short", 2], ["ushort", 2], ["int", 4], ["uint", 4], ["long", 8],
  ["ulong", 8], ["Int128", 16], ["UInt128", 16], ["nint", 8], ["nuint", 8], ["Half", 2], ["float", 4], ["double", 8],
  ["decimal", 16], ["char", 2], ["Rune", 4], ["Guid", 16], ["DateTime", 8], ["DateTimeOffset", 10], ["TimeSpan", 8], ["DateOnly", 4],
  ["TimeOnly", 8], ["Complex", 16], ["string", 0], ["Uri", 0], ["Version", 16], ["BigInteger", 0], ["Type", 0],
];

const builtIns: readonly BuiltIn[] = rows.map(([name, size], index) => ({ tag: firstTag + index, name, size }));

/** The built-in type with this tag, other than `object`, which has no layout. */
export function builtInOf(tag: number): BuiltIn | undefined {
  return builtIns[tag - firstTag];
}
