import { element } from "./dom.js";

/** No browser lays out much more than this: what is taller scrolls in larger steps. */
const tallest = 8_000_000;

export interface Hooks {
  /** Is called before rows are made: those from the first on, in front of the end. */
  prepare?(first: number, end: number): void;
  resized?(): void;
}

/** Rows of one height, of which only those in sight are elements. */
export class VirtualList {
  readonly element: HTMLElement;
  readonly #spacer = element("div", "spacer");
  readonly #body = element("div", "rows");
  readonly #rowHeight: number;
  readonly #renderRow: (row: number) => HTMLElement;
  readonly #prepare: (first: number, end: number) => void;
  #count = 0;
  #first = 0;
  #position = 0;
  #scrollTop = 0;
  #isQueued = false;

  /** The element scrolls; `renderRow` makes a row that is in sight. */
  constructor(scroller: HTMLElement, rowHeight: number, renderRow: (row: number) => HTMLElement, hooks: Hooks = {}) {
    this.element = scroller;
    this.#rowHeight = rowHeight;
    this.#renderRow = renderRow;
    this.#prepare = hooks.prepare ?? (() => {});
    scroller.append(this.#spacer, this.#body);
    scroller.addEventListener("scroll", () => this.#scrolled());
    scroller.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    new ResizeObserver(() => {
      hooks.resized?.();
      this.render();
    }).observe(scroller);
  }

  get count(): number {
    return this.#count;
  }

  /** How many rows are in sight as a whole. */
  get page(): number {
    return Math.max(1, Math.floor(this.element.clientHeight / this.#rowHeight));
  }

  setCount(count: number): void {
    this.#count = count;
    this.#spacer.style.height = `${this.#height}px`;
    this.#position = Math.max(0, Math.min(this.#position, this.#total - this.element.clientHeight));
    this.render();
  }

  /** The element of a row; null where it is not in sight. */
  row(row: number): HTMLElement | null {
    const made = this.#body.children[row - this.#first];
    return row >= this.#first && made instanceof HTMLElement ? made : null;
  }

  /** The row of an element inside of it; null for other elements. */
  rowAt(target: EventTarget | null): number | null {
    let inner = target instanceof Element ? target : null;
    while (inner !== null && inner.parentElement !== this.#body) {
      inner = inner.parentElement;
    }
    return inner === null ? null : this.#first + Array.prototype.indexOf.call(this.#body.children, inner);
  }

  /** The first row that is in sight as a whole. */
  get firstInSight(): number {
    return Math.ceil(this.#position / this.#rowHeight);
  }

  isInSight(row: number): boolean {
    const top = row * this.#rowHeight;
    return top >= this.#position - 1 && top + this.#rowHeight <= this.#position + this.element.clientHeight + 1;
  }

  /** Scrolls no farther than it must; with `center`, a row that is out of sight comes into the middle. */
  reveal(row: number, center = false): void {
    if (this.isInSight(row)) {
      return;
    }
    const top = row * this.#rowHeight;
    const view = this.element.clientHeight;
    if (center) {
      this.#moveTo(top - (view - this.#rowHeight) / 2);
    } else {
      this.#moveTo(top < this.#position ? top : top + this.#rowHeight - view);
    }
  }

  toTop(): void {
    this.#moveTo(0);
  }

  /** Makes the rows in sight again. */
  render(): void {
    const last = Math.min(this.#count, Math.ceil((this.#position + this.element.clientHeight) / this.#rowHeight) + 1);
    this.#first = Math.max(0, Math.min(Math.floor(this.#position / this.#rowHeight), last));
    this.#prepare(this.#first, last);
    const rows: HTMLElement[] = [];
    for (let row = this.#first; row < last; row++) {
      rows.push(this.#renderRow(row));
    }
    this.#body.replaceChildren(...rows);
    this.#body.style.transform = `translateY(${this.element.scrollTop - (this.#position - this.#first * this.#rowHeight)}px)`;
  }

  get #total(): number {
    return this.#count * this.#rowHeight;
  }

  get #height(): number {
    return Math.min(this.#total, tallest);
  }

  /** How far the rows move when the element scrolls by one pixel. */
  get #scale(): number {
    const view = this.element.clientHeight;
    return this.#total > tallest ? (this.#total - view) / (tallest - view) : 1;
  }

  #moveTo(position: number): void {
    this.#position = Math.max(0, Math.min(position, this.#total - this.element.clientHeight));
    this.element.scrollTop = this.#position / this.#scale;
    this.#scrollTop = this.element.scrollTop;
    this.render();
  }

  #scrolled(): void {
    if (Math.abs(this.element.scrollTop - this.#scrollTop) >= 1 || this.#scale === 1) {
      this.#scrollTop = this.element.scrollTop;
      this.#position = Math.max(0, Math.min(this.#scrollTop * this.#scale, this.#total - this.element.clientHeight));
    }
    if (!this.#isQueued) {
      this.#isQueued = true;
      requestAnimationFrame(() => {
        this.#isQueued = false;
        this.render();
      });
    }
  }

  /** Where one pixel is many rows, the wheel moves by rows. */
  #wheel(event: WheelEvent): void {
    if (this.#scale > 1 && !event.ctrlKey && event.deltaY !== 0) {
      event.preventDefault();
      this.#moveTo(this.#position + event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? this.#rowHeight : 1));
    }
  }
}
