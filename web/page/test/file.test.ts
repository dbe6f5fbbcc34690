import assert from "node:assert/strict";
import { test } from "node:test";
import { toJson, WireFormatError, type PayloadDocument } from "../../reader/src/index.js";
import { fromBase64, PayloadFile } from "../src/file.js";
import { squarify } from "../src/squarify.js";
import { payload } from "./support/pages.js";

function read(file: PayloadFile, index: number): PayloadDocument {
  const result = file.read(index);
  assert.ok(!(result instanceof WireFormatError), String(result));
  return result;
}

test("a message of a session is read before those in front of it were asked for", () => {
  const file = new PayloadFile(payload("session.frames"), "framed session");
  assert.match(toJson(read(file, 9)), /"\$type":"Shop\.Shipped"/);
  assert.equal(file.outcomes.length, 10);
  assert.match(toJson(read(file, 0)), /"\$type":"Shop\.Order"/);
  assert.equal(file.readNext(), true);
  assert.equal(file.readNext(), false);
  assert.equal(file.outcomes.length, 12);
});

test("base64 is read in pieces, whatever its length", () => {
  for (const size of [0, 1, 2, 3, 49_151, 49_152, 49_153, 100_000]) {
    const bytes = Buffer.alloc(size, "pieces");
    assert.deepEqual(Buffer.from(fromBase64(bytes.toString("base64"))), bytes);
  }
});

test("rectangles have their areas, do not overlap and fill the box", () => {
  const box = { x: 10, y: 20, width: 300, height: 200 };
  for (const areas of [[1], [3, 2, 1], [50, 1, 1, 1], Array.from({ length: 150 }, (_, index) => 1000 / (index + 1)), [5, 0, 0]]) {
    const total = areas.reduce((sum, area) => sum + area, 0);
    const boxes = squarify(areas, box);
    assert.equal(boxes.length, areas.length);
    boxes.forEach(({ x, y, width, height }, index) => {
      assert.ok(Math.abs(width * height - ((areas[index] ?? 0) * box.width * box.height) / total) < 0.01);
      assert.ok(x >= box.x - 0.01 && y >= box.y - 0.01 && x + width <= box.x + box.width + 0.01 && y + height <= box.y + box.height + 0.01);
      for (const other of boxes.slice(0, index)) {
        const isApart = x + width <= other.x + 0.01 || other.x + other.width <= x + 0.01
          || y + height <= other.y + 0.01 || other.y + other.height <= y + 0.01;
        assert.ok(isApart, `${index} of ${areas.length}`);
      }
    });
  }
});
