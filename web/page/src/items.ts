import type { PayloadNode } from "../../reader/src/index.js";
import { childAt, childCount, extentOf, pathText, rootChild, type Child, type Part, type Range } from "./parts.js";

/** More than these are put into groups, so that nothing has more children. */
const mostChildren = 1000;

/** A line of the tree: a node, or a group of its elements. It has children once they are asked for. */
export class Item {
  readonly child: Child;
  readonly parent: Item | null;
  readonly depth: number;
  /** Whether this is a group: the elements from `from` on, up to `to`. */
  readonly isGroup: boolean;
  readonly from: number;
  readonly to: number;
  isExpanded = false;
  /** The number of its line, where it has one. */
  row = -1;
  #children: readonly Item[] | null = null;

  private constructor(child: Child, parent: Item | null, isGroup: boolean, from: number, to: number) {
    this.child = child;
    this.parent = parent;
    this.depth = parent === null ? 0 : parent.depth + 1;
    this.isGroup = isGroup;
    this.from = from;
    this.to = to;
  }

  static root(root: PayloadNode): Item {
    return Item.#of(rootChild(root), null);
  }

  get node(): PayloadNode {
    return this.child.node;
  }

  get hasChildren(): boolean {
    return this.to > this.from;
  }

  get children(): readonly Item[] {
    this.#children ??= this.#makeChildren();
    return this.#children;
  }

  /** The bytes of the node alone, or of the elements of a group. */
  get range(): Range {
    return this.isGroup ? this.extent : { start: this.node.offset, end: this.node.offset + this.node.length };
  }

  /** The bytes with a key that has no line of its own. */
  get extent(): Range {
    if (!this.isGroup) {
      return extentOf(this.child);
    }
    return { start: extentOf(childAt(this.node, this.from)).start, end: extentOf(childAt(this.node, this.to - 1)).end };
  }

  /** The child that a part of the node is, or is in. */
  childWith(index: number): Item | undefined {
    return this.children[Math.floor((index - this.from) / this.#step)];
  }

  get path(): string {
    const parts: Part[] = [];
    for (let item: Item | null = this; item !== null; item = item.parent) {
      if (!item.isGroup) {
        parts.push(item.child.part);
      }
    }
    return pathText(parts.reverse());
  }

  get #step(): number {
    let step = 1;
    while ((this.to - this.from) / step > mostChildren) {
      step *= mostChildren;
    }
    return step;
  }

  #makeChildren(): Item[] {
    const step = this.#step;
    const made: Item[] = [];
    for (let from = this.from; from < this.to; from += step) {
      made.push(step === 1 ? Item.#of(childAt(this.node, from), this) : this.#group(from, Math.min(from + step, this.to)));
    }
    return made;
  }

  #group(from: number, to: number): Item {
    return new Item(this.child, this, true, from, to);
  }

  static #of(child: Child, parent: Item | null): Item {
    return new Item(child, parent, false, 0, childCount(child.node));
  }
}

/** The lines of a tree: the items that are expanded, and those inside of them. */
export class ItemTree {
  readonly root: Item;
  rows: readonly Item[] = [];

  constructor(root: PayloadNode) {
    this.root = Item.root(root);
    this.#expandFirst(60);
    this.rebuild();
  }

  isShown(item: Item): boolean {
    return this.rows[item.row] === item;
  }

  /** The item with a line that is this one, or that it is inside of. */
  shown(item: Item): Item {
    let outer = item;
    while (!this.isShown(outer) && outer.parent !== null) {
      outer = outer.parent;
    }
    return outer;
  }

  /** The item of the last of these nodes, each inside of the one before. */
  find(path: readonly Child[]): Item {
    let item = this.root;
    for (const { index } of path.slice(1)) {
      let next = item.childWith(index);
      while (next?.isGroup === true) {
        next = next.childWith(index);
      }
      if (next === undefined) {
        break;
      }
      item = next;
    }
    return item;
  }

  /** Makes sure that an item has a line. */
  reveal(item: Item): void {
    let changed = false;
    for (let outer = item.parent; outer !== null; outer = outer.parent) {
      changed ||= !outer.isExpanded;
      outer.isExpanded = true;
    }
    if (changed) {
      this.rebuild();
    }
  }

  rebuild(): void {
    const rows: Item[] = [];
    const waiting: Item[] = [this.root];
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
      item.row = rows.length;
      rows.push(item);
      if (item.isExpanded) {
        for (let index = item.children.length - 1; index >= 0; index--) {
          waiting.push(item.children[index] as Item);
        }
      }
    }
    this.rows = rows;
  }

  /** Expands level by level, for as long as the lines are few. */
  #expandFirst(most: number): void {
    let lines = 1;
    for (let level = [this.root]; level.length > 0; level = level.flatMap((item) => (item.isExpanded ? item.children : []))) {
      for (const item of level) {
        const count = item.hasChildren ? item.children.length : 0;
        if (count > 0 && (lines + count <= most || item === this.root)) {
          item.isExpanded = true;
          lines += count;
        }
      }
    }
  }
}
