import { toJson, type PayloadDocument } from "../../reader/src/index.js";
import { button, element } from "./dom.js";
import type { Item } from "./items.js";
import { bytesOf, plain, quote, rawText, scalarText, sumText, typeText } from "./texts.js";
import type { Tile } from "./tiles.js";

const mostText = 2000;
const mostPath = 140;
const hint = "Hover over a value or over bytes, click to keep them; arrows move, / searches.";
const told = 1500;

/** The line below: the path of a node, its value, type and place, and what can be copied of it. */
export class DetailsView {
  readonly #path = element("span", "path");
  readonly #facts = element("span", "facts");
  readonly #copyPath: HTMLButtonElement;
  readonly #copyJson: HTMLButtonElement;
  #item: Item | null = null;
  #document: PayloadDocument | null = null;

  constructor(region: HTMLElement) {
    this.#copyPath = button("Copy path", "Copy the path of the selected value, as wire show --path takes it", () =>
      void this.#copy(this.#copyPath, () => this.#item?.path ?? ""));
    this.#copyJson = button("Copy JSON", "Copy the selected value as JSON", () => void this.#copy(this.#copyJson, () => this.#json()));
    const texts = element("div", "texts");
    texts.append(this.#path, this.#facts);
    region.append(texts, this.#copyPath, this.#copyJson);
    this.select(null, null);
  }

  select(item: Item | null, document: PayloadDocument | null): void {
    this.#item = item;
    this.#document = document;
    this.#copyPath.disabled = this.#copyJson.disabled = item === null;
    this.show(item);
  }

  /** Shows an item without selecting it; the selected one for none. */
  show(item: Item | null): void {
    const shown = item ?? this.#item;
    this.#path.textContent = shown === null ? "" : shown.path === "" ? "(root)" : shortPath(shown.path);
    this.#facts.textContent = shown === null ? (this.#document === null ? "" : hint) : factsOf(shown);
  }

  showTile(tile: Tile): void {
    this.#path.textContent = tile.label;
    this.#facts.textContent = [bytesOf(tile.bytes), tile.title].filter((part) => part !== "").join(" \u00b7 ");
  }

  #json(): string {
    const document = this.#document;
    return this.#item === null || document === null ? "" : toJson({ ...document, root: this.#item.node });
  }

  async #copy(pressed: HTMLButtonElement, text: () => string): Promise<void> {
    const label = pressed.textContent;
    try {
      await navigator.clipboard.writeText(text());
      pressed.textContent = "Copied";
    } catch (error) {
      pressed.textContent = "Not copied";
      this.#facts.textContent = plain(String(error));
    }
    setTimeout(() => (pressed.textContent = label), told);
  }
}

/** A long path has three dots in its middle: its end says most. */
function shortPath(path: string): string {
  return plain(path.length > mostPath ? `${path.slice(0, mostPath / 4)} ... ${path.slice((-3 * mostPath) / 4)}` : path, mostText);
}

function factsOf(item: Item): string {
  const { node, range } = item;
  const facts: (string | null)[] = [];
  if (!item.isGroup) {
    const text = node.kind === "scalar" && node.scalarType === "string" ? quote(rawText(node), mostText) : scalarText(node, mostText);
    facts.push(text, typeText(node), sumText(node));
  }
  facts.push(`bytes ${range.start} to ${range.end - 1}`, bytesOf(range.end - range.start));
  return facts.filter((fact) => fact !== null && fact !== "").join(" \u00b7 ");
}
