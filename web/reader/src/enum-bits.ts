// Numbers in a row look like flags as long as there are no more of them.
const fewInRow = 2;

/** The names of the bits of an enum's value that has none itself; none where one of them has no name. */
export function namesOfBits(names: ReadonlyMap<bigint, string>, bits: bigint): readonly string[] {
  const values = [...names.keys()].sort((a, b) => (a < b ? -1 : 1));
  if (bits === 0n || !areFlags(values)) {
    return [];
  }
  const found: string[] = [];
  let left = bits;
  for (const value of values.reverse()) {
    if (value !== 0n && (left & value) === value) {
      left &= ~value;
      found.push(names.get(value) ?? "");
    }
  }
  return left === 0n ? found.reverse() : [];
}

// A schema does not say whether an enum has flags: each value is one bit, or is made of bits that have names.
function areFlags(values: readonly bigint[]): boolean {
  let single = 0n;
  let all = 0n;
  let next = 1n;
  for (const value of values) {
    single |= (value & (value - 1n)) === 0n ? value : 0n;
    all |= value;
    next += value === next ? 1n : 0n;
  }
  return all === single && (next - 1n <= fewInRow || (values.at(-1) ?? 0n) >= next);
}
