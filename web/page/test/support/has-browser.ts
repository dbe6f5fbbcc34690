import { findBrowser } from "./browser.js";

/** Exits with 3 where there is no browser for the tests. */
if (findBrowser() === null) {
  process.exitCode = 3;
}
