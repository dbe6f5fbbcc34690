/** A JSON value whose numbers are exact, and whose objects keep the order of their names. */
export type Exact =
  | { readonly kind: "literal"; readonly value: null | boolean | string }
  | { readonly kind: "number"; readonly value: string }
  | { readonly kind: "array"; readonly items: readonly Exact[] }
  | { readonly kind: "object"; readonly entries: readonly (readonly [string, Exact])[] };

const token = /\s*(?:("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(null|true|false)|([[\]{},:]))/y;

/** Reads JSON without rounding any number: the parser of JavaScript makes doubles of all of them. */
export function parseExact(text: string): Exact {
  const reader = new Reader(text);
  const value = reader.value();
  reader.end();
  return value;
}

class Reader {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): Exact {
    const [text, number, literal, sign] = this.#next();
    if (text !== undefined) {
      return { kind: "literal", value: JSON.parse(text) as string };
    }
    if (number !== undefined) {
      return { kind: "number", value: canonical(number) };
    }
    if (literal !== undefined) {
      return { kind: "literal", value: JSON.parse(literal) as null | boolean };
    }
    if (sign === "[") {
      return { kind: "array", items: this.#list("]", () => this.value()) };
    }
    if (sign === "{") {
      return { kind: "object", entries: this.#list("}", () => this.#entry()) };
    }
    throw new Error(`no JSON at ${this.#position}: ${sign}`);
  }

  end(): void {
    if (this.#text.slice(this.#position).trim() !== "") {
      throw new Error(`something follows the JSON at ${this.#position}`);
    }
  }

  #entry(): readonly [string, Exact] {
    const [name] = this.#next();
    if (name === undefined || this.#next()[3] !== ":") {
      throw new Error(`no name at ${this.#position}`);
    }
    return [JSON.parse(name) as string, this.value()];
  }

  #list<T>(close: string, item: () => T): T[] {
    const items: T[] = [];
    const start = this.#position;
    if (this.#next()[3] === close) {
      return items;
    }
    this.#position = start;
    for (;;) {
      items.push(item());
      const sign = this.#next()[3];
      if (sign === close) {
        return items;
      }
      if (sign !== ",") {
        throw new Error(`no comma at ${this.#position}`);
      }
    }
  }

  #next(): (string | undefined)[] {
    token.lastIndex = this.#position;
    const match = token.exec(this.#text);
    if (match === null) {
      throw new Error(`no JSON at ${this.#position}`);
    }
    this.#position = token.lastIndex;
    return match.slice(1);
  }
}

/** A number as its digits without zeros around them, and a power of ten: equal texts are equal numbers. */
function canonical(number: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const short = digits.replace(/0+$/, "");
  if (short === "") {
    return "0";
  }
  return `${sign}${short}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - short.length)}`;
}
