import type { PayloadNode } from "../../reader/src/index.js";
import { childAt, childCount, rootChild, type Child } from "./parts.js";

interface Level {
  readonly node: PayloadNode;
  readonly count: number;
  index: number;
}

/** Goes through all nodes that are shown, each before those inside of it. No depth takes stack. */
export class NodeWalk {
  readonly #levels: Level[] = [];
  #current: Child | null = null;
  #enters = true;
  readonly #root: PayloadNode;

  constructor(root: PayloadNode) {
    this.#root = root;
  }

  /** The number of nodes around the current one. */
  get depth(): number {
    return this.#levels.length;
  }

  /** The next node; null behind the last one. */
  next(): Child | null {
    if (this.#current === null) {
      this.#current = rootChild(this.#root);
      return this.#current;
    }
    if (this.#enters) {
      const count = childCount(this.#current.node);
      if (count > 0) {
        this.#levels.push({ node: this.#current.node, count, index: 0 });
      }
    }
    this.#enters = true;
    for (let level = this.#levels.at(-1); level !== undefined; level = this.#levels.at(-1)) {
      if (level.index < level.count) {
        this.#current = childAt(level.node, level.index++);
        return this.#current;
      }
      this.#levels.pop();
    }
    return null;
  }

  /** Leaves out what is inside of the current node. */
  skip(): void {
    this.#enters = false;
  }
}
