import type { PayloadNode } from "../../reader/src/index.js";
import type { Part } from "./parts.js";
import { inSlices } from "./slices.js";
import { rawText, typeText } from "./texts.js";
import { NodeWalk } from "./walk.js";

/** A node that has the text: no other one has its first byte and its depth. */
export interface Match {
  readonly offset: number;
  readonly depth: number;
}

const mostMatches = 1_000_000;
const nodesOfStep = 200;

/** Looks for a text in names, values and types, in any case. */
export class Search {
  readonly matches: Match[] = [];
  /** All that have the text, of which the first million can be gone to. */
  count = 0;
  isComplete = false;
  readonly #walk: NodeWalk;
  readonly #text: string;
  readonly #types = new Map<string, boolean>();
  readonly #found = new Set<string>();

  constructor(root: PayloadNode, text: string) {
    this.#walk = new NodeWalk(root);
    this.#text = text.toLowerCase();
  }

  has(match: Match): boolean {
    return this.#found.has(`${match.offset} ${match.depth}`);
  }

  async run(signal: AbortSignal, report: () => void): Promise<void> {
    const isDone = await inSlices(() => this.#step(), signal, report);
    if (isDone) {
      this.isComplete = true;
      report();
    }
  }

  #step(): boolean {
    for (let nodes = 0; nodes < nodesOfStep; nodes++) {
      const child = this.#walk.next();
      if (child === null) {
        return false;
      }
      if (this.#isMatch(child.node, child.part)) {
        this.count++;
        if (this.count <= mostMatches) {
          const match = { offset: child.node.offset, depth: this.#walk.depth };
          this.matches.push(match);
          this.#found.add(`${match.offset} ${match.depth}`);
        }
      }
    }
    return true;
  }

  #isMatch(node: PayloadNode, part: Part): boolean {
    return (part.kind === "member" && this.#hasName(part.name))
      || (part.kind === "value" && part.key.kind === "scalar" && this.#hasText(rawText(part.key)))
      || this.#isTypeMatch(typeText(node))
      || (node.kind === "union" && this.#hasName(node.caseName))
      || (node.kind === "scalar" && (this.#hasText(rawText(node)) || node.enumNames.some((name) => this.#hasText(name))));
  }

  #hasText(text: string): boolean {
    return text.toLowerCase().includes(this.#text);
  }

  /** Names and types are few, and occur often. */
  #hasName(name: string): boolean {
    let known = this.#types.get(name);
    if (known === undefined) {
      known = this.#hasText(name);
      this.#types.set(name, known);
    }
    return known;
  }

  #isTypeMatch(type: string | null): boolean {
    return type !== null && this.#hasName(type);
  }
}
