// Makes the page's template, one file with its script and style inside: what the tool embeds.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const output = process.argv[2] ?? fileURLToPath(new URL("../../src/Wire.Tool/Html/page.html", import.meta.url));
const common = { absWorkingDir: fileURLToPath(new URL(".", import.meta.url)), bundle: true, write: false, minify: true, charset: "ascii" };

const script = await textOf({ ...common, entryPoints: ["src/main.ts"], format: "iife", target: "es2022", legalComments: "none" });
const style = await textOf({ ...common, entryPoints: ["src/page.css"] });
const template = readFileSync(new URL("src/page.html", import.meta.url), "utf8");
const page = fill(template, { style, script, "style-hash": hashOf(style), "script-hash": hashOf(script) });
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, page);

async function textOf(options) {
  const result = await build(options);
  const text = result.outputFiles[0].text.trimEnd();
  if (/<\/(script|style)|<!--|@@/i.test(text)) {
    throw new Error("what is embedded would end its element, or has a mark of the template");
  }
  return text;
}

function hashOf(text) {
  return `sha256-${createHash("sha256").update(text, "utf8").digest("base64")}`;
}

/** Puts texts in the places of their marks, of which each occurs once. */
function fill(text, parts) {
  for (const [name, part] of Object.entries(parts)) {
    const pieces = text.split(`@@${name}@@`);
    if (pieces.length !== 2) {
      throw new Error(`the mark of ${name} occurs ${pieces.length - 1} times`);
    }
    text = pieces.join(part);
  }
  return text;
}
