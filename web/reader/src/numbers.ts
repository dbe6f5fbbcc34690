/** An integer of little-endian bytes. */
export function integerOf(bytes: Uint8Array, signed: boolean): bigint {
  const hex: string[] = [];
  for (let index = bytes.length - 1; index >= 0; index--) {
    hex.push((bytes[index] ?? 0).toString(16).padStart(2, "0"));
  }
  const value = bytes.length === 0 ? 0n : BigInt(`0x${hex.join("")}`);
  return signed ? BigInt.asIntN(bytes.length * 8, value) : value;
}

/** A number of 16 bits, of IEEE 754. */
export function halfOf(bits: number): number {
  const sign = (bits & 0x8000) === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) {
    return fraction === 0 ? sign * Infinity : NaN;
  }
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

/** The `Half` that is nearest to a number, with ties to even. */
export function toHalf(value: number): number {
  const magnitude = Math.abs(value);
  const exponent = Math.max(-14, Math.floor(Math.log2(magnitude)));
  const unit = 2 ** (exponent - 10);
  const units = magnitude / unit;
  let whole = Math.floor(units);
  const rest = units - whole;
  if (rest > 0.5 || (rest === 0.5 && whole % 2 === 1)) {
    whole++;
  }
  const rounded = whole * unit;
  return Math.sign(value) * (rounded > 65_504 ? Infinity : rounded);
}

/** The shortest text of a number that is this value again in its type; null where it is no number. */
export function shortestText(value: number, type: "Half" | "float" | "double"): string | null {
  if (!Number.isFinite(value)) {
    return null;
  }
  if (value === 0) {
    return Object.is(value, -0) ? "-0" : "0";
  }
  if (type === "double") {
    return String(value);
  }
  const round = type === "Half" ? toHalf : Math.fround;
  for (let digits = 1; digits < 10; digits++) {
    const shorter = Number(nearest(value, digits));
    if (round(shorter) === value) {
      return String(shorter);
    }
  }
  return String(value);
}

/** A number rounded to so many digits; of two that are as near, the one with an even last digit, which JavaScript does not take. */
function nearest(value: number, digits: number): string {
  const text = value.toPrecision(digits);
  const [mantissa = "", exponent = "0"] = value.toExponential(100).split("e");
  const behind = mantissa.replace(/[-.]/g, "").slice(digits);
  if (!/^50*$/.test(behind)) {
    return text;
  }
  const below = mantissa.slice(0, mantissa.length - behind.length);
  const last = below.replace(/\.$/, "").at(-1) ?? "0";
  return Number(last) % 2 === 0 ? `${below.replace(/\.$/, "")}e${exponent}` : text;
}

/** The digits of a decimal: its integer, with so many of them behind the point. */
export function decimalText(integer: bigint, scale: number, negative: boolean): string {
  const digits = integer.toString().padStart(scale + 1, "0");
  const point = digits.length - scale;
  const text = scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return negative && integer !== 0n ? `-${text}` : text;
}
