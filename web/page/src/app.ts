import { WireFormatError, type PayloadDocument } from "../../reader/src/index.js";
import { DetailsView } from "./details.js";
import { button, element, region } from "./dom.js";
import type { PayloadFile } from "./file.js";
import { FramesView } from "./frames-view.js";
import { HexView } from "./hex-view.js";
import { ItemTree, type Item } from "./items.js";
import { descend, type Range } from "./parts.js";
import { Search, type Match } from "./search.js";
import { inSlices } from "./slices.js";
import { bytesOf, number, plain } from "./texts.js";
import { tilesByPath, tilesByType, type Tile } from "./tiles.js";
import { TreemapView } from "./treemap-view.js";
import { TreeView } from "./tree-view.js";

const waitBeforeSearch = 150;

/** The page: what is shown of a payload, and how its parts light up each other. */
export class App {
  readonly #file: PayloadFile;
  readonly #tree: TreeView;
  readonly #hex: HexView;
  readonly #treemap: TreemapView;
  readonly #details: DetailsView;
  readonly #frames: FramesView | null;
  readonly #error = element("div", "error");
  readonly #query = element("input");
  readonly #found = element("span", "count");
  readonly #byType = button("by type", "Bytes of each type and member, all its values together", () => this.#measure("type"));
  readonly #byPath = button("by place", "Bytes of each value, in its place", () => this.#measure("path"));
  #document: PayloadDocument | null = null;
  #isWhole = true;
  #items: ItemTree | null = null;
  #search: Search | null = null;
  #match = -1;
  #searching = new AbortController();
  #measuring = new AbortController();
  #measured: "type" | "path" = "type";
  #timer = 0;

