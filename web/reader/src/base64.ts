const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const chunk = 3 * 4096;

/** Base64 with its padding, in Node and in browsers alike. */
export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let start = 0; start < bytes.length; start += chunk) {
    parts.push(encode(bytes.subarray(start, start + chunk)));
  }
  return parts.join("");
}

function encode(bytes: Uint8Array): string {
  let text = "";
  for (let index = 0; index < bytes.length; index += 3) {
    const first = bytes[index] ?? 0;
    const second = bytes[index + 1];
    const third = bytes[index + 2];
    const group = (first << 16) | ((second ?? 0) << 8) | (third ?? 0);
    text += alphabet.charAt(group >> 18) + alphabet.charAt((group >> 12) & 63);
    text += second === undefined ? "=" : alphabet.charAt((group >> 6) & 63);
    text += third === undefined ? "=" : alphabet.charAt(group & 63);
  }
  return text;
}
