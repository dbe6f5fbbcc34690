import { parse, type PayloadNode } from "../../../reader/src/index.js";
import type { Tab } from "./tab.js";

/** A value as the page should have it: its line, and the bytes that it is. */
export interface Line {
  readonly start: number;
  readonly end: number;
  /** Where a key begins that has no line of its own; else where the value begins. */
  readonly from: number;
}

/** The lines of a payload whose keys are all scalars, in their order. */
export function linesOf(bytes: Uint8Array): Line[] {
  const lines: Line[] = [];
  const add = (node: PayloadNode, from = node.offset): void => {
    lines.push({ start: node.offset, end: node.offset + node.length, from });
    switch (node.kind) {
      case "members":
      case "union":
        node.members.forEach(({ value }) => add(value));
        break;
      case "map":
        node.pairs.forEach(({ key, value }) => add(value, key.offset));
        break;
      case "sequence":
      case "set":
      case "array":
        if (node.kind !== "sequence" || node.bytes === null) {
          [...node.elements()].forEach((element) => add(element));
        }
        break;
    }
  };
  add(parse(bytes).root);
  return lines;
}

/** The numbers of the bytes that are lit. */
export function litBytes(tab: Tab, kind = "lit"): Promise<number[]> {
  return tab.evaluate(`[...document.querySelectorAll('.hex .${kind}')].map((byte) => Number(byte.dataset.offset))`);
}

export function range(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, index) => start + index);
}

export function line(index: number): string {
  return `document.getElementById('line-${index}')`;
}

export function byte(offset: number): string {
  return `document.querySelector('.hex [data-offset="${offset}"]')`;
}

export function buttonWith(text: string): string {
  return `[...document.querySelectorAll('button')].find((button) => button.textContent === '${text}')`;
}

export function text(tab: Tab, selector: string): Promise<string> {
  return tab.evaluate(`document.querySelector('${selector}')?.textContent ?? ''`);
}

export function texts(tab: Tab, selector: string): Promise<string[]> {
  return tab.evaluate(`[...document.querySelectorAll('${selector}')].map((found) => found.textContent)`);
}

/** The text of the selected line. */
export function selected(tab: Tab): Promise<string> {
  return text(tab, ".tree [aria-selected=true]");
}

/** The bytes of the tiles that are in no other one, together. */
export function tileBytes(tab: Tab): Promise<number> {
  return tab.evaluate("[...document.querySelectorAll('.area > .tile')].reduce((sum, tile) => sum + Number(tile.dataset.bytes), 0)");
}
