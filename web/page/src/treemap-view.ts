import { button, element } from "./dom.js";
import { squarify, type Box } from "./squarify.js";
import { bytesOf, share } from "./texts.js";
import type { Tile } from "./tiles.js";

const headHeight = 18;
const leastWidth = 44;
const leastHeight = 34;
const leastSide = 2;
const mostLevels = 3;
const colors = 8;
const gap = 1;

/** What the treemap tells the page. */
export interface TreemapEvents {
  hover(tile: Tile | null): void;
  select(tile: Tile): void;
}

/** Tiles as large as their bytes, with those inside of them. A click goes into one. */
export class TreemapView {
  readonly #area: HTMLElement;
  readonly #crumbs: HTMLElement;
  readonly #events: TreemapEvents;
  readonly #tiles = new WeakMap<Element, readonly [Tile, readonly Tile[]]>();
  readonly #colors = new Map<string, number>();
  #path: Tile[] = [];
  #note = "";

  constructor(area: HTMLElement, crumbs: HTMLElement, events: TreemapEvents) {
    this.#area = area;
    this.#crumbs = crumbs;
    this.#events = events;
    area.addEventListener("mousemove", (event) => events.hover(this.#find(event.target)?.[0] ?? null));
    area.addEventListener("mouseleave", () => events.hover(null));
    area.addEventListener("click", (event) => this.#open(event.target));
    area.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        this.#open(event.target);
      } else if (event.key === "Escape" && this.#path.length > 1) {
        this.#go(this.#path.length - 2);
      }
    });
    new ResizeObserver(() => this.render()).observe(area);
  }

  /** Shows tiles, or a text where there are none. */
  show(root: Tile | null, note = ""): void {
    this.#path = root === null ? [] : [root];
    this.#note = note;
    this.#colors.clear();
    for (const tile of root?.parts() ?? []) {
      this.#colorOf(tile);
    }
    this.render();
  }

  render(): void {
    const tile = this.#path.at(-1);
    this.#crumbs.replaceChildren(...this.#path.map((outer, index) => this.#crumb(outer, index)));
    if (tile === undefined) {
      this.#area.replaceChildren(element("p", "note", this.#note));
      return;
    }
    const box = { x: 0, y: 0, width: this.#area.clientWidth, height: this.#area.clientHeight };
    this.#area.replaceChildren(...this.#place(tile, box, this.#path.slice(0, -1), 0));
  }

  #place(outer: Tile, box: Box, path: readonly Tile[], level: number): HTMLElement[] {
    const parts = outer.parts();
    const boxes = squarify(parts.map((tile) => tile.bytes), box);
    return parts.flatMap((tile, index) => {
      const place = boxes[index];
      return place === undefined || (level > 0 && Math.min(place.width, place.height) < leastSide)
        ? []
        : [this.#tile(tile, place, [...path, outer], level)];
    });
  }

  #tile(tile: Tile, box: Box, path: readonly Tile[], level: number): HTMLElement {
    const made = element("div", `tile color${this.#colorOf(tile)}`);
    this.#tiles.set(made, [tile, path]);
    made.dataset["bytes"] = String(tile.bytes);
    const width = Math.max(0, box.width - gap);
    const height = Math.max(0, box.height - gap);
    Object.assign(made.style, { left: `${box.x}px`, top: `${box.y}px`, width: `${width}px`, height: `${height}px` });
    const hasRoom = width >= leastWidth && height >= headHeight;
    if (hasRoom) {
      made.append(element("span", "label", tile.label));
    }
    if (level === 0) {
      made.tabIndex = 0;
      made.setAttribute("role", "button");
      made.setAttribute("aria-label", `${tile.label}, ${bytesOf(tile.bytes)}`);
    }
    if (level + 1 < mostLevels && width >= leastWidth && height >= headHeight + leastHeight && tile.parts().length > 0) {
      made.classList.add("outer");
      const inner = { x: 2, y: headHeight, width: width - 4, height: height - headHeight - 2 };
      made.append(...this.#place(tile, inner, path, level + 1));
    }
    if (hasRoom && height >= 2 * headHeight && !made.classList.contains("outer")) {
      made.append(element("span", "size", share(tile.bytes, this.#path[0]?.bytes ?? 0)));
    }
    return made;
  }

  #crumb(tile: Tile, index: number): HTMLElement {
    const isLast = index === this.#path.length - 1;
    const made = button(tile.label, isLast ? "" : `back to ${tile.label}`, () => this.#go(index));
    made.disabled = isLast;
    return made;
  }

  #go(index: number): void {
    this.#path = this.#path.slice(0, index + 1);
    this.render();
  }

  #open(target: EventTarget | null): void {
    const found = this.#find(target);
    if (found === null) {
      return;
    }
    const [tile, path] = found;
    this.#events.select(tile);
    if (tile.parts().length > 0) {
      this.#path = [...path, tile];
      this.render();
    }
  }

  #find(target: EventTarget | null): readonly [Tile, readonly Tile[]] | null {
    const made = target instanceof Element ? target.closest(".tile") : null;
    return (made && this.#tiles.get(made)) ?? null;
  }

  #colorOf(tile: Tile): number {
    if (tile.group === "") {
      return 0;
    }
    let color = this.#colors.get(tile.group);
    if (color === undefined) {
      color = 1 + (this.#colors.size % colors);
      this.#colors.set(tile.group, color);
    }
    return color;
  }
}
