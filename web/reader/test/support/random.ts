/** Numbers that look random and are the same in each run. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 up to, and without, a bound. */
  next(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  }

  of<T>(items: readonly T[]): T {
    const item = items[this.next(items.length)];
    if (item === undefined) {
      throw new Error("nothing to choose from");
    }
    return item;
  }
}

const interesting: readonly number[] = [0, 1, 2, 3, 4, 5, 0x2a, 0x2f, 0x40, 0x41, 0x42, 0x44, 0x45, 0x46, 0x47, 0x4a, 0x7f, 0x80, 0xff];

const longVarints: readonly (readonly number[])[] = [
  [0xff, 0xff, 0xff, 0xff, 0x0f],
  [0x80, 0x80, 0x80, 0x80, 0x01],
  [0xc7, 0xff, 0xff, 0xff, 0x07],
];

/** Bytes with a few of them changed, put in, taken out or doubled. */
export function mutate(random: Random, bytes: Uint8Array, other: Uint8Array): Uint8Array {
  let result = Array.from(bytes);
  for (let count = 1 + random.next(4); count > 0; count--) {
    const at = random.next(result.length + 1);
    switch (random.next(7)) {
      case 0:
        result[at] = (result[at] ?? 0) ^ (1 << random.next(8));
        break;
      case 1:
        result[at] = random.of(interesting);
        break;
      case 2:
        result.splice(at, 0, random.next(256));
        break;
      case 3:
        result.splice(at, 1 + random.next(3));
        break;
      case 4: {
        const end = at + random.next(16);
        result.splice(at, 0, ...result.slice(at, end));
        break;
      }
      case 5:
        result = [...result.slice(0, at), ...other.subarray(random.next(other.length + 1))];
        break;
      default:
        result.splice(at, 1, ...random.of(longVarints));
    }
  }
  return Uint8Array.from(result);
}
