import type { Item, ItemTree } from "./items.js";
import { element } from "./dom.js";
import { number, plain, scalarText, shortType, sumText, typeText } from "./texts.js";
import { VirtualList } from "./virtual-list.js";

const rowHeight = 22;
const mostIndent = 40;
const deep = 12;
const stepOfLevels = 8;
const indent = 16;
const mostText = 200;
const mostOfBytes = 128;

/** What the tree tells the page. */
export interface TreeEvents {
  hover(item: Item | null): void;
  select(item: Item): void;
  follow(item: Item): void;
}

/** The tree, of which lines are elements while they are in sight. */
export class TreeView {
  readonly #list: VirtualList;
  readonly #events: TreeEvents;
  #tree: ItemTree | null = null;
  #selected: Item | null = null;
  #hovered: Item | null = null;
  #isFound: (item: Item) => boolean = () => false;
  /** Levels that all lines in sight are inside of, and that are not indented for. */
  #outside = 0;
  readonly #levels: HTMLElement;

  /** The element scrolls; `levels` says how deep what it shows is, where that is too deep for indents. */
  constructor(scroller: HTMLElement, levels: HTMLElement, events: TreeEvents) {
    this.#events = events;
    this.#levels = levels;
    this.#list = new VirtualList(scroller, rowHeight, (row) => this.#line(row), { prepare: (first, end) => this.#indent(first, end) });
    scroller.tabIndex = 0;
    scroller.setAttribute("role", "tree");
    scroller.setAttribute("aria-label", "Values");
    scroller.addEventListener("mousemove", (event) => this.#hover(this.#itemAt(event.target)));
    scroller.addEventListener("mouseleave", () => this.#hover(null));
    scroller.addEventListener("click", (event) => this.#click(event));
    scroller.addEventListener("dblclick", (event) => this.#toggle(this.#itemAt(event.target)));
    scroller.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Shows another tree, or none. */
  show(tree: ItemTree | null): void {
    this.#tree = tree;
    this.#selected = null;
    this.#hovered = null;
    this.#list.setCount(tree?.rows.length ?? 0);
    this.#list.toTop();
  }

  /** Selects an item, which gets a line in sight. */
  select(item: Item): void {
    this.#tree?.reveal(item);
    this.#selected = item;
    this.#list.setCount(this.#tree?.rows.length ?? 0);
    this.#list.reveal(item.row, true);
    this.#list.element.setAttribute("aria-activedescendant", `line-${item.row}`);
  }

  /** Lights up the line of an item, or of the one around it that has a line. */
  light(item: Item | null): void {
    const shown = item === null ? null : this.#tree?.shown(item) ?? null;
    if (shown !== this.#hovered) {
      this.#classOf(this.#hovered, "lit", false);
      this.#hovered = shown;
      if (shown !== null) {
        this.#list.reveal(shown.row, true);
      }
      this.#classOf(shown, "lit", true);
    }
  }

  /** Marks the lines that a search has found. */
  mark(isFound: (item: Item) => boolean): void {
    this.#isFound = isFound;
    this.#list.render();
  }

  focus(): void {
    this.#list.element.focus({ preventScroll: true });
  }

  #hover(item: Item | null): void {
    if (item !== this.#hovered) {
      this.#classOf(this.#hovered, "lit", false);
      this.#hovered = item;
      this.#classOf(item, "lit", true);
      this.#events.hover(item);
    }
  }

  #classOf(item: Item | null, name: string, isSet: boolean): void {
    if (item !== null && this.#tree?.isShown(item) === true) {
      this.#list.row(item.row)?.classList.toggle(name, isSet);
    }
  }

  #itemAt(target: EventTarget | null): Item | null {
    const row = this.#list.rowAt(target);
    return row === null ? null : this.#tree?.rows[row] ?? null;
  }

  #click(event: MouseEvent): void {
    const item = this.#itemAt(event.target);
    if (item === null) {
      return;
    }
    if (event.target instanceof Element && event.target.classList.contains("twisty")) {
      this.#toggle(item);
    } else if (event.target instanceof Element && event.target.classList.contains("reference")) {
      this.#events.follow(item);
      return;
    }
    this.#events.select(item);
  }

  #toggle(item: Item | null, isExpanded = item?.isExpanded === false): void {
    if (item?.hasChildren === true && this.#tree !== null && item.isExpanded !== isExpanded) {
      item.isExpanded = isExpanded;
      this.#tree.rebuild();
      this.#list.setCount(this.#tree.rows.length);
    }
  }

