import { element } from "./dom.js";
import type { Range } from "./parts.js";
import { VirtualList } from "./virtual-list.js";

const rowHeight = 20;
const wide = 16;
const narrow = 8;
const leastOfWide = 600;

/** What the bytes tell the page. */
export interface HexEvents {
  hover(offset: number | null): void;
  select(offset: number): void;
}

/** Bytes in hexadecimal and as text, of which those in sight are elements. */
export class HexView {
  readonly #list: VirtualList;
  readonly #events: HexEvents;
  #bytes: Uint8Array = new Uint8Array();
  #columns = wide;
  #hovered: Range | null = null;
  #key: Range | null = null;
  #selected: Range | null = null;
  #bad = -1;
  #at: number | null = null;

  constructor(scroller: HTMLElement, events: HexEvents) {
    this.#events = events;
    this.#list = new VirtualList(scroller, rowHeight, (row) => this.#line(row), { resized: () => this.#fit() });
    scroller.tabIndex = 0;
    scroller.setAttribute("role", "group");
    scroller.setAttribute("aria-label", "Bytes in hexadecimal and as text");
    scroller.addEventListener("mousemove", (event) => this.#hover(offsetOf(event.target)));
    scroller.addEventListener("mouseleave", () => this.#hover(null));
    scroller.addEventListener("click", (event) => {
      const offset = offsetOf(event.target);
      if (offset !== null) {
        events.select(offset);
      }
    });
  }

  /** Shows other bytes; with `bad`, one of them is where reading has stopped. */
  show(bytes: Uint8Array, bad = -1): void {
    this.#bytes = bytes;
    this.#bad = bad;
    this.#hovered = this.#key = this.#selected = null;
    this.#fit();
    this.#list.setCount(Math.ceil(bytes.length / this.#columns));
    this.#list.toTop();
    if (bad >= 0) {
      this.#reveal({ start: bad, end: bad + 1 });
    }
  }

  /** Lights up bytes, and a key in front of them. */
  light(range: Range | null, key: Range | null = null): void {
    this.#hovered = range;
    this.#key = key;
    if (range !== null && this.#at === null) {
      this.#reveal(range);
    }
    this.#color();
  }

  select(range: Range | null): void {
    this.#selected = range;
    if (range !== null) {
      this.#reveal(range);
    }
    this.#color();
  }

  #reveal(range: Range): void {
    const first = Math.floor(range.start / this.#columns);
    const last = Math.floor(Math.max(range.start, range.end - 1) / this.#columns);
    const top = this.#list.firstInSight;
    if (first >= top + this.#list.page || last < top) {
      this.#list.reveal(first, true);
    }
  }

  #hover(offset: number | null): void {
    if (offset !== this.#at) {
      this.#at = offset;
      this.#events.hover(offset);
    }
  }

  #fit(): void {
    const columns = this.#list.element.clientWidth >= leastOfWide ? wide : narrow;
    if (columns !== this.#columns) {
      this.#columns = columns;
      this.#list.setCount(Math.ceil(this.#bytes.length / columns));
    }
  }

  #line(row: number): HTMLElement {
    const line = element("div", "line");
    const start = row * this.#columns;
    line.append(element("span", "at", start.toString(16).toUpperCase().padStart(8, "0")));
    const hex = element("span", "hex");
    const text = element("span", "text");
    for (let offset = start; offset < Math.min(start + this.#columns, this.#bytes.length); offset++) {
      const byte = this.#bytes[offset] ?? 0;
      hex.append(this.#byte(offset, byte.toString(16).toUpperCase().padStart(2, "0"), byte));
      text.append(this.#byte(offset, byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "\u00b7", byte));
    }
    hex.style.width = `${this.#columns * 3 + 1}ch`;
    line.append(hex, text);
    return line;
  }

  #byte(offset: number, text: string, byte: number): HTMLElement {
    const span = element("span", this.#classesOf(offset, byte), text);
    span.dataset["offset"] = String(offset);
    return span;
  }

  #classesOf(offset: number, byte: number): string {
    const classes = [byte === 0 ? "zero" : ""];
    if (isIn(this.#hovered, offset)) {
      classes.push("lit");
    }
    if (isIn(this.#key, offset)) {
      classes.push("key");
    }
    if (isIn(this.#selected, offset)) {
      classes.push("selected");
    }
    if (offset === this.#bad) {
      classes.push("bad");
    }
    return classes.join(" ").trim();
  }

  #color(): void {
    for (const span of this.#list.element.querySelectorAll<HTMLElement>("[data-offset]")) {
      const offset = Number(span.dataset["offset"]);
      const classes = this.#classesOf(offset, this.#bytes[offset] ?? 0);
      if (span.className !== classes) {
        span.className = classes;
      }
    }
  }
}

function isIn(range: Range | null, offset: number): boolean {
  return range !== null && offset >= range.start && offset < range.end;
}

function offsetOf(target: EventTarget | null): number | null {
  const offset = target instanceof HTMLElement ? target.dataset["offset"] : undefined;
  return offset === undefined ? null : Number(offset);
}
