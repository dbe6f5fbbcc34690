import { element } from "./dom.js";
import type { PayloadFile } from "./file.js";
import { bytesOf, number, plain, shortType } from "./texts.js";
import { VirtualList } from "./virtual-list.js";

const rowHeight = 40;

/** The list of the frames, of which those in sight are elements. */
export class FramesView {
  readonly #list: VirtualList;
  readonly #file: PayloadFile;
  readonly #choose: (index: number) => void;
  #chosen = -1;

  constructor(scroller: HTMLElement, file: PayloadFile, choose: (index: number) => void) {
    this.#file = file;
    this.#choose = choose;
    this.#list = new VirtualList(scroller, rowHeight, (row) => this.#line(row));
    scroller.tabIndex = 0;
    scroller.setAttribute("role", "listbox");
    scroller.setAttribute("aria-label", "Frames");
    scroller.addEventListener("click", (event) => {
      const row = this.#list.rowAt(event.target);
      if (row !== null) {
        choose(row);
      }
    });
    scroller.addEventListener("keydown", (event) => this.#key(event));
    this.#list.setCount(this.count);
  }

  /** Frames, and what is left where the last one is cut short. */
  get count(): number {
    return this.#file.payloads.length + (this.#file.rest === null ? 0 : 1);
  }

  select(index: number): void {
    this.#chosen = index;
    this.#list.reveal(index);
    this.#list.element.setAttribute("aria-activedescendant", `frame-${index}`);
    this.#list.render();
  }

  render(): void {
    this.#list.render();
  }

  #key(event: KeyboardEvent): void {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      this.#choose(Math.max(0, Math.min(this.#chosen + step, this.count - 1)));
    }
  }

  #line(row: number): HTMLElement {
    const line = element("div", "line");
    line.id = `frame-${row}`;
    line.setAttribute("role", "option");
    line.setAttribute("aria-selected", String(row === this.#chosen));
    const payload = this.#file.payloads[row] ?? this.#file.rest?.payload;
    const outcome = this.#file.outcomes[row];
    const isBad = row >= this.#file.payloads.length || outcome?.error != null;
    const label = isBad ? "refused" : outcome === undefined ? "" : shortType(plain(outcome.label, 200));
    line.classList.toggle("refused", isBad);
    line.append(element("span", "number", String(row + 1)), element("span", "label", label));
    line.append(element("span", "size", `${bytesOf(payload?.bytes.length ?? 0)} at ${number(payload?.offset ?? 0)}`));
    return line;
  }
}
