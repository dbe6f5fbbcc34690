/** Makes an element. Texts become text, and never markup. */
export function element<K extends keyof HTMLElementTagNameMap>(tag: K, className = "", text = ""): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (className !== "") {
    made.className = className;
  }
  if (text !== "") {
    made.textContent = text;
  }
  return made;
}

/** Makes a button. */
export function button(text: string, title: string, press: () => void): HTMLButtonElement {
  const made = element("button", "", text);
  made.type = "button";
  made.title = title;
  made.addEventListener("click", press);
  return made;
}

/** A labelled region of the page. */
export function region(className: string, label: string): HTMLElement {
  const made = element("section", className);
  made.setAttribute("aria-label", label);
  return made;
}
