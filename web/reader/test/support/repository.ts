import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository, wherever in it this file was built to. */
export const root = rootAbove(dirname(fileURLToPath(import.meta.url)));

function rootAbove(folder: string): string {
  if (existsSync(join(folder, "Wire.sln"))) {
    return folder;
  }
  if (dirname(folder) === folder) {
    throw new Error("no folder above the tests has Wire.sln");
  }
  return rootAbove(dirname(folder));
}

export function readText(...path: string[]): string {
  return readFileSync(join(root, ...path), "utf8");
}

/** The files of a folder with this ending, by their names. */
export function filesOf(ending: string, ...folder: string[]): string[] {
  return readdirSync(join(root, ...folder))
    .filter((name) => name.endsWith(ending))
    .sort();
}

export function fromHex(hex: string): Uint8Array {
  const digits = hex.replace(/\s/g, "");
  if (!/^([0-9A-Fa-f]{2})*$/.test(digits)) {
    throw new Error(`no hexadecimal bytes: ${hex}`);
  }
  return Uint8Array.from(digits.match(/../g) ?? [], (byte) => parseInt(byte, 16));
}
