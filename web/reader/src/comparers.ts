import type { PayloadNode } from "./nodes.js";

/** How a set or map compares: by a code of the format, with a culture, or by an object. */
export interface Comparer {
  readonly code: number;
  /** The name of the culture, for the codes 10, 13 and 14. */
  readonly culture: string | null;
  /** The compare options of the culture, for the code 10. */
  readonly options: number;
  /** The comparer itself, for the code 11. */
  readonly object: PayloadNode | null;
}

const names: readonly string[] = [
  "Default", "Ordinal", "OrdinalIgnoreCase", "InvariantCulture", "InvariantCultureIgnoreCase", "ReferenceEquality", "StructuralEquality",
  "Structural", "Comparer", "Comparer()", "CaseInsensitiveComparer()",
];

export const comparerCodes = { culture: 0x10, object: 0x11, pair: 0x12, cultureComparer: 0x13, caseInsensitive: 0x14 } as const;

export function isComparerCode(code: number): boolean {
  return code < names.length || (code >= comparerCodes.culture && code <= comparerCodes.caseInsensitive);
}

/** The comparers of a collection as JSON names them; null where they are the default ones. */
export function comparerText(comparers: readonly Comparer[]): string | null {
  const [first, second] = comparers;
  if (first === undefined || (second === undefined && first.code === 0)) {
    return null;
  }
  return second === undefined ? textOf(first) : `${textOf(first)}, values: ${textOf(second)}`;
}

function textOf(comparer: Comparer): string {
  switch (comparer.code) {
    case comparerCodes.culture:
      return `Culture(${comparer.culture ?? ""}, ${comparer.options})`;
    case comparerCodes.cultureComparer:
      return `Comparer(${comparer.culture ?? ""})`;
    case comparerCodes.caseInsensitive:
      return `CaseInsensitiveComparer(${comparer.culture ?? ""})`;
    case comparerCodes.object:
      return comparer.object?.typeName ?? "object";
    default:
      return names[comparer.code] ?? "Default";
  }
}
