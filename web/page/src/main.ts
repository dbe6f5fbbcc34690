import { App } from "./app.js";
import { fromBase64, PayloadFile, type Form } from "./file.js";

const embedded = document.getElementById("payload");
if (embedded === null) {
  throw new Error("the page has no payload");
}
const form = embedded.dataset["form"] as Form;
const bytes = fromBase64(embedded.textContent ?? "");
// The bytes are kept once.
embedded.remove();
const app = new App(document.body, document.title, new PayloadFile(bytes, form));
// What is around the tree is there before a large payload is read.
requestAnimationFrame(() => setTimeout(() => app.start()));