  #key(event: KeyboardEvent): void {
    const rows = this.#tree?.rows;
    if (rows === undefined || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const item = this.#selected === null ? null : this.#tree?.shown(this.#selected) ?? null;
    const go = (row: number): void => {
      const next = rows[Math.max(0, Math.min(row, rows.length - 1))];
      if (next !== undefined) {
        this.#events.select(next);
      }
    };
    const row = item?.row ?? -1;
    switch (event.key) {
      case "ArrowDown":
        go(row + 1);
        break;
      case "ArrowUp":
        go(row - 1);
        break;
      case "PageDown":
        go(row + this.#list.page);
        break;
      case "PageUp":
        go(row - this.#list.page);
        break;
      case "Home":
        go(0);
        break;
      case "End":
        go(rows.length - 1);
        break;
      case "ArrowRight":
        if (item?.isExpanded === true) {
          go(row + 1);
        } else {
          this.#toggle(item, true);
        }
        break;
      case "ArrowLeft":
        if (item?.isExpanded === true) {
          this.#toggle(item, false);
        } else if (item?.parent != null) {
          this.#events.select(item.parent);
        }
        break;
      case "Enter":
        if (item?.node.kind === "reference") {
          this.#events.follow(item);
        } else {
          this.#toggle(item);
        }
        break;
      default:
        return;
    }
    event.preventDefault();
  }

  #indent(first: number, end: number): void {
    let least = Infinity;
    for (const item of this.#tree?.rows.slice(first, end) ?? []) {
      least = Math.min(least, item.depth);
    }
    this.#outside = isFinite(least) && least > deep ? Math.floor((least - 2) / stepOfLevels) * stepOfLevels : 0;
    this.#levels.hidden = this.#outside === 0;
    this.#levels.textContent = `inside of ${number(this.#outside)} levels`;
  }

  #line(row: number): HTMLElement {
    const line = element("div", "line");
    const item = this.#tree?.rows[row];
    if (item === undefined) {
      return line;
    }
    line.id = `line-${row}`;
    line.setAttribute("role", "treeitem");
    line.setAttribute("aria-level", String(item.depth + 1));
    if (item.hasChildren) {
      line.setAttribute("aria-expanded", String(item.isExpanded));
    }
    line.setAttribute("aria-selected", String(item === this.#selected));
    line.classList.toggle("lit", item === this.#hovered);
    line.classList.toggle("found", this.#isFound(item));
    line.append(element("span", "at", String(item.range.start)));
    const depth = item.depth - this.#outside;
    const level = element("span", "level", depth > mostIndent ? `(${depth} levels)` : "");
    level.style.paddingLeft = `${Math.min(depth, mostIndent) * indent}px`;
    line.append(level, element("span", "twisty", item.hasChildren ? (item.isExpanded ? "\u25be" : "\u25b8") : ""));
    line.append(...describe(item));
    return line;
  }
}

/** What a line says behind its offset: the name, the value and the type. */
function describe(item: Item): HTMLElement[] {
  if (item.isGroup) {
    return [element("span", "sum", `[${number(item.from)} to ${number(item.to - 1)}]`)];
  }
  const { node } = item;
  const parts: HTMLElement[] = label(item);
  const type = typeText(node);
  const typeElement = type === null ? [] : [element("span", "type", type)];
  if (type !== null && type !== shortType(type)) {
    typeElement[0]?.setAttribute("title", type);
  }
  const own = node.kind !== "reference" ? node.referencedNumber : null;
  const object = own === null ? [] : [element("span", "sum", `(object ${own})`)];
  switch (node.kind) {
    case "reference":
      return [...parts, element("span", "reference", scalarText(node, mostText))];
    case "null":
      return [...parts, element("span", "value null", "null")];
    case "scalar":
      return [...parts, element("span", `value ${colorOf(node.scalarType)}`, scalarText(node, mostText)), ...typeElement, ...object];
    default: {
      const bytes = scalarText(node, mostOfBytes);
      return [
        ...parts, ...typeElement, ...object, element("span", "sum", sumText(node)),
        ...(bytes === "" ? [] : [element("span", "value raw", bytes)]),
      ];
    }
  }
}

function colorOf(type: string): string {
  return type === "string" || type === "char" || type === "Rune" || type === "Uri" ? "text" : "plain";
}

function label({ child: { part } }: Item): HTMLElement[] {
  switch (part.kind) {
    case "root":
      return [];
    case "member":
      return [element("span", "name", plain(part.name)), element("span", "mark", ": ")];
    case "element":
      return [element("span", "index", `[${part.index}] `)];
    case "key":
      return [element("span", "index", `[key ${part.index}] `)];
    case "value":
      return part.key.kind === "scalar"
        ? [element("span", "mark", "["), element("span", "name", scalarText(part.key, mostText)), element("span", "mark", "]: ")]
        : [element("span", "index", `[value ${part.index}] `)];
  }
}
