import { existsSync } from "node:fs";
import { join } from "node:path";
import { filesOf, fromHex, readText, root } from "./repository.js";

/** A payload of a golden vector, and what it is called in the JSON beside it. */
export interface GoldenPayload {
  readonly file: string;
  readonly title: string;
  readonly bytes: Uint8Array;
}

const folder = ["tests", "Compat", "1.0"];

export function goldenPayloads(): GoldenPayload[] {
  const own = filesOf(".golden", ...folder).map((name) => ({ name, path: [...folder, name], prefix: "" }));
  const fsharp = filesOf(".golden", ...folder, "FSharp").map((name) => ({ name, path: [...folder, "FSharp", name], prefix: "FSharp-" }));
  return [...own, ...fsharp].flatMap(({ name, path, prefix }) =>
    payloadsOf(readText(...path)).map((payload) => ({ file: prefix + name.replace(".golden", ""), ...payload })),
  );
}

/** The messages of each stream, which are read in their order. */
export function goldenStreams(): { readonly file: string; readonly messages: readonly Omit<GoldenPayload, "file">[] }[] {
  return filesOf(".golden", ...folder, "streams").map((name) => ({
    file: `streams-${name.replace(".golden", "")}`,
    messages: payloadsOf(readText(...folder, "streams", name)),
  }));
}

/** The blocks that begin with `payload:`, each with lines of bytes up to an empty one. */
function payloadsOf(text: string): Omit<GoldenPayload, "file">[] {
  return text
    .split(/^payload: /m)
    .slice(1)
    .map((block) => {
      const [title = "", ...lines] = block.split("\n");
      const end = lines.findIndex((line) => !/^[0-9A-F]{2}( |$)/.test(line));
      const bytes = lines.slice(0, end < 0 ? lines.length : end).map((line) => line.replace(/ *\|.*$/, ""));
      return { title: title.trim(), bytes: fromHex(bytes.join("")) };
    });
}

/** A vector of docs/format.md. */
export interface FormatVector {
  readonly clause: string;
  readonly kind: "value" | "refused";
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly hex: string;
}

export function formatVectors(): FormatVector[] {
  const vectors: FormatVector[] = [];
  let clause = "";
  let block: string[] | null = null;
  for (const line of readText("docs", "format.md").split("\n")) {
    const heading = /^##+ ([0-9.]*[0-9])/.exec(line);
    if (heading !== null) {
      clause = heading[1] ?? "";
    } else if (line === "```vector") {
      block = [];
    } else if (line === "```" && block !== null) {
      vectors.push(vectorOf(clause, block));
      block = null;
    } else {
      block?.push(line);
    }
  }
  return vectors;
}

function vectorOf(clause: string, lines: readonly string[]): FormatVector {
  const hex: string[] = [];
  let head: readonly [FormatVector["kind"], string] | null = null;
  for (const line of lines) {
    const [, key, rest = ""] = /^(value|refused|hex): *(.*)$/.exec(line) ?? [];
    if (key === "hex") {
      hex.push(rest.replace(/#.*$/, ""));
    } else if (key === "value" || key === "refused") {
      head = [key, rest.trim()];
    } else {
      throw new Error(`no line of a vector: ${line}`);
    }
  }
  if (head === null) {
    throw new Error(`a vector of clause ${clause} has no name`);
  }
  const bytes = fromHex(hex.join(""));
  return { clause, kind: head[0], name: head[1], bytes, hex: Buffer.from(bytes).toString("hex").toUpperCase() };
}

/** The inputs that once broke a promise of the reader for .NET. */
export function regressions(): { readonly name: string; readonly bytes: Uint8Array }[] {
  return filesOf("", "tests")
    .map((project) => ["tests", project, "Hostile", "Regressions"])
    .filter((path) => existsSync(join(root, ...path)))
    .flatMap((path) => filesOf(".txt", ...path).map((file) => ({ path, file })))
    .map(({ path, file }) => {
      const text = readText(...path, file);
      return { name: file, bytes: fromHex(text.slice(text.indexOf("\ninput:") + "\ninput:".length)) };
    });
}
