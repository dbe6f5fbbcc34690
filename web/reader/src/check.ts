/** The table of the CRC-32C (RFC 3720, appendix B.4), for one byte at a time. */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) {
    value = (value & 1) !== 0 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  }
  return value;
});

/** The four bytes behind a definition in a session: the CRC-32C of the identifier, as four bytes, and the manifest. */
export function definitionCheck(identifier: number, manifest: Uint8Array): number {
  let crc = 0xffffffff;
  for (let at = 0; at < 4; at++) {
    crc = next(crc, (identifier >>> (8 * at)) & 0xff);
  }
  for (const byte of manifest) {
    crc = next(crc, byte);
  }
  return ~crc >>> 0;
}

function next(crc: number, byte: number): number {
  return ((crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0)) >>> 0;
}