  constructor(body: HTMLElement, name: string, file: PayloadFile) {
    this.#file = file;
    const tree = region("tree", "Values");
    const hex = region("bytes", "Bytes");
    const [map, area, crumbs] = this.#newMap();
    const details = region("details", "Selected value");
    const main = element("main");
    this.#error.setAttribute("role", "alert");
    this.#error.hidden = true;
    const treeScroller = element("div", "scroller");
    const hexScroller = element("div", "scroller");
    const levels = element("div", "levels");
    levels.hidden = true;
    tree.append(this.#error, levels, treeScroller);
    hex.append(hexScroller);
    const framesScroller = element("div", "scroller");
    if (file.isFramed) {
      const frames = region("frames", "Frames");
      frames.append(framesScroller);
      main.append(frames);
      main.classList.add("framed");
    }
    main.append(tree, hex, map);
    body.append(this.#newHeader(name), main, details);
    this.#tree = new TreeView(treeScroller, levels, {
      hover: (item) => this.#light(item),
      select: (item) => this.#select(item),
      follow: (item) => this.#follow(item),
    });
    this.#hex = new HexView(hexScroller, {
      hover: (offset) => this.#hoverByte(offset),
      select: (offset) => this.#selectAt({ offset, depth: Infinity }),
    });
    this.#treemap = new TreemapView(area, crumbs, {
      hover: (tile) => this.#hoverTile(tile),
      select: (tile) => this.#selectTile(tile),
    });
    this.#details = new DetailsView(details);
    this.#frames = file.isFramed ? new FramesView(framesScroller, file, (index) => this.#open(index)) : null;
    body.addEventListener("keydown", (event) => this.#key(event));
  }

  start(): void {
    this.#open(0);
    const frames = this.#frames;
    if (frames !== null) {
      void inSlices(() => this.#file.readNext(), new AbortController().signal, () => frames.render()).then(() => frames.render());
    }
  }

  #newHeader(name: string): HTMLElement {
    const header = element("header");
    const title = element("h1", "", plain(name));
    const { payloads, isFramed, rest } = this.#file;
    const bytes = payloads.reduce((sum, payload) => sum + payload.bytes.length, 0);
    const count = payloads.length + (rest === null ? 0 : 1);
    const facts = isFramed ? `${number(count)} frame${count === 1 ? "" : "s"}, ${bytesOf(bytes)}` : bytesOf(bytes);
    this.#query.type = "search";
    this.#query.placeholder = "Search names, values, types";
    this.#query.setAttribute("aria-label", "Search");
    this.#query.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#found.textContent = "";
      this.#timer = setTimeout(() => this.#look(), waitBeforeSearch);
    });
    this.#query.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        this.#step(event.shiftKey ? -1 : 1);
      }
    });
    this.#found.setAttribute("role", "status");
    const search = element("div", "search");
    search.setAttribute("role", "search");
    search.append(
      this.#query, this.#found,
      button("\u2191", "The one before (Shift+Enter)", () => this.#step(-1)),
      button("\u2193", "The next one (Enter)", () => this.#step(1)),
    );
    header.append(title, element("span", "facts", facts), search);
    return header;
  }

  #newMap(): [HTMLElement, HTMLElement, HTMLElement] {
    const map = region("map", "Where the bytes go");
    const head = element("div", "head");
    const area = element("div", "area");
    const crumbs = element("nav", "crumbs");
    const kinds = element("div", "kinds");
    crumbs.setAttribute("aria-label", "Tiles around these");
    kinds.append(this.#byType, this.#byPath);
    head.append(crumbs, kinds);
    map.append(head, area);
    return [map, area, crumbs];
  }

  /** Shows a payload of the file. */
  #open(index: number): void {
    const { payloads, rest } = this.#file;
    const payload = payloads[index] ?? rest?.payload;
    this.#document = null;
    this.#items = null;
    this.#frames?.select(index);
    if (payload === undefined) {
      this.#refuse("There are no payloads in the file.", new Uint8Array(), -1);
      return;
    }
    if (index >= payloads.length) {
      this.#refuse(`Refused. ${rest?.reason ?? ""}`, payload.bytes, -1);
      return;
    }
    const result = this.#file.read(index);
    if (result instanceof WireFormatError) {
      const offset = Math.min(result.offset, payload.bytes.length - 1);
      this.#refuse(`Refused. ${result.kind}: ${result.message}`, payload.bytes, offset, result.beginning);
      return;
    }
    this.#document = result;
    this.#isWhole = true;
    this.#items = new ItemTree(result.root);
    this.#error.hidden = true;
    this.#tree.show(this.#items);
    this.#hex.show(payload.bytes);
    this.#details.select(null, result);
    this.#measure(this.#measured);
    this.#look();
  }

  #refuse(message: string, bytes: Uint8Array, offset: number, beginning: PayloadDocument | null = null): void {
    this.#measuring.abort();
    this.#error.textContent = plain(message);
    this.#error.hidden = false;
    this.#document = beginning;
    this.#isWhole = false;
    this.#items = beginning === null ? null : new ItemTree(beginning.root);
    this.#tree.show(this.#items);
    this.#hex.show(bytes, offset);
    this.#treemap.show(null);
    this.#details.select(null, null);
    this.#look();
  }

  #light(item: Item | null): void {
    this.#hex.light(item?.range ?? null, keyOf(item));
    this.#details.show(item);
  }

  #hoverByte(offset: number | null): void {
    const item = offset === null ? null : this.#itemAt({ offset, depth: Infinity });
    this.#hex.light(item?.range ?? null, keyOf(item));
    this.#tree.light(item);
    this.#details.show(item);
  }

  #hoverTile(tile: Tile | null): void {
    this.#tree.light(tile?.item ?? null);
    this.#hex.light(tile?.item?.range ?? null, keyOf(tile?.item ?? null));
    if (tile === null) {
      this.#details.show(null);
    } else {
      this.#details.showTile(tile);
    }
  }

  #selectTile(tile: Tile): void {
    if (tile.item !== null) {
      this.#select(tile.item);
    } else if (tile.first !== null) {
      this.#selectAt(tile.first);
    }
  }

  #select(item: Item): void {
    this.#tree.select(item);
    this.#hex.select(item.range);
    this.#details.select(item, this.#document);
  }

  #selectAt(place: Match): void {
    const item = this.#itemAt(place);
    if (item !== null) {
      this.#select(item);
    }
  }

  #follow(item: Item): void {
    const target = item.node.kind === "reference" ? item.node.target : null;
    if (target !== null && this.#items !== null) {
      // Of the nodes that begin with this byte, the one that it is.
      const path = descend(this.#items.root.node, target.offset);
      const depth = path.findIndex((child) => child.node === target);
      this.#select(this.#items.find(depth < 0 ? path : path.slice(0, depth + 1)));
    }
  }

  #itemAt({ offset, depth }: Match): Item | null {
    if (this.#items === null) {
      return null;
    }
    const path = descend(this.#items.root.node, offset, depth);
    return path.length === 0 ? null : this.#items.find(path);
  }

  #look(): void {
    this.#searching.abort();
    this.#searching = new AbortController();
    this.#search = null;
    this.#match = -1;
    this.#found.textContent = "";
    this.#tree.mark(() => false);
    const text = this.#query.value;
    if (text === "" || this.#document === null) {
      return;
    }
    const search = new Search(this.#document.root, text);
    this.#search = search;
    this.#tree.mark((item) => !item.isGroup && search.has({ offset: item.node.offset, depth: depthOf(item) }));
    void search.run(this.#searching.signal, () => {
      if (this.#match < 0 && search.count > 0) {
        this.#step(1);
      }
      this.#tellFound();
    });
  }

  #step(by: number): void {
    const search = this.#search;
    if (search === null || search.matches.length === 0) {
      return;
    }
    const count = search.matches.length;
    this.#match = this.#match < 0 ? 0 : (this.#match + by + count) % count;
    const match = search.matches[this.#match];
    if (match !== undefined) {
      this.#selectAt(match);
    }
    this.#tellFound();
  }

  #tellFound(): void {
    const search = this.#search;
    if (search !== null) {
      const all = `${number(search.count)}${search.isComplete ? "" : "\u2026"}`;
      this.#found.textContent = search.count === 0 ? (search.isComplete ? "none" : "\u2026") : `${number(this.#match + 1)} of ${all}`;
      this.#found.classList.toggle("none", search.count === 0 && search.isComplete);
    }
  }

  #measure(kind: "type" | "path"): void {
    this.#measuring.abort();
    this.#measuring = new AbortController();
    this.#measured = kind;
    this.#byType.setAttribute("aria-pressed", String(kind === "type"));
    this.#byPath.setAttribute("aria-pressed", String(kind === "path"));
    if (this.#document === null || this.#items === null || !this.#isWhole) {
      return;
    }
    if (kind === "path") {
      this.#treemap.show(tilesByPath(this.#document, this.#items.root));
      return;
    }
    const report = (done: number): void => this.#treemap.show(null, `Counting bytes: ${Math.floor(100 * done)} %`);
    void tilesByType(this.#document, this.#measuring.signal, report).then((tile) => {
      if (tile !== null) {
        this.#treemap.show(tile);
      }
    });
  }

  #key(event: KeyboardEvent): void {
    if (event.key === "/" && event.target !== this.#query && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      this.#query.focus();
      this.#query.select();
    } else if (event.key === "Escape" && event.target === this.#query) {
      this.#query.value = "";
      this.#look();
      this.#tree.focus();
    }
  }
}

/** The key in front of a value, where it has no line of its own. */
function keyOf(item: Item | null): Range | null {
  return item !== null && item.extent.start < item.range.start ? { start: item.extent.start, end: item.range.start } : null;
}

/** The number of nodes around that of an item: groups are none. */
function depthOf(item: Item): number {
  let depth = 0;
  for (let outer = item.parent; outer !== null; outer = outer.parent) {
    depth += outer.isGroup ? 0 : 1;
  }
  return depth;
}
